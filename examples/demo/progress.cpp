#include "examples/demo/progress.hpp"

#include <cstdio>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

#include "worlds/workload/workload.hpp"

namespace throng::demo {

namespace {

bool is_terminal(std::FILE* file) noexcept {
#if defined(_WIN32)
    return _isatty(_fileno(file)) != 0;
#else
    return isatty(fileno(file)) != 0;
#endif
}

}  // namespace

Progress::Progress(const char* what, std::size_t of)
    : what_(what), of_(of), terminal_(is_terminal(stderr)), begin_(workload::now()) {
    next_ = begin_ + (terminal_ ? 0.5 : 5.0);
}

// The next output begins on a clean line.
Progress::~Progress() {
    if (terminal_ && shown_) std::fputs("\r\033[K", stderr);
}

void Progress::at(std::size_t done) {
    const double now = workload::now();
    if (now < next_ || done == of_) return;
    next_ = now + (terminal_ ? 0.1 : 5.0);
    shown_ = true;
    const double left = (now - begin_) / static_cast<double>(done) * static_cast<double>(of_ - done);
    std::fprintf(stderr, terminal_ ? "\r%s %zu of %zu, %.0f s left \033[K" : "%s %zu of %zu, %.0f s left\n",
                 what_, done, of_, left);
    std::fflush(stderr);
}

}  // namespace throng::demo
