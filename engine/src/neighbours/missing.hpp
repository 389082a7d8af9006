// Neighbours that lists lack, and that are put behind these lists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#include "engine/src/memory/growth.hpp"
#include "simd/types.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::detail {

class MissingNeighbours {
public:
    // Gathers at most `most` pairs, in `entries`, which has room for twice as many. For each, b belongs into
    // the list of a.
    MissingNeighbours(const NeighbourLists& lists, const simd::GhostIds& ghosts, bool half, std::size_t most,
                      Buffer<Pair>& entries) noexcept
        : lists_(lists), ghosts_(ghosts), half_(half), most_(most), entries_(entries) {
        entries_.clear();
    }

    // For two agents that are neighbours. Returns false if they are one pair too many; from any thread.
    bool note(AgentId a, AgentId b) noexcept {
        if (half_ && b < a) std::swap(a, b);
        if (ghosts_.has(a)) std::swap(a, b);
        if (ghosts_.has(a)) return true;  // neither has a list
        const auto list = lists_[a];
        if (std::find(list.begin(), list.end(), b) != list.end()) return true;
        const std::lock_guard lock(mutex_);
        if (++pairs_ > most_) return false;
        (void)entries_.push_back({a, b});
        if (!half_ && !ghosts_.has(b)) (void)entries_.push_back({b, a});
        return true;
    }
    std::size_t pairs() const noexcept { return pairs_; }
    // Writes them into the lists with these offsets and ids. Returns false if there is no memory for all.
    bool add(Buffer<std::uint64_t>& offsets, Buffer<AgentId>& ids) noexcept {
        if (pairs_ == 0) return true;
        // If two both look around themselves, each finds the other.
        const auto rank = [](const Pair& entry) { return std::uint64_t{entry.a} << 32 | entry.b; };
        Pair* const first = entries_.begin();
        std::sort(first, entries_.end(), [&](const Pair& a, const Pair& b) { return rank(a) < rank(b); });
        const auto last = std::unique(first, entries_.end(),
                                      [&](const Pair& a, const Pair& b) { return rank(a) == rank(b); });
        const auto count = static_cast<std::size_t>(last - first);
        const std::size_t had = ids.size(), lists = offsets.size() - 1;
        if (!resize_amply(ids, had + count)) return false;
        for (std::size_t k = count, end = had; k-- > 0;) {
            const auto begin = static_cast<std::size_t>(offsets[first[k].a + std::size_t{1}]);
            std::memmove(ids.data() + begin + k + 1, ids.data() + begin, (end - begin) * sizeof(AgentId));
            ids[begin + k] = first[k].b;
            end = begin;
        }
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t up_to = k + 1 < count ? first[k + 1].a : lists;
            for (std::size_t list = first[k].a; list < up_to; ++list) offsets[list + 1] += k + 1;
        }
        return true;
    }

private:
    const NeighbourLists& lists_;
    const simd::GhostIds& ghosts_;
    const bool half_;
    const std::size_t most_;
    Buffer<Pair>& entries_;
    std::mutex mutex_;
    std::size_t pairs_ = 0;
};

}  // namespace throng::detail
