// The demo's main loop: move, update, find which touch, look round, bounce; with the time that each step
// took.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "examples/demo/options.hpp"
#include "throng/executor.hpp"
#include "throng/geometry.hpp"
#include "throng/reports.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::demo {

struct Times {
    // Milliseconds, one a frame. `frame` is the engine's: update and pairs.
    std::vector<double> update, pairs, frame, queries, host;
};

struct Result {
    Times times;
    // The last frame, as the engine saw it: before touching agents were pushed apart.
    workload::World world;
    std::vector<Pair> touching;
    std::vector<FramePart> parts;
    std::uint64_t queries = 0, neighbours = 0;  // made in the last frame, and found
    std::uint64_t pairs_in_all = 0;
    double bytes_per_agent = 0;
    Isa isa = Isa::automatic;
};

// Throws std::runtime_error if the engine refuses something.
Result simulate(const Options& options, const Executor& executor);

}  // namespace throng::demo
