// StaticIndex on one instruction set: the neighbourhood of every element in leaf order,
// large searches, and all pairs.
#include <benchmark/benchmark.h>

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/micro/kernel_benches.hpp"
#include "throng/structures/static_index.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

using structures::ElementId;

namespace {

struct StaticWorld {
    workload::World world = workload::make("crowd", micro_agents);
    structures::StaticIndex index;

    explicit StaticWorld(Isa isa) : index(structures::StaticIndex::Config{isa}) { build(); }
    void build() {
        const Boxes boxes = Boxes::centre_half(world.x.data(), world.y.data(), world.hx.data(),
                                               world.hy.data(), world.size());
        if (!index.assign(boxes)) throw std::runtime_error("StaticIndex: no memory");
    }
    std::vector<Box> small() const {
        const std::vector<workload::Rect> by_id = workload::neighbourhoods(world, false);
        std::vector<Box> boxes;
        index.for_each_element([&](ElementId id) { boxes.push_back(box_of(by_id[id])); });
        return boxes;
    }
    std::vector<Box> large() const {
        std::vector<Box> boxes;
        for (const workload::Rect& r : workload::large_queries(world)) boxes.push_back(box_of(r));
        return boxes;
    }
    static Box box_of(const workload::Rect& r) { return {r.x0, r.y0, r.x1, r.y1}; }
};

std::size_t find(benchmark::State& state, StaticWorld& w, const std::vector<Box>& queries) {
    std::size_t found = 0;
    for (auto _ : state)
        for (const Box& box : queries)
            (void)w.index.for_each_overlap(box, [&](std::span<const ElementId> ids) { found += ids.size(); });
    benchmark::DoNotOptimize(found);
    return queries.size();
}
std::size_t count(benchmark::State& state, StaticWorld& w, const std::vector<Box>& queries) {
    for (auto _ : state)
        for (const Box& box : queries) benchmark::DoNotOptimize(w.index.count(box).total);
    return queries.size();
}
std::size_t any(benchmark::State& state, StaticWorld& w) {
    const std::vector<Box> queries = w.small();
    for (auto _ : state)
        for (const Box& box : queries) benchmark::DoNotOptimize(w.index.any(box).found);
    return queries.size();
}
std::size_t pairs(benchmark::State& state, StaticWorld& w) {
    std::size_t found = 0;
    for (auto _ : state)
        (void)w.index.for_each_pair([&](std::span<const Pair> some) { found += some.size(); });
    benchmark::DoNotOptimize(found);
    return w.index.size();
}
std::size_t build(benchmark::State& state, StaticWorld& w) {
    for (auto _ : state) w.build();
    return w.index.size();
}

template <class Body>
void add(const std::string& what, Isa isa, Body body) {
    const std::string title = "static index, " + what + "/" + to_string(isa);
    const auto run = [isa, body](benchmark::State& state) {
        StaticWorld world(isa);
        const std::size_t items = body(state, world);
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
    };
    benchmark::RegisterBenchmark(title.c_str(), run)->Unit(benchmark::kMicrosecond);
}

}  // namespace

void register_static_index(Isa isa) {
    add("find, small", isa, [](auto& state, auto& w) { return find(state, w, w.small()); });
    add("find, large", isa, [](auto& state, auto& w) { return find(state, w, w.large()); });
    add("count, small", isa, [](auto& state, auto& w) { return count(state, w, w.small()); });
    add("count, large", isa, [](auto& state, auto& w) { return count(state, w, w.large()); });
    add("any, small", isa, [](auto& state, auto& w) { return any(state, w); });
    add("pairs", isa, [](auto& state, auto& w) { return pairs(state, w); });
    // Does not depend on the instruction set.
    if (isa == best_isa()) add("build", isa, [](auto& state, auto& w) { return build(state, w); });
}

}  // namespace throng::bench
