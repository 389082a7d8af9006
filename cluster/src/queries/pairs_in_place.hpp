// Turns the pairs of a local frame into those of the cluster, in the memory of their list. A pair of the
// frame is a third as large, so the frame writes into the last third. From there pairs are read in order and
// written from the front on. What is written never reaches what is not read yet.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "cluster/src/world/cluster_state.hpp"
#include "throng/cluster/results.hpp"
#include "throng/memory.hpp"
#include "throng/results.hpp"

namespace throng::cluster::detail {

class PairsInPlace {
public:
    explicit PairsInPlace(throng::detail::Buffer<ClusterPair>& list) noexcept : list_(list) { list.clear(); }

    // `fill(room)` finds the pairs, as the calls of a frame do that write into a span.
    template <class Fill>
    void find(ClusterState& state, const Fill& fill) noexcept {
        if (!state.trouble.ok()) return;
        Filled filled = fill(room());
        if (filled.status.ok() && filled.truncated()) {
            // And some more, since their number varies.
            const std::size_t count = static_cast<std::size_t>(filled.total);
            if (!state.need(list_.reserve(count + count / 8 + 64))) return;
            filled = fill(room());
        }
        state.fail(filled.status);
        if (state.trouble.ok()) found_ = static_cast<std::size_t>(filled.written);
    }
    // `make(pair, made)` writes what the pair becomes, and says whether it is listed here.
    template <class Make>
    void list(const Make& make) noexcept {
        const Pair* from = room().data();
        const Pair* const end = from + found_;
        ClusterPair* to = list_.data();
        for (; from != end; ++from) {
            Pair pair;
            std::memcpy(&pair, from, sizeof pair);
            to += make(pair, *to) ? 1 : 0;
        }
        (void)list_.resize(static_cast<std::size_t>(to - list_.data()));  // there is room
    }

private:
    static_assert(sizeof(ClusterPair) == 3 * sizeof(Pair) && alignof(ClusterPair) >= alignof(Pair));
    std::span<Pair> room() noexcept {
        const std::size_t count = list_.capacity();
        return {reinterpret_cast<Pair*>(list_.data()) + 2 * count, count};
    }

    throng::detail::Buffer<ClusterPair>& list_;
    std::size_t found_ = 0;
};

}  // namespace throng::cluster::detail
