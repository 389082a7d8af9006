// Registers a benchmark whose fixture is made when it first runs, and not for those that were not asked for.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>

#include "bench/micro/world_rows.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

// `body(state, rows)` runs the loop and returns how many agents or queries each turn works on.
template <class Body>
benchmark::internal::Benchmark* add(const std::string& kernel, const simd::Kernels& kernels,
                                    const char* scenario, std::size_t agents, Body body) {
    const std::string title = kernel + "/" + to_string(kernels.isa);
    const auto run = [&kernels, scenario, agents, body](benchmark::State& state) {
        WorldRows rows(kernels, scenario, agents);
        const std::size_t items = body(state, rows);
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
    };
    return benchmark::RegisterBenchmark(title.c_str(), run)->Unit(benchmark::kMicrosecond);
}

}  // namespace throng::bench
