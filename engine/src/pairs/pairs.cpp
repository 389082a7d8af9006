// Pairs: groups of rows in parallel, each with its own work space, joined in the order of the rows; then the
// oversized agents, in groups of their own.

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/blocks.hpp"
#include "base/legal.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/pairs/grown_frame.hpp"
#include "engine/src/pairs/kernel_scratch.hpp"
#include "engine/src/pairs/measured_pairs.hpp"
#include "engine/src/pairs/owned_pairs.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/pairs/pairs_within.hpp"
#include "engine/src/pairs/piled_ghosts.hpp"
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

// Which pairs of a frame are wanted. If all labels are the default one, it is all of them or none.
struct WantedPairs {
    WantedPairs(const FrameState& frame, const PairFilter& wanted) noexcept {
        filter.by_height = by_height = frame.has_heights();
        if (wanted == PairFilter{}) return;
        filter = {wanted.a, wanted.b, wanted.other_groups_only, by_height};
        filtered = frame.labelled();
        none = !frame.labelled() && !wanted.admits(Label{}, Label{});
        finds_too_many = filtered && (wanted.a | wanted.b) == all_categories && wanted.a != all_categories &&
                         wanted.b != all_categories;
    }
    bool filtered = false, none = false;
    bool by_height = false;       // the two have to share one
    bool as_circles = false;      // what the kernels compare
    bool finds_too_many = false;  // the kernels' pairs are to be checked again (measured_pairs.hpp)
    simd::PairLabelFilter filter{all_categories, all_categories, false};

    // Whether kernels for filters find them.
    bool by_filter() const noexcept { return filtered || by_height; }
};

// Whether the frame is small enough for brute force, in all four forms.
bool are_few(const FrameState& frame) noexcept {
    return frame.agents != 0 && frame.agents <= few_agents && frame.rows.size() == 1 &&
           frame.view.oversized.count == 0;
}

// The work of a whole frame, or of its copy, cut into blocks.
class PairWork : public PairSearch {
public:
    // More blocks are made if many pairs are expected; the result does not depend on the blocks.
    PairWork(const FrameState& frame, const WantedPairs& wanted, const Executor& executor) noexcept
        : PairWork(frame, {{frame.rows.data(), frame.rows.size()}, &frame.view, frame.islands.data()}, wanted,
                   executor) {}
    PairWork(const FrameState& frame, const SearchedFrame& searched, const WantedPairs& wanted,
             const Executor& executor) noexcept
        : frame_(frame), searched_(searched), wanted_(wanted), stop_(executor) {
        row_blocks_ = row_groups_for(executor, frame.rows.size(), frame.agents);
        if (row_blocks_ > 1)
            row_blocks_ = std::clamp(frame.pairs_expected / pairs_in_a_block, row_blocks_, frame.rows.size());
        const std::size_t oversized = searched.view->oversized.count;
        oversized_blocks_ =
            oversized == 0 ? 0 : parallel::blocks_for(executor, oversized, oversized_in_a_block);
    }
    std::size_t blocks() const noexcept override { return row_blocks_ + oversized_blocks_; }
    const parallel::Stop& stop() const noexcept override { return stop_; }

    bool prepare(const Executor& executor) const noexcept override { return prepare(executor, blocks()); }

    // Runs one block into a sink. Returns false if there is no memory for its scratch.
    bool run(std::size_t block, PairSpace& space, simd::PairSink& sink) const noexcept override {
        if (frame_.ghosts.empty()) return find(block, space, sink, nullptr);
        OwnedPairs owned(frame_.ghosts, false, sink);
        return find(block, space, sink, &owned);
    }
    std::size_t agents_in_block() const noexcept override { return frame_.agents / row_blocks_ + 1; }

protected:
    // Reserves the spaces that so many blocks take while they run. Returns false if there is no memory.
    bool prepare(const Executor& executor, std::size_t blocks) const noexcept {
        std::size_t largest = 0;
        for (const simd::Row& row : frame_.rows) largest = std::max<std::size_t>(largest, row.count);
        return frame_.store->spaces.pairs.prepare(
            parallel::at_once(executor, blocks, largest, frame_.agents), [&](PairSpace& space) {
                return reserve_amply(space.edge, largest + simd::gap) &&
                       reserve_amply(space.sweep,
                                     frame_.store->spaces.sweep_bytes.load(std::memory_order_relaxed));
            });
    }

    // All pairs that are found go to the sink, or through `owned` unless it is null.
    bool find(std::size_t block, PairSpace& space, simd::PairSink& sink, OwnedPairs* owned) const noexcept {
        if (block >= row_blocks_) {
            const parallel::Range part =
                parallel::range_of(searched_.view->oversized.count, oversized_blocks_, block - row_blocks_);
            run_oversized(static_cast<std::uint32_t>(part.begin), static_cast<std::uint32_t>(part.end),
                          owned == nullptr ? sink : owned->sink());
            if (owned != nullptr) owned->flush();
            return true;
        }
        const RowGroup group = rows_of(block);
        std::size_t largest = 0;
        for (std::size_t r = group.begin; r < group.end; ++r)
            largest = std::max<std::size_t>(largest, searched_.rows[r].count);
        if (!wanted_.filtered && !reserve_amply(space.edge, largest + simd::gap)) return false;
        KernelScratch scratch(space, *frame_.store);
        simd::GhostIds ghosts = frame_.ghosts;
        if (owned != nullptr) {
            // No id is above the ids of ghosts that come last.
            if (ghosts.is_range() && ghosts.bound == frame_.id_bound) ghosts.bound = simd::no_id;
            scratch.ghosts = &ghosts;
            scratch.mixed = &owned->sink();
        }
        for (std::size_t r = group.begin; r < group.end; ++r)
            if (searched_.rows[r].count != 0 && !sink.stopped && !stop_.is_wanted()) {
                run_row(r, scratch, sink);
                if (owned != nullptr) owned->flush();
            }
        return !scratch.out_of_memory;
    }

private:
    const simd::OwnPairKernels& own() const noexcept {
        const simd::PairKernels& kernels = *frame_.kernels->pairs;
        return wanted_.as_circles ? kernels.circles : kernels.boxes;
    }
    void run_row(std::size_t r, KernelScratch& scratch, simd::PairSink& sink) const noexcept {
        const simd::Kernels& kernels = *frame_.kernels;
        simd::PairSink& all = scratch.mixed == nullptr ? sink : *scratch.mixed;
        if (!wanted_.by_filter() && are_few(frame_)) return own().few(searched_.rows[r], all);
        const WorldMap& map = frame_.map;
        const std::uint32_t region = map.region_of_row(r), number = static_cast<std::uint32_t>(r),
                            layer = map.layer_of_row(number), row = number - map.first_row(region, layer);
        const simd::View& home = region == 0 ? *searched_.view : searched_.islands[region - 1].view;
        const simd::View& view = home.storeys == nullptr ? home : home.storeys->views[layer];
        if (wanted_.filtered)
            kernels.pairs->row_pairs_filtered(view, row, wanted_.filter, scratch, all);
        else if (wanted_.by_height)
            kernels.pairs->row_pairs_at_heights(view, row, wanted_.filter, scratch, all);
        else
            own().row(view, row, scratch, sink);
        if (home.storeys != nullptr && layer == 0 && wanted_.by_height)
            kernels.pairs->storey_pairs_filtered(home, row, wanted_.filter, all);
        if (!map.has_islands()) return;
        const std::uint32_t in_region = number - map.first_row(region);
        if (wanted_.by_filter())
            kernels.pairs->region_pairs_filtered(*searched_.view, region, in_region, wanted_.filter, all);
        else
            own().region(*searched_.view, region, in_region, all);
    }
    void run_oversized(std::uint32_t first, std::uint32_t last, simd::PairSink& sink) const noexcept {
        if (wanted_.by_filter())
            frame_.kernels->pairs->oversized_pairs_filtered(*searched_.view, first, last, wanted_.filter,
                                                            sink);
        else
            own().oversized(*searched_.view, first, last, sink);
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
    const SearchedFrame searched_;
    const WantedPairs& wanted_;
    const parallel::Stop stop_;
    std::size_t row_blocks_, oversized_blocks_;
};

// The same for pairs within a distance, which may be 0: the pairs of the grown copy that are that close.
// Ghosts that the copy leaves out look for partners in it, block by block.
class WorkWithin : public PairWork {
public:
    WorkWithin(const FrameState& frame, const GrownFrame& grown, const PairQuery& query,
               const WantedPairs& wanted, const Executor& executor) noexcept
        : PairWork(frame, grown.searched(), wanted, executor),
          frame_(frame),
          grown_(grown),
          query_(query),
          wanted_(wanted),
          ghost_blocks_(grown.leaves_out_ghosts() ? parallel::blocks_for(executor, grown.slots(), 4096) : 0) {
    }

    std::size_t blocks() const noexcept override { return PairWork::blocks() + ghost_blocks_; }
    bool prepare(const Executor& executor) const noexcept override {
        return PairWork::prepare(executor, blocks());
    }
    std::size_t agents_in_block() const noexcept override { return frame_.agents / blocks() + 1; }
    bool run(std::size_t block, PairSpace& space, simd::PairSink& sink) const noexcept override {
        const simd::GhostIds ghosts = grown_.leaves_out_ghosts() ? simd::GhostIds{} : frame_.ghosts;
        MeasuredPairs measured(grown_, query_, wanted_.filtered, ghosts, sink);
        simd::PairSink& candidates = measured.sink();
        if (block >= PairWork::blocks())
            PartnersOfGhosts(frame_, grown_, query_.within, wanted_.by_filter() ? &wanted_.filter : nullptr,
                             candidates)
                .find(parallel::range_of(grown_.slots(), ghost_blocks_, block - PairWork::blocks()), stop());
        else if (!find(block, space, candidates, nullptr))
            return false;
        measured.flush();
        return true;
    }

private:
    const FrameState& frame_;
    const GrownFrame& grown_;
    const PairQuery query_;
    const WantedPairs& wanted_;
    const std::size_t ghost_blocks_;
};

// For few agents the work spaces would cost more than the work.
Status list_few(const FrameState& frame, Buffer<Pair>& list) noexcept {
    std::atomic<bool> out_of_memory{false};
    KeepPairs keep(&list, &out_of_memory);
    simd::PairSink sink{};
    if (!keep.open(sink, 0, few_agents)) return {Code::out_of_memory};
    without_ghosts(frame.ghosts, false, sink,
                   [&](simd::PairSink& all) { frame.kernels->pairs->boxes.few(frame.rows[0], all); });
    return keep.close(sink) ? Status{} : Status{Code::out_of_memory};
}

}  // namespace

Status detail::find_own_pairs(const FrameState& frame, const PairQuery& wanted, const Executor& executor,
                              PairOutput& output) noexcept {
    if (output.list() != nullptr && are_few(frame) && !frame.has_heights() && wanted == PairQuery{})
        return list_few(frame, *output.list());
    WantedPairs some(frame, wanted.filter);
    if (some.none) return {};
    Store& store = *frame.store;
    const bool as_boxes = wanted.agents_as == AgentsAs::boxes,
               as_circles = wanted.agents_as == AgentsAs::circles && !some.by_filter();
    const bool are_piled = !are_few(frame) && are_ghosts_piled(frame, wanted.within);
    if (wanted.within == 0 && !some.finds_too_many && !are_piled && (as_boxes || as_circles)) {
        some.as_circles = as_circles;
        return output.take(store, executor, PairWork(frame, some, executor));
    }
    GrownFrame grown(frame, are_piled ? GrownFrame::Ghosts::are_left_out : GrownFrame::Ghosts::stay);
    if (const Status bad =
            grown.make(wanted.within, some.by_filter() ? frame.extras : simd::Extras::none, executor);
        !bad.ok())
        return bad;
    return output.take(store, executor, WorkWithin(frame, grown, wanted, some, executor));
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
