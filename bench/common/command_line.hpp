// The command line of a program, and how it ends: 0 when all went well, 1 when the work failed, 2 for a
// command line that makes no sense; a failure is one line on stderr. By CLI11, which takes seconds to
// compile, and so stays in one file.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/common/failures.hpp"

namespace throng::bench {

// Options have the values that their variables had, unless the command line says otherwise.
class CommandLine {
public:
    CommandLine(const char* what, const char* program);
    ~CommandLine();

    void text(const char* name, std::string& value, const char* help);
    void required_text(const char* name, std::string& value, const char* help);
    void one_of(const char* name, std::string& value, const char* help,
                const std::vector<std::string>& choices);
    // Separated by commas.
    void list(const char* name, std::vector<std::string>& values, const char* help);
    // An int, an unsigned integer, or a double.
    template <class Number>
    void number(const char* name, Number& value, const char* help,
                std::type_identity_t<Number> min = std::numeric_limits<Number>::lowest(),
                std::type_identity_t<Number> max = std::numeric_limits<Number>::max());
    void flag(const char* name, bool& value, const char* help);
    // The option of every program that draws.
    void format(std::string& value);
    // What --help says at the end.
    void footer(const std::string& text);

    // Parses, then runs; every way to fail ends here. Returns the exit status.
    int run(int argc, char** argv, const std::function<void()>& body);

private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
};

}  // namespace throng::bench
