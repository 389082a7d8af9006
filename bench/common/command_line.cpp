#include "bench/common/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace throng::bench {

namespace {

constexpr int exit_failed = 1;
constexpr int exit_usage = 2;

int complain(const std::string& program, const std::exception& error, int status) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
    return status;
}

}  // namespace

struct CommandLine::Parser {
    CLI::App app;
};

CommandLine::CommandLine(const char* what, const char* program)
    : parser_(new Parser{.app = CLI::App(what, program)}) {}

CommandLine::~CommandLine() = default;

void CommandLine::text(const char* name, std::string& value, const char* help) {
    parser_->app.add_option(name, value, help)->capture_default_str();
}

void CommandLine::required_text(const char* name, std::string& value, const char* help) {
    parser_->app.add_option(name, value, help)->required();
}

void CommandLine::one_of(const char* name, std::string& value, const char* help,
                         const std::vector<std::string>& choices) {
    parser_->app.add_option(name, value, help)->check(CLI::IsMember(choices))->capture_default_str();
}

void CommandLine::list(const char* name, std::vector<std::string>& values, const char* help) {
    parser_->app.add_option(name, values, help)->delimiter(',')->capture_default_str();
}

template <class Number>
void CommandLine::number(const char* name, Number& value, const char* help, std::type_identity_t<Number> min,
                         std::type_identity_t<Number> max) {
    CLI::Option* option = parser_->app.add_option(name, value, help)->capture_default_str();
    if (min != std::numeric_limits<Number>::lowest() || max != std::numeric_limits<Number>::max())
        option->check(CLI::Range(min, max));
}
template void CommandLine::number<int>(const char*, int&, const char*, int, int);
template void CommandLine::number<unsigned>(const char*, unsigned&, const char*, unsigned, unsigned);
template void CommandLine::number<unsigned long>(const char*, unsigned long&, const char*, unsigned long,
                                                 unsigned long);
template void CommandLine::number<unsigned long long>(const char*, unsigned long long&, const char*,
                                                      unsigned long long, unsigned long long);
template void CommandLine::number<double>(const char*, double&, const char*, double, double);

void CommandLine::flag(const char* name, bool& value, const char* help) {
    parser_->app.add_flag(name, value, help);
}

void CommandLine::format(std::string& value) {
    one_of("--format", value, "Pictures as png or svg", {"png", "svg"});
}

void CommandLine::footer(const std::string& text) { parser_->app.footer(text); }

int CommandLine::run(int argc, char** argv, const std::function<void()>& body) {
    CLI::App& app = parser_->app;
    const std::string program = app.get_name();
    try {
        app.parse(argc, argv);
        body();
        return 0;
    } catch (const CLI::ParseError& error) {
        // Asking for help is an "error" of status zero.
        if (error.get_exit_code() == 0) return app.exit(error);
        return complain(program, error, exit_usage);
    } catch (const UsageError& error) {
        return complain(program, error, exit_usage);
    } catch (const std::exception& error) {
        return complain(program, error, exit_failed);
    }
}

}  // namespace throng::bench
