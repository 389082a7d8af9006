#include "bench/common/machine.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace throng::bench {

namespace {

// The first value that /proc/cpuinfo gives under a key; empty if there is none.
std::string cpuinfo(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || line.compare(0, key.size(), key) != 0) continue;
        if (line.find_first_not_of(" \t", key.size()) != colon) continue;
        const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

bool has_digit(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::string cpu_name() {
    std::string name = cpuinfo("model name");
    if (name.empty()) name = cpuinfo("CPU part");
    if (name.empty()) return "unknown CPU";
    const std::string family = cpuinfo("cpu family"), model = cpuinfo("model");
    if (!has_digit(name) && !family.empty()) name += " (family " + family + ", model " + model + ")";
    return name;
}

std::string compiler_name() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
           std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
           std::to_string(__GNUC_PATCHLEVEL__);
#else
    return "unknown compiler";
#endif
}

}  // namespace throng::bench
