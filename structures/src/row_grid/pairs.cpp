// All pairs. Rows are packed into arrays, in the order of their cells, for the kernel that finds the engine's
// own pairs. It reads a row and those above it that a common element can reach, so a block of rows packs a
// few at a time:
//
//     rows       0  1  2  3  4  5 ...
//     packed        [     window    )      row 1 is searched; row 5 will reuse row 0's memory
//
// Oversized elements come after all rows: each is a query to the rows and to the oversized elements after it.

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "base/blocks.hpp"
#include "simd/pair_kernels.hpp"
#include "structures/src/row_grid/search.hpp"
#include "structures/src/rows/pair_sink.hpp"
#include "structures/src/rows/pair_space.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr std::size_t elements_in_block = 8192, oversized_in_block = 64;

// A sink for a visitor that is called on several threads. The buffer is on the stack.
struct ToVisitor {
    AnyCall<std::span<const Pair>, std::size_t> visitor;
    std::size_t block;
    std::atomic<bool>& ended;
    std::atomic<bool>& threw;
    std::array<Pair, 2048 + simd::pair_slack> pairs;

    simd::PairSink sink() noexcept {
        simd::Pair* begin = as_kernel(pairs.data());
        return {begin, begin + pairs.size() - simd::pair_slack, full, this, false};
    }
    static void full(simd::PairSink& sink) {
        ToVisitor& self = *static_cast<ToVisitor*>(sink.context);
        const auto count = static_cast<std::size_t>(sink.at - as_kernel(self.pairs.data()));
        sink.at = as_kernel(self.pairs.data());
        sink.stopped = self.ended.load(std::memory_order_relaxed);
        if (count == 0 || sink.stopped) return;
        try {
            if (self.visitor({self.pairs.data(), count}, self.block)) return;
        } catch (...) {
            self.threw.store(true, std::memory_order_relaxed);
        }
        self.ended.store(true, std::memory_order_relaxed);
        sink.stopped = true;
    }
};

}  // namespace

struct THRONG_INSIDE RowGridPairs {
    using Node = GridRow::Node;

    RowGrid::State& grid;
    const std::size_t row_blocks, oversized_blocks;
    const std::uint32_t rows = grid.rows();
    const GridRow& oversized = grid.rows_[rows];
    const simd::Kernels& kernels = *grid.kernels_;
    // For sweeps of overfull cells; null where several threads search, which then compare all with all.
    Buffer<std::byte>* const sweep;
    std::uint32_t* edges = nullptr;

    // The scratch of a block of rows: a ring of packed rows, each at (row % window).
    struct Space {
        simd::Row* table;
        std::uint32_t* edge;
        float* data;
        std::uint32_t* cells;
        std::uint32_t stride;
    };

    RowGridPairs(RowGrid::State& g, const Executor& executor, Buffer<std::byte>* memory) noexcept
        : grid(g),
          row_blocks(row_blocks_of(g, executor)),
          oversized_blocks(oversized_blocks_of(g, executor)),
          sweep(memory) {}

    static std::size_t row_blocks_of(const RowGrid::State& grid, const Executor& executor) noexcept {
        return std::min<std::size_t>(parallel::blocks_for(executor, grid.size(), elements_in_block),
                                     grid.rows());
    }
    static std::size_t oversized_blocks_of(const RowGrid::State& grid, const Executor& executor) noexcept {
        return grid.oversized() == 0 ? 0
                                     : parallel::blocks_for(executor, grid.oversized(), oversized_in_block);
    }
    std::size_t blocks() const noexcept { return row_blocks + oversized_blocks; }
    std::uint32_t window() const noexcept { return grid.rows_spanned_ + 1; }

    // --- Memory ---

    bool prepare() noexcept {
        if (!carve(grid.plan_, [&](Carver& carver) { edges = carver.take<std::uint32_t>(row_blocks + 1); }))
            return false;
        cut_rows(rows, grid.size() - oversized.size, row_blocks, edges,
                 [&](std::size_t r) { return grid.rows_[r].size; });
        return carve(
            grid.work_, grid.room_for_pairs_, [&](Carver& carver) { (void)space_of(carver, row_blocks); },
            [&](Carver& carver) { (void)space_of(carver, row_blocks, true); });
    }
    Space space_of(Carver& carver, std::size_t block, bool headroom = false) const noexcept {
        Space space{};
        for (std::size_t b = 0; b <= block && b < row_blocks; ++b) {
            std::uint32_t largest = 0;
            for (std::uint32_t r = edges[b]; r < end_of_reach(edges[b + 1]); ++r)
                largest = std::max(largest, grid.rows_[r].size);
            if (headroom && largest != 0) largest = static_cast<std::uint32_t>(with_headroom(largest));
            const std::uint32_t stride = (largest + simd::gap + 15) / 16 * 16;
            space = {.table = carver.take<simd::Row>(rows),
                     .edge = carver.take<std::uint32_t>(std::size_t{largest} + simd::gap),
                     .data = carver.take<float>(std::size_t{5} * stride * window()),
                     .cells = carver.take<std::uint32_t>((std::size_t{grid.columns()} + 1) * window()),
                     .stride = stride};
        }
        return space;
    }
    // One past the last row that elements below `row` can reach.
    std::uint32_t end_of_reach(std::uint32_t row) const noexcept {
        return std::min(rows, row + grid.rows_spanned_);
    }

    // --- Rows ---

    // `enough()` tells whether the visitor has stopped.
    template <class Enough>
    void run_rows(std::size_t block, simd::PairSink& sink, Enough&& enough) const noexcept {
        Carver carver(grid.work_.data());
        const Space space = space_of(carver, block);
        std::fill_n(space.table, rows, simd::Row{});
        simd::View view{};
        view.grid = grid.lattice_;
        view.rows = space.table;
        view.is_all = true;
        std::uint32_t packed = edges[block];
        for (std::uint32_t r = edges[block]; r < edges[block + 1] && !enough(); ++r) {
            for (; packed < end_of_reach(r + 1); ++packed) pack(packed, space);
            if (space.table[r].count == 0) continue;
            float width = 0;
            for (std::uint32_t k = r; k < packed; ++k) width = std::max(width, grid.rows_[k].width);
            view.reach_x = rounded_up(width);
            view.reach_y = rounded_up(grid.lattice_.common_height);
            SweepScratch scratch(kernels, space.edge, sweep);
            kernels.pairs->boxes(view, r, {}, scratch, sink);
        }
    }
    void pack(std::uint32_t r, const Space& space) const noexcept {
        if (r >= window()) space.table[r - window()].count = 0;
        const GridRow& row = grid.rows_[r];
        if (row.size == 0) return;
        const std::uint32_t turn = r % window();
        float* data = space.data + std::size_t{5} * space.stride * turn;
        std::uint32_t* cells = space.cells + (std::size_t{grid.columns()} + 1) * turn;
        if (row.sorted)
            pack_sorted(row, data, space.stride, cells);
        else
            pack_lists(row, data, space.stride, cells);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (std::size_t k = 0; k < 4; ++k) std::fill_n(data + k * space.stride + row.size, simd::gap, nan);
        space.table[r] = {data, cells, space.stride, row.size, 0};
    }
    static void put(const Node& node, float* data, std::uint32_t stride, std::uint32_t at) noexcept {
        std::uint32_t* ids = reinterpret_cast<std::uint32_t*>(data + std::size_t{4} * stride);
        data[at] = node.box.min_x;
        data[stride + at] = node.box.min_y;
        data[std::size_t{2} * stride + at] = node.box.max_x;
        data[std::size_t{3} * stride + at] = node.box.max_y;
        ids[at] = node.id;
    }
    static void pack_sorted(const GridRow& row, float* data, std::uint32_t stride,
                            std::uint32_t* cells) noexcept {
        const Node* nodes = row.nodes.data();
        for (std::uint32_t i = 0; i < row.size; ++i) put(nodes[i], data, stride, i);
        std::copy(row.heads.begin(), row.heads.end(), cells);
    }
    static void pack_lists(const GridRow& row, float* data, std::uint32_t stride,
                           std::uint32_t* cells) noexcept {
        std::uint32_t at = 0;
        for (std::uint32_t c = 0; c < row.cells(); ++c) {
            cells[c] = at;
            for (std::uint32_t n = row.heads[c]; n != GridRow::none; n = row.nodes[n].next)
                put(row.nodes[n], data, stride, at++);
        }
        cells[row.cells()] = at;
    }

    // --- Oversized elements ---

    template <class Enough>
    void run_oversized(std::size_t part, simd::PairSink& sink, Enough&& enough) const noexcept {
        const parallel::Range mine = parallel::range_of(oversized.nodes.size(), oversized_blocks, part);
        for (std::size_t g = mine.begin; g < mine.end && !enough(); ++g) {
            const Node& large = oversized.nodes[g];
            if (large.id == no_element) continue;
            const auto take = [&](const Node* nodes, std::size_t count) {
                // Of the oversized, only those after this one. An empty run may begin anywhere, even at the
                // oversized ones.
                if (count != 0 && nodes == oversized.nodes.data()) nodes += g + 1, count -= g + 1;
                meet(large, nodes, count, sink);
                return true;
            };
            (void)search_rows(grid.lattice_, grid.rows_.data(), large.box, take);
        }
    }
    static void meet(const Node& large, const Node* nodes, std::size_t count, simd::PairSink& sink) noexcept {
        for (std::size_t first = 0; first < count; first += simd::pair_slack) {
            if (sink.at > sink.limit) sink.full(sink);
            const std::size_t last = std::min(count, first + simd::pair_slack);
            for (std::size_t i = first; i < last; ++i) {
                *sink.at = {large.id, nodes[i].id};
                sink.at += overlap(large.box, nodes[i].box);
            }
        }
    }

    template <class Enough>
    void run(std::size_t block, simd::PairSink& sink, Enough&& enough) const noexcept {
        if (block < row_blocks)
            run_rows(block, sink, enough);
        else
            run_oversized(block - row_blocks, sink, enough);
    }
};

Status RowGrid::State::find_pairs(PairAnswers& found) {
    if (where_.empty()) return {};
    RowGridPairs pairs(*this, Executor{}, &sweep_);
    if (!pairs.prepare()) return {Code::out_of_memory};
    IntoAnswers into(found);
    for (std::size_t block = 0; block < pairs.blocks() && !into.stopped(); ++block)
        pairs.run(block, into.sink, [&into] { return into.stopped(); });
    into.finish();
    return {};
}

std::size_t RowGrid::State::pair_blocks(const Executor& executor) const noexcept {
    return where_.empty() ? 0
                          : RowGridPairs::row_blocks_of(*this, executor) +
                                RowGridPairs::oversized_blocks_of(*this, executor);
}

Status RowGrid::State::visit_pairs(const Executor& executor, const PairVisitor& visitor) noexcept {
    if (where_.empty()) return {};
    RowGridPairs pairs(*this, executor, nullptr);
    if (!pairs.prepare()) return {Code::out_of_memory};
    std::atomic<bool> ended{false}, threw{false};
    const parallel::Ran ran = parallel::for_blocks(executor, pairs.blocks(), [&](std::size_t block) {
        ToVisitor to{visitor, block, ended, threw, {}};
        simd::PairSink sink = to.sink();
        pairs.run(block, sink, [&ended] { return ended.load(std::memory_order_relaxed); });
        ToVisitor::full(sink);
    });
    if (threw.load(std::memory_order_relaxed)) return {Code::visitor_threw};
    return throng::detail::outcome(ran);
}

}  // namespace throng::structures
