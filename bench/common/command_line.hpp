// How the programs end: 0 when all went well, 1 when the work failed, 2 for a command line that makes no
// sense; a failure is one line on stderr. For the file with main() alone: CLI11 takes seconds to compile.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "bench/common/failures.hpp"

namespace throng::bench {

inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;

inline int complain(const std::string& program, const std::exception& error, int status) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
    return status;
}

// Parses, then runs; every way to fail ends here.
template <class Body>
int run_program(CLI::App& app, int argc, char** argv, Body&& body) {
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

// The option of every program that draws.
inline void add_format(CLI::App& app, std::string& format) {
    app.add_option("--format", format, "Pictures as png or svg")->check(CLI::IsMember({"png", "svg"}));
}

}  // namespace throng::bench
