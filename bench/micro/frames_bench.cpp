// Whole calls on two frames that follow each other.
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

// What changes, or a distance, cost beyond plain pairs is the difference to this.
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
    for (auto _ : state) (void)changes.update(two.frames[turn++ % 2]);
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

void pairs_within(benchmark::State& state) {
    const TwoFrames two;
    PairList found;
    std::size_t turn = 0;
    for (auto _ : state) (void)two.frames[turn++ % 2].pairs(found, {.within = 1});
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(found.size()));
}

// What keeping lists saves is the difference of these two.
void made_lists(benchmark::State& state) {
    const TwoFrames two;
    NeighbourLists lists;
    std::size_t turn = 0;
    for (auto _ : state) (void)two.frames[turn++ % 2].neighbours({.radius = 2}, lists);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(micro_agents));
}
void kept_lists(benchmark::State& state) {
    const TwoFrames two;
    KeptNeighbours kept({.radius = 2, .skin = 0.5f});
    std::size_t turn = 0;
    for (auto _ : state) (void)kept.update(two.frames[turn++ % 2]);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(micro_agents));
}
void lists_in_blocks(benchmark::State& state) {
    const TwoFrames two;
    NeighbourLists block;
    std::size_t turn = 0, found = 0;
    for (auto _ : state)
        (void)two.frames[turn++ % 2].for_each_answer(
            {.radius = 2}, block,
            [&](std::size_t, const NeighbourLists& some) { found += some.ids().size(); },
            {.max_bytes = 1 << 20});
    benchmark::DoNotOptimize(found);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(micro_agents));
}

}  // namespace

void register_frames() {
    const auto add = [](const char* name, auto* run) {
        benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMicrosecond);
    };
    add("frames, pairs", all_pairs);
    add("frames, pair_changes", changed_pairs);
    add("frames, sorted pairs", sort_pairs);
    add("frames, pairs within 1", pairs_within);
    add("frames, neighbours", made_lists);
    add("frames, kept neighbours", kept_lists);
    add("frames, neighbours in blocks", lists_in_blocks);
}

}  // namespace throng::bench
