// How the programs end: 0 when all went well, 1 when the work failed, 2 for a command line that makes no
// sense; a failure is one line on stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "throng/isa.hpp"
#include "throng/status.hpp"

namespace throng::bench {

inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;

// A command line that CLI11 alone cannot tell to be wrong.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

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

// Called before the work, so that a directory that cannot be made costs nothing but a line.
inline void make_directory(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw std::runtime_error("cannot make the directory " + path + ": " + error.message());
}

// The instruction set of that name, if it can run here.
inline Isa isa_from(const std::string& text) {
    Isa isa = Isa::automatic;
    if (!parse_isa(text, isa)) throw UsageError("unknown instruction set '" + text + "'");
    if (!is_supported(isa)) throw std::runtime_error("this machine or build cannot run " + text);
    return isa;
}

// A failed call of the library ends the program, with what was being done.
inline void require(const Status& status, const char* what) {
    if (status.ok()) return;
    std::string text = std::string(what) + ": " + status.message();
    if (status.index != Status::no_index) text += " (element " + std::to_string(status.index) + ")";
    throw std::runtime_error(text);
}

}  // namespace throng::bench
