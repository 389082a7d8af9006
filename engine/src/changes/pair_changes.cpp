// Most pairs of a frame are those of the frame before, and are left out first (common_pairs.hpp). What is left of both frames is
// sorted and compared; both are in ascending order then, so that is a merge.

#include <algorithm>
#include <utility>

#include "engine/src/changes/common_pairs.hpp"
#include "engine/src/changes/pair_runs.hpp"
#include "engine/src/changes/pair_sorter.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/scratch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Takes out of two sorted lists what both have.
void leave_out_common(Buffer<Pair>& before, Buffer<Pair>& now) noexcept {
    const Pair *was = before.begin(), *is = now.begin();
    Pair *ended = before.begin(), *began = now.begin();
    while (was != before.end() && is != now.end()) {
        // Which of the two is lower cannot be predicted: both are written, and one is kept, or none. Each is asked for once, or
        // GCC makes branches of them.
        const std::size_t ends = rank_of(*was) < rank_of(*is), begins = rank_of(*is) < rank_of(*was);
        *ended = *was;
        *began = *is;
        ended += ends;
        began += begins;
        was += 1 - begins;
        is += 1 - ends;
    }
    ended = was == ended ? before.end() : std::copy(was, std::as_const(before).end(), ended);
    began = is == began ? now.end() : std::copy(is, std::as_const(now).end(), began);
    (void)before.resize(static_cast<std::size_t>(ended - before.begin()));
    (void)now.resize(static_cast<std::size_t>(began - now.begin()));
}

// Moves the pieces of a list together: of each block's part, as many pairs as are left.
void join(Buffer<Pair>& list, const Buffer<LeftPairs>& left, std::size_t LeftPairs::*count) noexcept {
    Pair* end = list.begin();
    for (std::size_t b = 0; b < left.size(); ++b) {
        const Pair* const piece = list.begin() + parallel::range_of(list.size(), left.size(), b).begin;
        end = piece == end ? end + left[b].*count : std::copy_n(piece, left[b].*count, end);
    }
    (void)list.resize(static_cast<std::size_t>(end - list.begin()));
}

}  // namespace

Status Frame::pair_changes(PairChanges& changes, const PairFilter& filter) const noexcept {
    PairList &found = changes.found_, &before = changes.pairs_, &began = changes.began_,
             &ended = changes.ended_;
    const auto refuse = [&](Status why) {
        began.clear();
        ended.clear();
        changes.runs_.clear();
        return why;
    };
    if (const Status status = pairs(found, filter); !status.ok()) return refuse(status);
    // There is room for as many blocks as for pairs.
    const std::size_t blocks = found.size() / CommonPairs::pairs_at_once + 1,
                      most = found.pairs_.capacity() / CommonPairs::pairs_at_once + 1;
    if (!reserve_amply(began.pairs_, found.size()) || !reserve_amply(ended.pairs_, before.size()) ||
        !resize_amply(changes.met_, before.size()) || !changes.table_.reserve(most * CommonPairs::places) ||
        !changes.left_.reserve(most))
        return refuse({Code::out_of_memory});
    (void)changes.table_.resize(blocks * CommonPairs::places);
    (void)changes.left_.resize(blocks);
    (void)began.pairs_.resize(found.size());
    (void)ended.pairs_.resize(before.size());
    began.id_bound_ = found.id_bound_;
    ended.id_bound_ = before.id_bound_;
    began.of_one_frame_ = ended.of_one_frame_ = false;  // their lower ids are first
    const bool has_oversized = state_ != nullptr && state_->view.oversized.count != 0;
    find_runs(found.pairs().first(has_oversized ? found.size() : 0), changes.found_runs_);
    const std::span<const Pair> pairs_before =
        in_order_of(changes.found_runs_, before.pairs(), changes.runs_, changes.ordered_);
    const bool ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
        const parallel::Range was = parallel::range_of(before.size(), blocks, b),
                              is = parallel::range_of(found.size(), blocks, b);
        CommonPairs common(pairs_before.subspan(was.begin, was.size()),
                           {found.pairs_.data() + is.begin, is.size()},
                           changes.table_.data() + b * CommonPairs::places, changes.met_.data() + was.begin);
        changes.left_[b] = common.leave_out(ended.pairs_.data() + was.begin, began.pairs_.data() + is.begin);
    });
    if (!ran) return refuse({Code::bad_executor});
    join(began.pairs_, changes.left_, &LeftPairs::began);
    join(ended.pairs_, changes.left_, &LeftPairs::ended);
    if (const Status status = began.sort_with(ended, executor_); !status.ok()) return refuse(status);
    leave_out_common(ended.pairs_, began.pairs_);
    std::swap(before, found);
    changes.runs_.swap(changes.found_runs_);
    return {};
}

Status PairList::sort_with(PairList& other, const Executor& executor) noexcept {
    // So few are sorted on one thread a list: more steps would take longer. Their memory is asked for here.
    constexpr std::size_t few = 65536;
    if (size() > few || other.size() > few) {
        const Status status = sort(executor);
        return status.ok() ? other.sort(executor) : status;
    }
    const Executor alone;
    for (PairList* list : {this, &other}) {
        PairSorter sorter(alone, {list->pairs_.data(), list->size()}, list->id_bound_, list->of_one_frame_);
        if (!reserve_amply(list->other_, list->size()) || !sorter.reserve(list->counts_))
            return {Code::out_of_memory};
    }
    const bool ran =
        parallel::for_blocks(executor, 2, [&](std::size_t b) { (void)(b == 0 ? *this : other).sort(); });
    return {ran ? Code::ok : Code::bad_executor};
}

Status PairList::sort(const Executor& executor) noexcept {
    PairSorter sorter(executor, {pairs_.data(), pairs_.size()}, id_bound_, of_one_frame_);
    if (!reserve_amply(other_, pairs_.size()) || !sorter.reserve(counts_)) return {Code::out_of_memory};
    if (!sorter.sort(other_.data())) {
        clear();
        return {Code::bad_executor};
    }
    (void)other_.resize(pairs_.size());
    if (sorter.ends_in_other()) pairs_.swap(other_);
    return {};
}

}  // namespace throng
