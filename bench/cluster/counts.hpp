// What does not depend on the machine: how evenly worlds are cut, what is sent, and what that has to be at
// least.
#pragma once

#include <cstddef>
#include <string>

namespace throng::cluster_bench {

// A line of numbers, separated by commas, on the first rank; `heading` is what they are.
extern const char* const counts_heading;
std::string counts_of(const std::string& world, std::size_t agents, unsigned frames);

}  // namespace throng::cluster_bench
