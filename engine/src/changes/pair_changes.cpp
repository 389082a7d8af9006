// The pairs of a frame are sorted, part by part, and each part is compared with the same part of the frame before
// while it is in the cache. Both are in ascending order, so that is a merge.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "engine/src/changes/pair_sorter.hpp"
#include "engine/src/memory/scratch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// How many pairs of a part began, and how many ended.
struct Changed {
    std::size_t began, ended;
};

// Writes those of `now` that `before` lacks, and the other way round.
Changed compare(std::span<const Pair> before, std::span<const Pair> now, Pair* began, Pair* ended) noexcept {
    const Pair *was = before.data(), *const was_end = was + before.size();
    const Pair *is = now.data(), *const is_end = is + now.size();
    Pair *const began_begin = began, *const ended_begin = ended;
    while (was != was_end && is != is_end) {
        if (std::bit_cast<std::uint64_t>(*was) == std::bit_cast<std::uint64_t>(*is)) {  // nearly always
            ++was, ++is;
            continue;
        }
        // Which of the two is lower cannot be predicted: both are written, and one is kept.
        const bool is_over = rank_of(*was) < rank_of(*is);
        *ended = *was;
        *began = *is;
        ended += is_over;
        was += is_over;
        began += !is_over;
        is += !is_over;
    }
    ended = std::copy(was, was_end, ended);
    began = std::copy(is, is_end, began);
    return {static_cast<std::size_t>(began - began_begin), static_cast<std::size_t>(ended - ended_begin)};
}

// Moves the pieces of a list together: piece p has `size(p)` pairs and lies at `begin(p)`, not before where it goes.
template <class Begin, class Size>
std::size_t join(Pair* list, std::size_t pieces, Begin&& begin, Size&& size) noexcept {
    std::size_t end = 0;
    for (std::size_t p = 0; p < pieces; ++p) {
        if (begin(p) != end) std::copy_n(list + begin(p), size(p), list + end);
        end += size(p);
    }
    return end;
}

// Compares the pairs of a frame with those of the frame before, part by part.
class Comparison {
public:
    // The pairs of the frame lie at `found`, and `other` has room for as many; `ended` has room for all of the frame before.
    Comparison(PairSorter& sorter, std::span<const Pair> before, ChangedPart* parts, Pair* found, Pair* other,
               Pair* ended) noexcept
        : sorter_(sorter),
          before_(before),
          parts_(parts),
          found_(found),
          other_(other),
          now_(sorter.ends_in_other() ? other : found),
          began_(sorter.ends_in_other() ? found : other),
          ended_(ended) {}

    // Sorts the pairs of the frame. In the memory that they do not end in are those that began. Returns false if the
    // executor failed.
    bool run() noexcept {
        return sorter_.sort(found_, other_, [&](std::size_t part) { compare_part(part); });
    }
    // Both return how many there were.
    std::size_t join_began() noexcept {
        return join(
            began_, sorter_.parts(), [&](std::size_t p) { return sorter_.range_of(p).begin; },
            [&](std::size_t p) { return parts_[p].began; });
    }
    std::size_t join_ended() noexcept {
        return join(
            ended_, sorter_.parts(), [&](std::size_t p) { return parts_[p].before; },
            [&](std::size_t p) { return parts_[p].ended; });
    }

private:
    void compare_part(std::size_t part) noexcept {
        const parallel::Range range = sorter_.range_of(part);
        const std::size_t begin = begin_before(part), end = begin_before(part + 1);
        const Changed changed =
            compare(before_.subspan(begin, end - begin), {now_ + range.begin, range.size()},
                    began_ + range.begin, ended_ + begin);
        parts_[part] = {begin, changed.began, changed.ended};
    }
    // Where a part begins among the pairs of the frame before, which may have had other ids.
    std::size_t begin_before(std::size_t part) const noexcept {
        if (part == sorter_.parts()) return before_.size();
        const auto at = std::lower_bound(before_.begin(), before_.end(), sorter_.first_id(part),
                                         [](const Pair& pair, AgentId id) noexcept { return pair.a < id; });
        return static_cast<std::size_t>(at - before_.begin());
    }

    PairSorter& sorter_;
    std::span<const Pair> before_;
    ChangedPart* parts_;
    Pair *found_, *other_, *now_, *began_, *ended_;
};

}  // namespace

Status Frame::pair_changes(PairChanges& changes, const PairFilter& filter) const noexcept {
    changes.began_.clear();
    changes.ended_.clear();
    PairList& found = changes.found_;
    if (const Status status = pairs(found, filter); !status.ok()) return status;

    const std::span<const Pair> before = changes.pairs();
    PairSorter sorter(executor_, found.pairs(), id_bound(), true);
    if (!reserve_amply(changes.began_, found.size()) || !reserve_amply(changes.ended_, before.size()) ||
        !resize_amply(changes.parts_, sorter.parts()))
        return {Code::out_of_memory};
    if (const Status status = sorter.find_parts(found.counts_); !status.ok()) return status;
    Comparison comparison(sorter, before, changes.parts_.data(), found.pairs_.data(), changes.began_.data(),
                          changes.ended_.data());
    if (!comparison.run()) return {Code::bad_executor};
    // There is room for all.
    if (sorter.ends_in_other()) {
        (void)changes.began_.resize(found.size());
        changes.began_.swap(found.pairs_);
    }
    (void)changes.began_.resize(comparison.join_began());
    (void)changes.ended_.resize(comparison.join_ended());
    std::swap(changes.pairs_, changes.found_);
    return {};
}

Status PairList::sort(const Executor& executor) noexcept {
    PairSorter sorter(executor, pairs(), id_bound_, of_one_frame_);
    if (!reserve_amply(other_, pairs_.size())) return {Code::out_of_memory};
    if (const Status status = sorter.find_parts(counts_); !status.ok()) return status;
    if (sorter.sort(pairs_.data(), other_.data(), [](std::size_t) {})) {
        if (!sorter.ends_in_other()) return {};
        (void)other_.resize(pairs_.size());
        pairs_.swap(other_);
        return {};
    }
    clear();
    return {Code::bad_executor};
}

}  // namespace throng
