// Sinks take the answers of a search. A kernel writes to a buffer, and calls `full` when that has no more
// room. A sink carries ids, pairs or hits, perhaps with a box or a distance beside each. There are three:
//
//     HandOn        a buffer on the stack, whose content is handed on whenever it is full
//     FillMemory    the host's memory; what has no spot there is counted
//     KeepAll       a buffer that grows, if there is memory, and room within a bound
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "base/kernels.hpp"
#include "engine/src/memory/growth.hpp"
#include "simd/cast_kernels.hpp"
#include "simd/neighbour_kernels.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/queries/casts.hpp"
#include "throng/results.hpp"

namespace throng::detail {

// What a sink carries. Kernels write no more than `slack` items past its limit.
struct NothingBeside {};
template <class Sink>
struct Carried;
template <>
struct Carried<simd::IdSink> {
    using Item = AgentId;
    using Beside = Box;
    static constexpr std::size_t slack = simd::gap + simd::stream_header;
    static constexpr auto beside = &simd::IdSink::boxes;
};
template <>
struct Carried<simd::PairSink> {
    using Item = Pair;
    using Beside = NothingBeside;
    static constexpr std::size_t slack = simd::pair_slack;
};
template <>
struct Carried<simd::ListSink> {
    using Item = AgentId;
    using Beside = float;
    static constexpr std::size_t slack = simd::list_slack;
    static constexpr auto beside = &simd::ListSink::distances;
};
template <>
struct Carried<simd::CastSink> {
    using Item = CastHit;
    using Beside = Box;
    static constexpr std::size_t slack = 32;  // kernels write none past the limit; a first hit needs room
    static constexpr auto beside = &simd::CastSink::boxes;
};

// The base of all sinks.
template <class Sink>
struct SinkParts {
    using Item = typename Carried<Sink>::Item;
    using Beside = typename Carried<Sink>::Beside;
    static constexpr std::size_t slack = Carried<Sink>::slack;

protected:
    static constexpr bool knows_begin = requires(Sink sink) { sink.begin; };

    static auto written(Item* items) noexcept { return reinterpret_cast<decltype(Sink::at)>(items); }
    // Leads a sink to the items from `at` on. Those from `begin` on count as its own; `beside` is that of the
    // first of these, or null.
    static void lead(Sink& sink, Item* begin, Item* at, Item* limit, Beside* beside) noexcept {
        if constexpr (knows_begin) sink.begin = written(begin);
        sink.at = written(at);
        sink.limit = written(limit);
        if constexpr (requires { Carried<Sink>::beside; })
            sink.*Carried<Sink>::beside = reinterpret_cast<float*>(beside);
    }
};

// Calls take(items, beside, count) of `Self`, which returns whether it wants more. `beside` is null unless
// wanted.
template <class Self, class Sink, std::size_t room, bool with_beside = false>
class HandOn : protected SinkParts<Sink> {
    using Parts = SinkParts<Sink>;

public:
    HandOn(const HandOn&) = delete;
    Sink& sink() noexcept { return sink_; }
    // Hands on the rest.
    void flush() noexcept { full(sink_); }

protected:
    static constexpr std::size_t at_once = room;

    explicit HandOn(bool stopped = false) noexcept {
        sink_ = {};
        Parts::lead(sink_, items_.data(), items_.data(), items_.data() + room, beside());
        sink_.full = full;
        sink_.context = this;
        sink_.stopped = stopped;
    }
    typename Parts::Beside* beside() noexcept { return with_beside ? beside_.data() : nullptr; }
    static Self& self(Sink& sink) noexcept { return static_cast<Self&>(*static_cast<HandOn*>(sink.context)); }
    static void full(Sink& sink) {
        HandOn& from = *static_cast<HandOn*>(sink.context);
        auto* const begin = from.items_.data();
        const auto count = static_cast<std::size_t>(sink.at - Parts::written(begin));
        sink.at = Parts::written(begin);
        if (!sink.stopped && count != 0) sink.stopped = !self(sink).take(begin, from.beside(), count);
    }

    Sink sink_;

private:
    Unwritten<typename Parts::Item, room + Parts::slack> items_;
    Unwritten<typename Parts::Beside, with_beside ? room + Parts::slack : 1> beside_;
};

// The outcome for memory of the host.
inline Filled filled(std::uint64_t found, std::size_t room) noexcept {
    return {.status = {}, .total = found, .written = std::min<std::uint64_t>(found, room)};
}

// The kernel writes to the memory while everything that it may write fits, and then into a buffer, from which
// as many are copied as fit.
template <class Sink, std::size_t at_once>
class FillMemory : protected SinkParts<Sink> {
    using Parts = SinkParts<Sink>;

public:
    using Item = typename Parts::Item;

    explicit FillMemory(std::span<Item> out) noexcept : out_(out) {
        sink_ = {};
        sink_.full = full;
        sink_.context = this;
        lead_to(out.size() > Parts::slack ? out : std::span<Item>(buffer_.data(), buffer_.size()));
    }
    FillMemory(const FillMemory&) = delete;
    Sink& sink() noexcept { return sink_; }
    void take(const Item* items, std::size_t count) noexcept {
        if (found_ < out_.size())
            std::copy_n(items, std::min(count, out_.size() - static_cast<std::size_t>(found_)),
                        out_.data() + found_);
        found_ += count;
    }
    Filled finish() noexcept {
        pass_on();
        return filled(found_, out_.size());
    }

protected:
    Sink sink_;

private:
    void lead_to(std::span<Item> room) noexcept {
        Item* const begin = room.data();
        Parts::lead(sink_, begin, begin, begin + (room.size() - Parts::slack), nullptr);
    }
    void pass_on() noexcept {
        Item* const buffer = buffer_.data();
        if (sink_.limit == Parts::written(buffer + at_once))
            take(buffer, static_cast<std::size_t>(sink_.at - Parts::written(buffer)));
        else
            found_ += static_cast<std::size_t>(sink_.at - Parts::written(out_.data()));
    }
    static void full(Sink& sink) {
        FillMemory& self = *static_cast<FillMemory*>(sink.context);
        self.pass_on();
        self.lead_to({self.buffer_.data(), self.buffer_.size()});
    }

    const std::span<Item> out_;
    std::uint64_t found_ = 0;  // what was passed on before the sink's present buffer
    Unwritten<Item, at_once + Parts::slack> buffer_;
};

// How many answers one search may find. Its blocks stop once they have more together, so that lists far
// longer than expected take no memory far beyond the bound. Whether it is exceeded depends on the answers,
// never on who finds them.
class ListRoom {
public:
    // In streams there may be `words` more, such as headers.
    ListRoom(std::uint64_t answers, std::uint64_t words) noexcept : answers_(answers), words_(words) {}
    // Before another search with headers of its own.
    void add_words(std::uint64_t more) noexcept { words_ += more; }

    // How much more a block keeps than before. Returns whether to go on.
    bool keep(std::uint64_t more) noexcept {
        return kept_.fetch_add(more, std::memory_order_relaxed) + more <= answers_ + words_;
    }
    // So many were found in all. Only by the calling thread.
    bool admits(std::uint64_t found) noexcept {
        found_ = found;
        return found <= answers_;
    }
    std::uint64_t found() const noexcept { return found_; }
    bool exceeded() const noexcept {
        return found_ > answers_ || kept_.load(std::memory_order_relaxed) > answers_ + words_;
    }

private:
    const std::uint64_t answers_;
    std::uint64_t words_, found_ = 0;
    std::atomic<std::uint64_t> kept_{0};
};

// The blocks of one search share a flag: once one of them runs out of memory or room, all stop.
template <class Sink>
struct KeepAll : protected SinkParts<Sink> {
    using Parts = SinkParts<Sink>;
    using Item = typename Parts::Item;
    using Beside = typename Parts::Beside;
    static constexpr std::size_t slack = Parts::slack;

    explicit KeepAll(Buffer<Item>* to = nullptr, std::atomic<bool>* flag = nullptr,
                     Buffer<Beside>* beside = nullptr, ListRoom* room = nullptr,
                     std::size_t most = std::numeric_limits<std::size_t>::max()) noexcept
        : items_(to), out_of_memory_(flag), beside_(beside), room_(room), most_(most) {}

    // Keeps the first `begin` and appends to them; there is room for `more`. The sink points to this object,
    // which must not move.
    bool open(Sink& sink, std::size_t begin, std::size_t more = 0) noexcept {
        if (!adopt(begin) || !make_room(begin + more + 2 * slack)) return false;
        sink = {};
        sink.full = full;
        sink.context = this;
        lead_on(sink, begin, begin);
        noted_ = begin;
        return true;
    }
    // Adopts what was written. Returns false if there was not enough memory for it.
    bool close(const Sink& sink) noexcept { return !sink.stopped && adopt(number(sink.at)); }
    // The same, with room for the next time.
    bool close_amply(const Sink& sink) noexcept {
        if (!close(sink)) return false;
        keep_ample(*items_, items_->size() + 2 * slack);
        if (beside_ != nullptr) keep_ample(*beside_, beside_->size() + 2 * slack);
        return true;
    }
    // With answers that were counted but not kept.
    std::uint64_t found() const noexcept { return items_->size() + left_out_; }

private:
    std::size_t number(decltype(Sink::at) at) noexcept {
        return static_cast<std::size_t>(at - Parts::written(items_->data()));
    }
    bool adopt(std::size_t have) noexcept {
        const std::size_t kept = std::min(have, most_);
        left_out_ += have - kept;
        return items_->resize(kept) && (beside_ == nullptr || beside_->resize(kept));
    }
    bool make_room(std::size_t count) noexcept {
        return items_->reserve(count) && (beside_ == nullptr || beside_->reserve(items_->capacity()));
    }
    bool fits(std::size_t have) noexcept {
        return room_ == nullptr || room_->keep(have - std::exchange(noted_, have));
    }
    void lead_on(Sink& sink, std::size_t begin, std::size_t have) noexcept {
        Item* const all = items_->data();
        // One of the two may have grown while there was no memory for the other.
        const std::size_t room =
            beside_ == nullptr ? items_->capacity() : std::min(items_->capacity(), beside_->capacity());
        Parts::lead(sink, all + begin, all + have, all + (room - slack),
                    beside_ == nullptr ? nullptr : beside_->data() + begin);
    }
    static void full(Sink& sink) {
        KeepAll& keep = *static_cast<KeepAll*>(sink.context);
        std::size_t begin = 0;
        if constexpr (Parts::knows_begin) begin = keep.number(sink.begin);
        (void)keep.adopt(keep.number(sink.at));
        const std::size_t have = keep.items_->size(), more = std::min(have / 2, keep.most_ - have);
        if (!keep.out_of_memory_->load(std::memory_order_relaxed) && keep.fits(have) &&
            keep.make_room(have + more + 2 * slack))
            return keep.lead_on(sink, begin, have);
        // Until the kernel sees the stop flag, new answers overwrite old ones.
        keep.out_of_memory_->store(true, std::memory_order_relaxed);
        keep.lead_on(sink, begin, begin);
        sink.stopped = true;
    }

    Buffer<Item>* items_;
    std::atomic<bool>* out_of_memory_;
    Buffer<Beside>* beside_;  // null if not wanted
    ListRoom* room_;          // null if there is no bound
    std::size_t most_;        // in the buffer; more are counted
    std::size_t noted_ = 0;   // in the room
    std::uint64_t left_out_ = 0;
};

using KeepIds = KeepAll<simd::IdSink>;
using KeepPairs = KeepAll<simd::PairSink>;
using KeepLists = KeepAll<simd::ListSink>;
using KeepHits = KeepAll<simd::CastSink>;

}  // namespace throng::detail
