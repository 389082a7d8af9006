// The pairs of a local frame, in the memory of a list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "cluster/src/world/cluster_state.hpp"
#include "throng/memory.hpp"
#include "throng/results.hpp"

namespace throng::cluster::detail {

// `fill(room)` finds the pairs, as the calls of a frame do that write into a span.
template <class Fill>
void find_pairs(ClusterState& state, throng::detail::Buffer<Pair>& pairs, const Fill& fill) noexcept {
    const auto room = [&] { return std::span<Pair>(pairs.data(), pairs.capacity()); };
    pairs.clear();
    if (!state.trouble.ok()) return;
    Filled filled = fill(room());
    if (filled.status.ok() && filled.truncated()) {
        // And some more, since their number varies.
        const std::size_t count = static_cast<std::size_t>(filled.total);
        if (!state.need(pairs.reserve(count + count / 8 + 64))) return;
        filled = fill(room());
    }
    state.fail(filled.status);
    if (state.trouble.ok()) (void)pairs.resize(static_cast<std::size_t>(filled.written));  // there is room
}

// Leaves out the pairs with a place from `first` on for which `stays(pair)` does not hold. Most pairs have no
// such place, which a compiler sees for many at once.
template <class Stays>
void leave_out_from(std::uint32_t first, throng::detail::Buffer<Pair>& pairs, const Stays& stays) noexcept {
    constexpr std::size_t block = 128;
    Pair* to = pairs.data();
    for (std::size_t begin = 0; begin < pairs.size(); begin += block) {
        const Pair* const from = pairs.data() + begin;
        const std::size_t count = std::min(block, pairs.size() - begin);
        std::uint32_t any = 0;
        for (std::size_t k = 0; k < count; ++k)
            any |= static_cast<std::uint32_t>(from[k].a >= first) |
                   static_cast<std::uint32_t>(from[k].b >= first);
        if (any == 0) {
            if (to != from) std::memmove(to, from, count * sizeof(Pair));
            to += count;
            continue;
        }
        for (std::size_t k = 0; k < count; ++k) {
            const Pair pair = from[k];
            *to = pair;
            to += (pair.a < first && pair.b < first) || stays(pair) ? 1 : 0;
        }
    }
    (void)pairs.resize(static_cast<std::size_t>(to - pairs.data()));
}

}  // namespace throng::cluster::detail
