#include <stdexcept>

#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/registration.hpp"
#include "throng/engine.hpp"

namespace throng::bench {

namespace {

// Two frames, one step apart, which are compared in turns.
struct TwoFrames {
    workload::World world = workload::make("crowd", micro_agents);
    Engine engine;
    Frame frames[2];

    TwoFrames() {
        for (Frame& frame : frames) {
            const Boxes boxes = Boxes::centre_half(world.x.data(), world.y.data(), world.hx.data(),
                                                   world.hy.data(), world.size());
            if (!engine.update(boxes).ok()) throw std::runtime_error("no engine for changes");
            frame = engine.frame();
            world.step();
        }
    }
};

// What changes cost beyond these is the difference of the two.
void all_pairs(benchmark::State& state) {
    const TwoFrames two;
    PairList found;
    std::size_t turn = 0;
    for (auto _ : state) (void)two.frames[turn++ % 2].pairs(found);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(found.size()));
}
void changed_pairs(benchmark::State& state) {
    const TwoFrames two;
    PairChanges changes;
    std::size_t turn = 0;
    for (auto _ : state) (void)two.frames[turn++ % 2].pair_changes(changes);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(changes.pairs().size()));
}
void sort_pairs(benchmark::State& state) {
    const TwoFrames two;
    PairList found;
    for (auto _ : state) {
        state.PauseTiming();
        (void)two.frames[0].pairs(found);
        state.ResumeTiming();
        (void)found.sort();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(found.size()));
}

}  // namespace

void register_changes() {
    benchmark::RegisterBenchmark("changes, pairs alone", all_pairs)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("changes, pair_changes", changed_pairs)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("changes, sorted pairs", sort_pairs)->Unit(benchmark::kMicrosecond);
}

}  // namespace throng::bench
