// What one run of `throng-compare` measures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "throng/isa.hpp"

namespace throng::bench {

struct Options {
    std::vector<std::string> indexes{"engine"};
    std::vector<std::string> tasks{"frame", "T2", "T2c", "T3", "T3.count", "memory"};
    std::string scenario = "crowd";
    std::size_t agents = 100'000;
    unsigned threads = 1;
    Isa isa = Isa::automatic;
    // Timed frames, after three that warm up. With none, queries are made once, for their checksums.
    unsigned frames = 10;
    // At most so often is a query repeated.
    int repeats = 1000;
    // Frames for `p99` and `allocations`, which are about rare events.
    unsigned steady_frames = 1000;
    // Those end after this time, if it is more than zero, but not before a hundredth of them has run.
    double steady_seconds = 0;
    std::uint64_t seed = 1;
};

}  // namespace throng::bench
