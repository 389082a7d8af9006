// How the work of a program fails: by an exception with the line that its user reads.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "throng/isa.hpp"
#include "throng/status.hpp"

namespace throng::bench {

// A command line that CLI11 alone cannot tell to be wrong.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Called before the work, so that a directory that cannot be made costs nothing but a line.
inline void make_directory(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw std::runtime_error("cannot make the directory " + path + ": " + error.message());
}

// The instruction set of that name, if it can run here.
inline Isa isa_from(const std::string& text) {
    Isa isa = Isa::automatic;
    if (!parse_isa(text.c_str(), isa)) throw UsageError("unknown instruction set '" + text + "'");
    if (!is_supported(isa)) throw std::runtime_error("this machine or build cannot run " + text);
    return isa;
}

// A failed call of the library ends the program, with what was being done.
inline void require(const Status& status, const char* what) {
    if (status.ok()) return;
    std::string text = std::string(what) + ": " + status.message();
    if (status.index != Status::no_index) text += " (index " + std::to_string(status.index) + ")";
    throw std::runtime_error(text);
}

}  // namespace throng::bench
