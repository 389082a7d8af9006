#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/registration.hpp"

namespace throng::bench {

void register_building(const simd::Kernels& kernels) {
    add("count_rows", kernels, "crowd", micro_agents, [](benchmark::State& state, WorldRows& rows) {
        for (auto _ : state) rows.count();
        return rows.agents();
    });
    add("scatter", kernels, "crowd", micro_agents, [](benchmark::State& state, WorldRows& rows) {
        for (auto _ : state) rows.scatter();
        return rows.agents();
    });
    // Sorting consumes the records, so they are scattered again before every turn, untimed.
    add("sort_row", kernels, "crowd", micro_agents, [](benchmark::State& state, WorldRows& rows) {
        for (auto _ : state) {
            rows.scatter();
            const double begin = workload::now();
            rows.sort();
            state.SetIterationTime(workload::now() - begin);
        }
        return rows.agents();
    })->UseManualTime();
    add("measure_row", kernels, "crowd", micro_agents, [](benchmark::State& state, WorldRows& rows) {
        for (auto _ : state) rows.measure();
        return rows.agents();
    });
}

}  // namespace throng::bench
