// A sink that keeps all ids or pairs in one growing buffer. The blocks of one search share a flag: once one
// of them runs out of memory, all stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "simd/types.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// A kernel may write up to `slack_` items past the limit.
template <class Item, class Sink, std::size_t slack_>
struct KeepAll {
    static constexpr std::size_t slack = slack_;

    Buffer<Item>* items = nullptr;
    std::atomic<bool>* out_of_memory = nullptr;

    // Keeps the first `begin` and appends to them; there is room for `more`. The sink points to this object,
    // which must not move.
    bool open(Sink& sink, std::size_t begin, std::size_t more = 0) noexcept {
        (void)items->resize(begin);
        if (!items->reserve(begin + more + 2 * slack)) return false;
        sink = {};
        sink.full = full;
        sink.context = this;
        lead_on(sink, begin, begin);
        return true;
    }
    // Adopts what was written. Returns false if there was not enough memory for it.
    bool close(const Sink& sink) noexcept { return !sink.stopped && items->resize(number(sink.at)); }

private:
    using Written = std::remove_pointer_t<decltype(Sink::at)>;
    static constexpr bool knows_begin = requires(Sink sink) { sink.begin; };

    Written* all() noexcept { return reinterpret_cast<Written*>(items->data()); }
    std::size_t number(const Written* at) noexcept { return static_cast<std::size_t>(at - all()); }
    void lead_on(Sink& sink, std::size_t begin, std::size_t have) noexcept {
        if constexpr (knows_begin) sink.begin = all() + begin;
        sink.at = all() + have;
        sink.limit = all() + items->capacity() - slack;
    }
    static void full(Sink& sink) {
        KeepAll& keep = *static_cast<KeepAll*>(sink.context);
        std::size_t begin = 0;
        if constexpr (knows_begin) begin = keep.number(sink.begin);
        const std::size_t have = keep.number(sink.at);
        (void)keep.items->resize(have);
        if (!keep.out_of_memory->load(std::memory_order_relaxed) &&
            keep.items->reserve(have + have / 2 + 2 * slack))
            return keep.lead_on(sink, begin, have);
        // Until the kernel sees the stop flag, what it still finds overwrites what it found.
        keep.out_of_memory->store(true, std::memory_order_relaxed);
        sink.stopped = true;
        sink.at = keep.all() + begin;
    }
};

using KeepIds = KeepAll<AgentId, simd::IdSink, simd::gap + simd::stream_header>;
using KeepPairs = KeepAll<Pair, simd::PairSink, simd::pair_slack>;

}  // namespace throng::detail
