// Pairs: groups of rows in parallel, each with its own work space, joined in the order of the rows; then the
// oversized agents, in groups of their own.

#include <algorithm>

#include "engine/src/pair_output.hpp"
#include "engine/src/row_groups.hpp"
#include "engine/src/row_labels.hpp"
#include "engine/src/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr std::size_t oversized_in_a_block = 64;

// Which pairs are wanted of a frame. Where nobody has a label but the default one, it is all of them or none.
struct Wanted {
    Wanted(const FrameState& frame, const PairFilter* wanted) noexcept {
        if (wanted == nullptr) return;
        filter = {wanted->a, wanted->b, wanted->other_groups_only};
        filtered = frame.labelled;
        none = !frame.labelled && !wanted->admits(Label{}, Label{});
    }
    bool filtered = false, none = false;
    simd::PairLabelFilter filter{};
};

// The work of a whole frame, cut into blocks.
class PairWork {
public:
    PairWork(const FrameState& frame, const Wanted& wanted, const Executor& executor) noexcept
        : frame_(frame), wanted_(wanted) {
        row_blocks_ = row_groups_for(executor, frame.rows.size(), frame.agents);
        const std::size_t oversized = frame.view.oversized.count;
        oversized_blocks_ =
            oversized == 0 ? 0 : parallel::blocks_for(executor, oversized, oversized_in_a_block);
    }
    std::size_t blocks() const noexcept { return row_blocks_ + oversized_blocks_; }

    // Makes sure of the spaces that the blocks take while they run. False if there is no memory.
    bool prepare(const Executor& executor) const noexcept {
        std::size_t largest = 0;
        for (const simd::Row& row : frame_.rows) largest = std::max<std::size_t>(largest, row.count);
        return frame_.store->pair_spaces.prepare(
            parallel::at_once(executor, blocks()),
            [&](PairSpace& space) { return reserve_amply(space.edge, largest + simd::gap); });
    }

    // Runs one block into a sink. False if there is no memory for its scratch.
    bool run(std::size_t block, Buffer<std::uint32_t>& edge, simd::PairSink& sink) const noexcept {
        if (block >= row_blocks_) {
            const parallel::Part part =
                parallel::part_of(frame_.view.oversized.count, oversized_blocks_, block - row_blocks_);
            run_oversized(static_cast<std::uint32_t>(part.begin), static_cast<std::uint32_t>(part.end), sink);
            return true;
        }
        const RowGroup group = rows_of(block);
        if (wanted_.filtered) return run_filtered(group, sink);
        std::size_t largest = 0;
        for (std::size_t r = group.begin; r < group.end; ++r)
            largest = std::max<std::size_t>(largest, frame_.rows[r].count);
        if (!reserve_amply(edge, largest + simd::gap)) return false;
        for (std::size_t r = group.begin; r < group.end; ++r)
            frame_.kernels->row_pairs(frame_.view, static_cast<std::uint32_t>(r), edge.data(), sink);
        return true;
    }
    // A guess at how many pairs a block has room for at first.
    std::size_t agents_in_block() const noexcept { return frame_.agents / row_blocks_ + 1; }

private:
    void run_oversized(std::uint32_t first, std::uint32_t last, simd::PairSink& sink) const noexcept {
        if (wanted_.filtered)
            frame_.kernels->oversized_pairs_filtered(frame_.view, first, last, wanted_.filter, sink);
        else
            frame_.kernels->oversized_pairs(frame_.view, first, last, sink);
    }
    bool run_filtered(const RowGroup& group, simd::PairSink& sink) const noexcept {
        for (std::size_t r = group.begin; r < group.end; ++r)
            frame_.kernels->row_pairs_filtered(frame_.view, static_cast<std::uint32_t>(r), wanted_.filter,
                                               sink);
        return true;
    }
    RowGroup rows_of(std::size_t block) const noexcept {
        // Rows are about equally dear where they hold about equally many agents; the last one of a run of
        // rows is found by walking, which is cheap beside what the rows cost.
        const std::size_t rows = frame_.rows.size();
        if (row_blocks_ == 1) return {0, rows};
        const auto edge = [&](std::size_t index) {
            const std::size_t wanted = frame_.agents / row_blocks_ * index;
            std::size_t sum = 0, r = 0;
            while (r < rows && sum < wanted) sum += frame_.rows[r++].count;
            return index == row_blocks_ ? rows : r;
        };
        return {edge(block), edge(block + 1)};
    }

    const FrameState& frame_;
    const Wanted& wanted_;
    std::size_t row_blocks_, oversized_blocks_;
};

}  // namespace

Status Frame::list_pairs(const PairFilter* filter, PairList& list) const noexcept {
    list.clear();
    if (state_ == nullptr) return {};
    const Wanted wanted(*state_, filter);
    if (wanted.none) return {};
    const PairWork work(*state_, wanted, executor_);
    const Status status = detail::list_pairs(*state_->store, executor_, work, list.pairs_);
    if (!status.ok()) list.clear();
    return status;
}

Found Frame::fill_pairs(const PairFilter* filter, std::span<Pair> out) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view}};
    if (state_ == nullptr) return {};
    const Wanted wanted(*state_, filter);
    if (wanted.none) return {};
    return detail::fill_pairs(*state_->store, executor_, PairWork(*state_, wanted, executor_), out);
}

Found Frame::count_pairs_of(const PairFilter* filter) const noexcept {
    if (state_ == nullptr) return {};
    const Wanted wanted(*state_, filter);
    if (wanted.none) return {};
    return detail::count_pairs(*state_->store, executor_, PairWork(*state_, wanted, executor_));
}

Status Frame::visit_pairs(const PairFilter* filter, PairVisitor visitor) const noexcept {
    if (state_ == nullptr) return {};
    const Wanted wanted(*state_, filter);
    if (wanted.none) return {};
    return detail::visit_pairs(*state_->store, executor_, PairWork(*state_, wanted, executor_), visitor);
}

}  // namespace throng
