// What calls look at in frames with ghosts, counted in the kernels that they call.
#include "piled_worlds.hpp"
#include "simd/neighbour_kernels.hpp"
#include "simd/pair_kernels.hpp"
#include "simd/query_kernels.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Counts in what kernels get: agents that share a cell, or that are in the tree, with the number of agents
// that each may be compared with.
struct Counted {
    static inline const simd::PairKernels* pairs;
    static inline std::uint64_t shared = 0, looking = 0, looked_at = 0;

    template <simd::RowPairsKernel simd::PairKernels::*of>
    static void row(const simd::View& view, std::uint32_t r, const simd::WantedPairs& wanted,
                    simd::PairScratch& scratch, simd::PairSink& sink) {
        if (const simd::Row& all = view.rows[r]; all.count != 0)
            for (std::uint32_t c = 0; c < view.grid.columns; ++c) {
                const std::uint64_t in_cell = all.cells[c + 1] - all.cells[c];
                shared += in_cell * in_cell;
            }
        (pairs->*of)(view, r, wanted, scratch, sink);
    }
    static void oversized(const simd::View& view, std::uint32_t first, std::uint32_t last,
                          const simd::WantedPairs& wanted, simd::PairSink& sink) {
        shared += std::uint64_t{last - first} * view.oversized.count;
        pairs->oversized(view, first, last, wanted, sink);
    }
    // Agents that look one by one.
    static void cross(const simd::View& view, const simd::WantedPairs& wanted, const simd::Probing& probing,
                      simd::PairSink& sink) {
        looking += probing.end - probing.begin;
        simd::QueryCost cost;
        const detail::RowArrays a(probing.row);
        for (std::uint32_t i = probing.begin; i < probing.end; ++i)
            simd::add_cost(view,
                           simd::Growth(wanted.close.within)
                               .grown(simd::Query{a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]}),
                           {}, cost);
        shared += cost.tested + cost.covered;
        looked_at = 0;
        for (std::uint32_t r = 0; r < view.grid.rows; ++r) looked_at += view.rows[r].count;
        pairs->cross_pairs(view, wanted, probing, sink);
    }
    // Calls use(frame) while these kernels stand in for those of the frame.
    static void with(const Piled& world, const auto& use) {
        Engine engine({.executor = serial_executor()});
        EXPECT_EQ(update(engine, world), Status{});
        const Frame frame = engine.frame();
        detail::FrameState& state = state_behind(frame);
        simd::PairKernels counting = *state.kernels->pairs;
        counting.boxes = row<&simd::PairKernels::boxes>;
        counting.measured = row<&simd::PairKernels::measured>;
        counting.oversized = oversized;
        counting.cross_pairs = cross;
        simd::Kernels kernels = *state.kernels;
        pairs = std::exchange(kernels.pairs, &counting);
        const simd::Kernels* const own = std::exchange(state.kernels, &kernels);
        shared = looking = looked_at = 0;
        use(frame);
        state.kernels = own;
    }
    // For each agent, with pairs that are found.
    static double cost(const Piled& world, const PairQuery& query) {
        PairList list;
        with(world, [&](const Frame& frame) { EXPECT_EQ(frame.pairs(list, query), Status{}); });
        return static_cast<double>(shared) / static_cast<double>(world.boxes.size() + list.size());
    }
};

TEST(PiledGhosts, are_not_compared_with_each_other) {
    const std::size_t n = scaled(12000, 3000);
    Piled crowd{.name = "a crowd", .boxes = {}, .owned = n};
    add_crowd(crowd.boxes, n, {0, 0}, 1.2f * std::sqrt(static_cast<float>(n)), 0.4f);
    for (const PairQuery& query : {PairQuery{}, PairQuery{.within = 0.5f}}) {
        const double plain = Counted::cost(crowd, query);
        EXPECT_GT(plain, 0.5);
        for (const Piled& world : piled_worlds(n))
            if (world.heights.empty()) {
                EXPECT_LT(Counted::cost(world, query), 12 * plain) << world.name;
                EXPECT_LE(Counted::looking, world.owned) << world.name;
            }
    }
}

TEST(PiledGhosts, neither_look_for_agents_of_another_frame_nor_are_looked_at) {
    const Piled world = piled_worlds(scaled(3000, 1000)).front();
    PairList list;
    Counted::with(world, [&](const Frame& frame) {
        ASSERT_TRUE(frame.tuning().islands == 0 && frame.tuning().oversized == 0);
        ASSERT_EQ(frame.pairs(list, with_other(frame)), Status{});
        EXPECT_EQ(Counted::looking, world.owned);
        EXPECT_EQ(Counted::looked_at, world.boxes.size());
    });
    // Those of the pile are fewer, but owned agents look: the others would find ghosts.
    Engine others;
    const std::vector<Box> at_the_pile(world.boxes.begin() + static_cast<std::ptrdiff_t>(world.owned),
                                       world.boxes.end());
    ASSERT_EQ(others.update(at_the_pile), Status{});
    Counted::with(world, [&](const Frame& frame) {
        ASSERT_EQ(frame.pairs(list, with_other(others.frame())), Status{});
        EXPECT_EQ(Counted::looking, world.owned);
        EXPECT_EQ(Counted::looked_at, at_the_pile.size());
    });
}

// Searches that follow each other in a row share what they look at.
struct CountedSearches {
    static inline const simd::NeighbourKernels* neighbours;
    static inline std::size_t calls = 0;

    static void around(const simd::View& view, const simd::LabelFilters& filters,
                       const simd::Queriers& queriers, const simd::NeighbourQuery& query,
                       simd::NeighbourOutput& output) {
        ++calls;
        neighbours->around(view, filters, queriers, query, output);
    }
    static std::size_t of(const std::vector<Box>& boxes, std::size_t owned, const auto& ask) {
        Engine engine({.executor = serial_executor()});
        EXPECT_EQ(engine.update(boxes, {.owned = owned}), Status{});
        const Frame frame = engine.frame();
        detail::FrameState& state = state_behind(frame);
        simd::NeighbourKernels counting = *state.kernels->neighbours;
        counting.around = around;
        simd::Kernels kernels = *state.kernels;
        neighbours = std::exchange(kernels.neighbours, &counting);
        const simd::Kernels* const own = std::exchange(state.kernels, &kernels);
        calls = 0;
        ask(frame);
        state.kernels = own;
        return calls;
    }
};

TEST(GhostsAllOver, do_not_tear_searches_apart) {
    const std::size_t n = scaled(12000, 3000);
    std::vector<Box> boxes;
    add_crowd(boxes, n, {0, 0}, 1.2f * std::sqrt(static_cast<float>(n)), 0.4f);
    const auto ask = [&](const auto& wanted) {
        return [&](const Frame& frame) {
            NeighbourLists lists;
            EXPECT_EQ(frame.neighbours(wanted, lists), Status{});
        };
    };
    const auto expect_few = [&](const auto& wanted) {
        EXPECT_LT(CountedSearches::of(boxes, n * 9 / 10, ask(wanted)),
                  2 * CountedSearches::of(boxes, n, ask(wanted)));
    };
    expect_few(Nearest{.count = 8});
    expect_few(Within{.radius = 2});
    expect_few(Within{.radius = 2, .half = true, .distances = true});
    expect_few(Within{.radius = 2, .in_row_order = true});
}

}  // namespace
}  // namespace throng::test
