// The indexes that `throng-compare` knows, by name.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/compare/index.hpp"

namespace throng::bench {

struct Entry {
    std::string name;
    std::string what;
    std::unique_ptr<Index> (*make)(const Setup& setup);
    // More would take too long.
    std::size_t max_agents = std::numeric_limits<std::size_t>::max();
};

std::span<const Entry> registry();

// Null if there is none of that name.
const Entry* find_index(const std::string& name);

}  // namespace throng::bench
