// Pairs: groups of rows in parallel, each with its own work space, joined in the order of the rows; then the
// oversized agents, in groups of their own.

#include <algorithm>
#include <atomic>
#include <memory>

#include "base/blocks.hpp"
#include "base/legal.hpp"
#include "engine/src/pairs/among_shapes.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/pair_kernels.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr std::size_t oversized_in_a_block = 64;
// Half a megabyte: a worker's pairs are still in a cache when they are copied to their spot.
constexpr std::size_t pairs_in_a_block = 1 << 16;

// The kernels' scratch from a work space, which grows on demand. All spaces of the store grow to the size of
// the largest, so allocations do not depend on which block meets the full cells.
struct KernelScratch : simd::PairScratch {
    PairSpace& space;
    std::atomic<std::size_t>& most;
    bool out_of_memory = false;

    KernelScratch(PairSpace& s, const FrameState& frame) noexcept
        : simd::PairScratch{frame.kernels->in_row, s.edge.data(), make_room, nullptr},
          space(s),
          most(frame.store->spaces.sweep_bytes) {}

    static void* make_room(simd::PairScratch& scratch, std::size_t bytes) {
        auto& self = static_cast<KernelScratch&>(scratch);
        constexpr std::size_t line = 64;
        std::size_t known = self.most.load(std::memory_order_relaxed);
        while (known < bytes + line &&
               !self.most.compare_exchange_weak(known, bytes + line, std::memory_order_relaxed)) {
        }
        if (!reserve_amply(self.space.sweep, std::max(known, bytes + line))) {
            self.out_of_memory = true;
            return nullptr;
        }
        void* at = self.space.sweep.data();
        std::size_t room = self.space.sweep.capacity();
        return std::align(line, bytes, at, room);
    }
};

// Whether the frame is small enough for brute force.
bool are_few(const FrameState& frame) noexcept {
    return frame.agents != 0 && frame.agents <= few_agents && frame.rows.size() == 1 &&
           frame.view.oversized.count == 0;
}

// Which pairs of a frame are wanted, and the kernel that finds those of a row. If all labels are the default
// one, it is all of them or none. If all agents share a height, heights leave out no pair: of the frame, or
// of the agents on a storey.
struct WantedOfFrame {
    WantedOfFrame(const FrameState& frame, const PairQuery& query) noexcept
        : wanted(wanted_in(query, frame.labelled(), is_by_height(frame))),
          none(wanted.by_label && !frame.labelled() && !query.filter.admits(Label{}, Label{})) {
        wanted.by_label = wanted.by_label && frame.labelled();
        without_heights = wanted;
        without_heights.by_height = false;
        const simd::PairKernels& kernels = *frame.kernels->pairs;
        row = kernel_of(kernels, wanted);
        row_without_heights = kernel_of(kernels, without_heights);
    }

    simd::WantedPairs wanted, without_heights;
    const bool none;
    simd::RowPairsKernel row, row_without_heights;

    // Whether the first step of a row leaves out pairs of two ghosts.
    bool row_knows_ghosts() const noexcept { return !wanted.has_filter() && !is_measured(wanted); }

private:
    // Agents between storeys are looked for by height, whatever they share.
    static bool is_by_height(const FrameState& frame) noexcept {
        return frame.has_heights() && (frame.map.has_storeys() || !frame.view.shared_heights.are_any());
    }
    static bool touch_as_circles(const simd::WantedPairs& wanted) noexcept {
        return wanted.close.as == AgentsAs::circles && !wanted.has_filter();
    }
    static bool is_measured(const simd::WantedPairs& wanted) noexcept {
        const bool are_plain = wanted.close.as == AgentsAs::boxes || touch_as_circles(wanted);
        return wanted.close.within != 0 || !are_plain || wanted.needs_category;
    }
    static simd::RowPairsKernel kernel_of(const simd::PairKernels& all,
                                          const simd::WantedPairs& wanted) noexcept {
        const bool measured = is_measured(wanted);
        if (wanted.by_label) return measured ? all.measured_by_filter : all.boxes_by_filter;
        if (wanted.by_height) return measured ? all.measured_at_heights : all.boxes_at_heights;
        return measured ? all.measured : touch_as_circles(wanted) ? all.circles : all.boxes;
    }
};

// The work of a whole frame, cut into blocks.
class PairWork : public PairSearch {
public:
    // More blocks are made if many pairs are expected; the result does not depend on the blocks.
    PairWork(const FrameState& frame, const WantedOfFrame& of_frame, const Executor& executor) noexcept
        : frame_(frame), of_frame_(of_frame), kernels_(*frame.kernels->pairs), stop_(executor) {
        row_blocks_ = row_groups_for(executor, frame.rows.size(), frame.agents);
        if (row_blocks_ > 1)
            row_blocks_ = std::clamp(frame.pairs_expected / pairs_in_a_block, row_blocks_, frame.rows.size());
        const std::size_t oversized = frame.view.oversized.count;
        oversized_blocks_ =
            oversized == 0 ? 0 : parallel::blocks_for(executor, oversized, oversized_in_a_block);
    }
    std::size_t blocks() const noexcept override { return row_blocks_ + oversized_blocks_; }
    const parallel::Stop& stop() const noexcept override { return stop_; }
    std::size_t agents_in_block() const noexcept override { return frame_.agents / row_blocks_ + 1; }

    // Reserves the spaces that the blocks take while they run. Returns false if there is no memory.
    bool prepare(const Executor& executor) const noexcept override {
        std::size_t largest = 0;
        for (const simd::Row& row : frame_.rows) largest = std::max<std::size_t>(largest, row.count);
        return frame_.store->spaces.pairs.prepare(
            parallel::at_once(executor, blocks(), largest, frame_.agents), [&](PairSpace& space) {
                return reserve_amply(space.edge, largest + simd::gap) &&
                       reserve_amply(space.sweep,
                                     frame_.store->spaces.sweep_bytes.load(std::memory_order_relaxed));
            });
    }

    // Runs one block into a sink. Returns false if there is no memory for its scratch.
    bool run(std::size_t block, PairSpace& space, simd::PairSink& sink) const noexcept override {
        if (frame_.ghosts.empty()) return find(block, space, sink, nullptr);
        OwnedPairs owned({frame_.ghosts, Unlisted::of_two_ghosts}, sink);
        return find(block, space, sink, &owned);
    }

private:
    // All pairs that are found go to the sink, or through `owned` unless it is null.
    bool find(std::size_t block, PairSpace& space, simd::PairSink& sink, OwnedPairs* owned) const noexcept {
        simd::PairSink& all = owned == nullptr ? sink : owned->sink();
        if (block >= row_blocks_) {
            const parallel::Range part =
                parallel::range_of(frame_.view.oversized.count, oversized_blocks_, block - row_blocks_);
            kernels_.oversized(frame_.view, static_cast<std::uint32_t>(part.begin),
                               static_cast<std::uint32_t>(part.end), of_frame_.wanted, all);
            if (owned != nullptr) owned->flush();
            return true;
        }
        const RowGroup group = rows_of(block);
        std::size_t largest = 0;
        for (std::size_t r = group.begin; r < group.end; ++r)
            largest = std::max<std::size_t>(largest, frame_.rows[r].count);
        if (!of_frame_.wanted.by_label && !reserve_amply(space.edge, largest + simd::gap)) return false;
        KernelScratch scratch(space, frame_);
        simd::GhostIds ghosts = frame_.ghosts;
        const bool apart = owned != nullptr && of_frame_.row_knows_ghosts();
        if (apart) {
            // No id is above the ids of ghosts that come last.
            if (ghosts.is_range() && ghosts.bound == frame_.id_bound) ghosts.bound = simd::no_id;
            scratch.ghosts = &ghosts;
            scratch.mixed = &all;
        }
        for (std::size_t r = group.begin; r < group.end; ++r)
            if (frame_.rows[r].count != 0 && !sink.stopped && !stop_.is_wanted()) {
                run_row(static_cast<std::uint32_t>(r), scratch, apart ? sink : all, all);
                if (owned != nullptr) owned->flush();
            }
        return !scratch.out_of_memory;
    }
    // The kernel for rows leads pairs that may be of two ghosts to `all`, as those of other regions.
    void run_row(std::uint32_t r, KernelScratch& scratch, simd::PairSink& sink,
                 simd::PairSink& all) const noexcept {
        const simd::WantedPairs& wanted = of_frame_.wanted;
        if (!wanted.has_filter() && are_few(frame_)) return kernels_.few(frame_.view, wanted, all);
        const WorldMap& map = frame_.map;
        const std::uint32_t region = map.region_of_row(r), layer = map.layer_of_row(r),
                            row = r - map.first_row(region, layer);
        const simd::View& home = region == 0 ? frame_.view : frame_.islands[region - 1].view;
        const simd::View& view = home.storeys == nullptr ? home : home.storeys->views[layer];
        if (wanted.by_height && share_a_height(view, row))
            of_frame_.row_without_heights(view, row, of_frame_.without_heights, scratch, sink);
        else
            of_frame_.row(view, row, wanted, scratch, sink);
        if (home.storeys != nullptr && layer == 0 && wanted.by_height)
            kernels_.storeys(home, row, wanted, all);
        if (map.has_islands()) kernels_.region(frame_.view, region, r - map.first_row(region), wanted, all);
    }
    // Whether any two agents of a row, and of the rows with its partners, share a height.
    bool share_a_height(const simd::View& view, std::uint32_t row) const noexcept {
        if (view.shared_heights.are_any()) return true;
        const float reach =
            (view.reach_y + of_frame_.wanted.close.within) * view.grid.inverse_height * simd::scaled_up + 2;
        const std::uint32_t later = view.grid.rows - 1 - row;
        const auto last = row + static_cast<std::uint32_t>(std::min(reach, static_cast<float>(later)));
        return shared_heights_of(view, row, last).are_any();
    }
    RowGroup rows_of(std::size_t block) const noexcept {
        // Rows with about the same number of agents cost about the same. The last row of a run is found by
        // walking, which is cheap compared with the work on the rows.
        const std::size_t rows = frame_.rows.size();
        if (row_blocks_ == 1) return {0, rows};
        if (row_blocks_ == rows) return {block, block + 1};
        const auto edge = [&](std::size_t index) {
            const std::size_t wanted = frame_.agents / row_blocks_ * index;
            std::size_t sum = 0, r = 0;
            while (r < rows && sum < wanted) sum += frame_.rows[r++].count;
            return index == row_blocks_ ? rows : r;
        };
        return {edge(block), edge(block + 1)};
    }

    const FrameState& frame_;
    const WantedOfFrame& of_frame_;
    const simd::PairKernels& kernels_;
    const parallel::Stop stop_;
    std::size_t row_blocks_, oversized_blocks_;
};

// For few agents the work spaces would cost more than the work.
Status list_few(const FrameState& frame, Buffer<Pair>& list) noexcept {
    std::atomic<bool> out_of_memory{false};
    KeepPairs keep(&list, &out_of_memory);
    simd::PairSink sink{};
    if (!keep.open(sink, 0, few_agents)) return {Code::out_of_memory};
    without_ghosts(frame.ghosts, Unlisted::of_two_ghosts, sink,
                   [&](simd::PairSink& all) { frame.kernels->pairs->few(frame.view, {}, all); });
    return keep.close(sink) ? Status{} : Status{Code::out_of_memory};
}

}  // namespace

simd::WantedPairs detail::wanted_in(const PairQuery& query, bool labelled, bool by_height) noexcept {
    const auto& [a, b, other_groups_only] = query.filter;
    // A mask of all categories also admits agents without any.
    const bool needs_category = (a | b) == all_categories && a != all_categories && b != all_categories;
    return {.a = a,
            .b = b,
            .other_groups_only = other_groups_only,
            .by_label = query.filter != PairFilter{},
            .by_height = by_height,
            .needs_category = needs_category && labelled,
            .close = {query.within, query.agents_as}};
}

Status detail::find_own_pairs(const FrameState& frame, const PairQuery& wanted, const Executor& executor,
                              PairOutput& output) noexcept {
    if (output.list() != nullptr && are_few(frame) && !frame.has_heights() && wanted == PairQuery{})
        return list_few(frame, *output.list());
    const WantedOfFrame of_frame(frame, wanted);
    if (of_frame.none) return {};
    if (AmongShapes::pays(frame, frame, wanted)) {
        const AmongShapes shapes(frame, frame, wanted);
        if (!shapes.has_memory()) return {Code::out_of_memory};
        ClosePairs close(shapes, output);
        return find_own_pairs(shapes.one().state(), shapes.candidates(), executor, close);
    }
    if (!are_few(frame) && are_ghosts_piled(frame, wanted.within))
        return find_pairs_beside_piles(frame, wanted, executor, output);
    return output.take(*frame.store, executor, PairWork(frame, of_frame, executor));
}

// Pairs across the seams come last.
Status Frame::find_pairs(const PairQuery& wanted, PairOutput& output) const noexcept {
    if (const Status bad = check(wanted); !bad.ok()) return bad;
    const Frame* const other = wanted.with;
    if (!failure_.ok()) return failure_;
    if (other != nullptr && !other->failure_.ok()) return other->failure_;
    if (other != nullptr && !wraps_like(*other)) return {Code::bad_config, Argument::period};
    if (state_ == nullptr || (other != nullptr && other->state_ == nullptr)) return {};
    const Status status = other == nullptr
                              ? find_own_pairs(*state_, wanted, executor_, output)
                              : find_cross_pairs(*state_, *other->state_, wanted, executor_, output);
    return status.ok() && wraps_ && !output.has_ended() ? add_pairs_across(wanted, output) : status;
}

Status Frame::visit_pairs(const PairQuery& wanted, PairVisitor visitor) const noexcept {
    VisitedPairs output(visitor);
    return find_pairs(wanted, output);
}

Status Frame::pairs(PairList& list, const PairQuery& wanted) const noexcept {
    list.clear();
    list.id_bound_ = id_bound();
    list.of_one_frame_ = wanted.with == nullptr;
    ListedPairs output(list.pairs_);
    const Status status = find_pairs(wanted, output);
    if (!status.ok()) list.clear();
    return status;
}

Filled Frame::pairs(std::span<Pair> out, const PairQuery& wanted) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    WrittenPairs output(out);
    const Status status = find_pairs(wanted, output);
    return status.ok() ? output.result() : Filled{.status = status};
}

Count Frame::count_pairs(const PairQuery& wanted) const noexcept {
    CountedPairs output;
    const Status status = find_pairs(wanted, output);
    return {status, status.ok() ? output.total() : 0};
}

}  // namespace throng
