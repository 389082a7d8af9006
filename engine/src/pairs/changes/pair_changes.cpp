// Most pairs of a frame are those of the frame before, and are taken out first (common_pairs.hpp). The rest
// of both frames is sorted and merged.

#include <algorithm>
#include <utility>

#include "base/blocks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/pairs/changes/common_pairs.hpp"
#include "engine/src/pairs/changes/pair_sorter.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Takes common pairs out of pieces of two sorted lists, step by step.
class Merge {
public:
    Merge(Pair* before, Pair* now, const LeftPairs& pieces) noexcept
        : ended_(before + pieces.ended.begin),
          began_(now + pieces.began.begin),
          was_(ended_),
          is_(began_),
          end_before_(before + pieces.ended.end()),
          end_(now + pieces.began.end()) {}

    bool goes_on() const noexcept { return was_ != end_before_ && is_ != end_; }
    // Which of the two is lower cannot be predicted: both are written, and one is kept, or none. Each is
    // asked for once, or GCC makes branches of it.
    void step() noexcept {
        const std::size_t ends = rank_of(*was_) < rank_of(*is_), begins = rank_of(*is_) < rank_of(*was_);
        *ended_ = *was_;
        *began_ = *is_;
        ended_ += ends;
        began_ += begins;
        was_ += 1 - begins;
        is_ += 1 - ends;
    }
    void finish(const Pair* before, const Pair* now, LeftPairs& pieces) noexcept {
        while (goes_on()) step();
        const auto behind = [](const Pair* from, const Pair* to, Pair* left) {
            return from == left ? left + (to - from) : std::copy(from, to, left);
        };
        pieces.ended.count =
            static_cast<std::size_t>(behind(was_, end_before_, ended_) - before) - pieces.ended.begin;
        pieces.began.count = static_cast<std::size_t>(behind(is_, end_, began_) - now) - pieces.began.begin;
    }

private:
    Pair *ended_, *began_;
    const Pair *was_, *is_, *end_before_, *end_;
};

// Moves together the pieces of a list that blocks have left.
void join(Buffer<Pair>& list, const Buffer<LeftPairs>& left, LeftPairs::Piece LeftPairs::*piece) noexcept {
    Pair* end = list.begin();
    for (const LeftPairs& block : left) {
        const Pair* const begin = list.begin() + (block.*piece).begin;
        end = begin == end ? end + (block.*piece).count : std::copy_n(begin, (block.*piece).count, end);
    }
    (void)list.resize(static_cast<std::size_t>(end - list.begin()));
}

}  // namespace

Status PairChanges::update(const Frame& frame, const PairQuery& wanted) noexcept {
    const bool may_have_runs = frame.state_ != nullptr && wanted.with == nullptr;
    Status status = frame.pairs(found_, wanted);
    if (status.ok())
        status = compare(may_have_runs ? frame.state_->view.oversized.count : 0, frame.executor_);
    if (status.ok()) return {};
    began_.clear();
    ended_.clear();
    runs_.clear();
    return status;
}

Status PairChanges::compare(std::size_t oversized, const Executor& executor) noexcept {
    const std::size_t most_run_blocks =
        parallel::blocks_for(executor, found_.size(), CommonPairs::pairs_at_once);
    if (!make_room(executor)) return {Code::out_of_memory};
    find_runs(found_.pairs(), oversized, found_runs_);
    // If one of both has no runs, all are compared side by side.
    const bool by_runs = runs_.size() != 0 && found_runs_.size() != 0;
    const ComparedPairs was{pairs_.pairs_.data(), ended_.pairs_.data(), {runs_.begin(), runs_.end()}},
        is{found_.pairs_.data(), began_.pairs_.data(), {found_runs_.begin(), found_runs_.end()}};
    const std::size_t first_before = by_runs ? runs_[0].spot : pairs_.size(),
                      first = by_runs ? found_runs_[0].spot : found_.size(),
                      blocks = first / CommonPairs::pairs_at_once + 1,
                      run_blocks = by_runs ? most_run_blocks : 0;
    (void)left_.resize(blocks + run_blocks);
    (void)table_.resize(left_.size() * CommonPairs::slots);
    // A single thread takes the same scratch for each block, and leaves pairs one behind the other, so that
    // nothing is moved.
    const bool alone = executor.parallel_for == nullptr;
    const parallel::Ran ran = parallel::for_blocks(executor, left_.size(), [&](std::size_t b) {
        std::uint16_t* const table = table_.data() + (alone ? 0 : b) * CommonPairs::slots;
        if (b >= blocks) {
            left_[b] = compare_runs(was, is, b - blocks, run_blocks, table, met_.data());
            return;
        }
        const parallel::Range before = parallel::range_of(first_before, blocks, b),
                              now = parallel::range_of(first, blocks, b);
        left_[b] = alone && b != 0 ? LeftPairs{{left_[b - 1].ended.end(), 0}, {left_[b - 1].began.end(), 0}}
                                   : LeftPairs{{before.begin, 0}, {now.begin, 0}};
        CommonPairs common({was.pairs + before.begin, before.size()}, {is.pairs + now.begin, now.size()},
                           found_.of_one_frame_, table, met_.data() + left_[b].ended.begin);
        common.leave_out(was.left, is.left, left_[b]);
    });
    if (!ran) return outcome(ran);
    join_left();
    if (const Status status = began_.sort_with(ended_, executor); !status.ok()) return status;
    if (const Status bad = leave_out_common(executor); !bad.ok()) return bad;
    std::swap(pairs_, found_);
    runs_.swap(found_runs_);
    return {};
}

// Both lists are cut at the same pairs. A step of a merge waits for the one before, so two pieces take turns.
Status PairChanges::leave_out_common(const Executor& executor) noexcept {
    const std::size_t blocks = parallel::blocks_for(executor, began_.size(), CommonPairs::pairs_at_once, 1);
    (void)left_.resize(2 * blocks);
    const auto by_rank = [](const Pair& a, const Pair& b) { return rank_of(a) < rank_of(b); };
    std::size_t ended = 0;
    for (std::size_t b = 0; b < left_.size(); ++b) {
        const parallel::Range began = parallel::range_of(began_.size(), left_.size(), b);
        const Pair* const to =
            began.end == began_.size()
                ? ended_.end()
                : std::lower_bound(ended_.begin(), ended_.end(), began_.pairs_[began.end], by_rank);
        const std::size_t first = std::exchange(ended, static_cast<std::size_t>(to - ended_.begin()));
        left_[b] = {{first, ended - first}, {began.begin, began.size()}};
    }
    const parallel::Ran ran = parallel::for_blocks(executor, blocks, [&](std::size_t b) {
        Pair *const before = ended_.pairs_.data(), *const now = began_.pairs_.data();
        Merge one(before, now, left_[2 * b]), other(before, now, left_[2 * b + 1]);
        while (one.goes_on() && other.goes_on()) {
            one.step();
            other.step();
        }
        one.finish(before, now, left_[2 * b]);
        other.finish(before, now, left_[2 * b + 1]);
    });
    join_left();
    return outcome(ran);
}

void PairChanges::join_left() noexcept {
    join(began_.pairs_, left_, &LeftPairs::began);
    join(ended_.pairs_, left_, &LeftPairs::ended);
}

// For as many pairs as there is room for: between two frames all may change, and a settled simulation asks
// for no memory.
bool PairChanges::make_room(const Executor& executor) noexcept {
    const std::size_t now = found_.pairs_.capacity(), before = pairs_.pairs_.capacity(),
                      blocks = now / CommonPairs::pairs_at_once + 1 +
                               parallel::blocks_for(executor, now, CommonPairs::pairs_at_once);
    if (!began_.pairs_.reserve(now) || !ended_.pairs_.reserve(before) || !met_.reserve(before) ||
        !table_.reserve(blocks * CommonPairs::slots) || !left_.reserve(blocks))
        return false;
    (void)began_.pairs_.resize(found_.size());
    (void)ended_.pairs_.resize(pairs_.size());
    began_.id_bound_ = found_.id_bound_;
    ended_.id_bound_ = pairs_.id_bound_;
    began_.of_one_frame_ = ended_.of_one_frame_ = false;  // their lower ids are first
    return true;
}

Status PairList::sort_with(PairList& other, const Executor& executor) noexcept {
    // So few are sorted on one thread for each list: more steps would take longer. Their memory is asked for
    // here.
    constexpr std::size_t few = 65535;
    if (size() > few || other.size() > few) {
        const Status status = sort(executor);
        return status.ok() ? other.sort(executor) : status;
    }
    const Executor alone;
    for (PairList* list : {this, &other}) {
        const std::size_t most = std::min(list->pairs_.capacity(), few);
        PairSorter sorter(alone, {list->pairs_.data(), most}, list->id_bound_, list->of_one_frame_);
        if (!list->other_.reserve(most) || !sorter.reserve(list->counts_)) return {Code::out_of_memory};
    }
    const parallel::Ran ran =
        parallel::for_blocks(executor, 2, [&](std::size_t b) { (void)(b == 0 ? *this : other).sort(); });
    return outcome(ran);
}

Status PairList::sort(const Executor& executor) noexcept {
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    PairSorter sorter(executor, {pairs_.data(), pairs_.size()}, id_bound_, of_one_frame_);
    if (!reserve_amply(other_, pairs_.size()) || !sorter.reserve(counts_)) return {Code::out_of_memory};
    if (const Status bad = outcome(sorter.sort(other_.data())); !bad.ok()) {
        clear();
        return bad;
    }
    (void)other_.resize(pairs_.size());
    if (sorter.ends_in_other()) pairs_.swap(other_);
    return {};
}

}  // namespace throng
