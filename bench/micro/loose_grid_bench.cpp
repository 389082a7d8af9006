// Queries to a LooseGrid: one by one, and in packets. A query for each agent of a crowd, in the grid's
// own order, as the neighbours in it are queried together, and in the random order of ids, in which packets
// have nothing to share. For comparison with `find_together` the kernel by itself.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/registration.hpp"
#include "simd/query_kernels.hpp"
#include "throng/structures/leaf_order.hpp"
#include "throng/structures/loose_grid.hpp"

namespace throng::bench {

using structures::ElementId;

namespace {

enum class Order { of_the_grid, of_ids };

// The grid of a crowd, and the boxes around its agents.
class Sights {
public:
    Sights(const WorldRows& rows, Order order) : grid_(config(rows)) {
        const workload::World& w = rows.world();
        structures::LeafOrder leaves;
        if (!grid_.assign(Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size())) ||
            !leaves.update(grid_))
            throw std::runtime_error("out of memory");
        const std::vector<workload::Rect> sights = workload::neighbourhoods(w, false);
        for (std::size_t i = 0; i < sights.size(); ++i) {
            const workload::Rect& r = sights[order == Order::of_ids ? i : leaves.ids()[i]];
            queries_.push_back({r.x0, r.y0, r.x1, r.y1});
        }
    }
    const structures::LooseGrid& grid() const { return grid_; }
    const std::vector<Box>& queries() const { return queries_; }

private:
    static structures::LooseGrid::Config config(const WorldRows& rows) {
        const float side = rows.world().side;
        structures::LooseGrid::Config config = structures::LooseGrid::recommended(
            {.extents = {0, 0, side, side}, .elements = rows.agents(), .typical_size = 0.85f});
        config.isa = rows.kernels().isa;
        return config;
    }

    structures::LooseGrid grid_;
    std::vector<Box> queries_;
};

template <Order order>
std::size_t one_by_one(benchmark::State& state, WorldRows& rows) {
    const Sights sights(rows, order);
    std::size_t hits = 0;
    for (auto _ : state)
        for (const Box& box : sights.queries())
            (void)sights.grid().for_each_overlap(box,
                                                 [&](std::span<const ElementId> ids) { hits += ids.size(); });
    benchmark::DoNotOptimize(hits);
    return sights.queries().size();
}

template <Order order>
std::size_t together(benchmark::State& state, WorldRows& rows) {
    const Sights sights(rows, order);
    std::size_t hits = 0;
    for (auto _ : state)
        (void)sights.grid().for_each_overlap(
            sights.queries(), [&](std::size_t, std::span<const ElementId> ids) { hits += ids.size(); });
    benchmark::DoNotOptimize(hits);
    return sights.queries().size();
}

// Sixteen queries against sixty boxes, of which each finds about six.
std::size_t kernel(benchmark::State& state, WorldRows& rows) {
    constexpr std::uint32_t boxes = 60, stride = boxes + simd::gap;
    std::vector<float> data(5 * stride, std::numeric_limits<float>::quiet_NaN());
    std::array<simd::Query, 16> queries;
    const auto at = [](std::size_t k, std::size_t of) {
        return 22 * static_cast<float>(k) / static_cast<float>(of);
    };
    for (std::uint32_t k = 0; k < boxes; ++k) {
        const float x = at(k, boxes), y = static_cast<float>(k % 8);
        const float box[] = {x, y, x + 0.85f, y + 0.85f};
        for (std::uint32_t c = 0; c < 4; ++c) data[k + c * stride] = box[c];
    }
    for (std::size_t k = 0; k < queries.size(); ++k) queries[k] = {at(k, 18), 2, at(k, 18) + 4, 6};
    const simd::Row row{data.data(), nullptr, stride, boxes, 0};
    std::vector<std::uint32_t> ids(queries.size() * boxes + simd::gap), ends(queries.size());
    for (auto _ : state) {
        rows.kernels().queries->find_together(row, queries.data(), queries.size(), ids.data(), ends.data());
        benchmark::DoNotOptimize(ids.data());
        benchmark::ClobberMemory();
    }
    return queries.size();
}

}  // namespace

void register_loose_grid(const simd::Kernels& kernels) {
    add("find_together", kernels, "crowd", 1000, kernel);
    add("loose_grid, coherent, one by one", kernels, "crowd", micro_agents, one_by_one<Order::of_the_grid>);
    add("loose_grid, coherent, together", kernels, "crowd", micro_agents, together<Order::of_the_grid>);
    add("loose_grid, random, one by one", kernels, "crowd", micro_agents, one_by_one<Order::of_ids>);
    add("loose_grid, random, together", kernels, "crowd", micro_agents, together<Order::of_ids>);
}

}  // namespace throng::bench
