// One line on stderr for work that takes its time. On a terminal it is written over in place; otherwise it is
// a new line every few seconds, so that a log does not fill up. Work that is done at once says nothing.
#pragma once

#include <cstddef>

namespace throng::demo {

class Progress {
public:
    Progress(const char* what, std::size_t of);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(std::size_t done);

private:
    const char* what_;
    std::size_t of_;
    bool terminal_;
    double begin_, next_;
    bool shown_ = false;
};

}  // namespace throng::demo
