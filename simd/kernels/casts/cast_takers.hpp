// What is done with the agents that a cast touches: the first is kept, or any is enough, or all are
// collected. A taker has
//
//     limit()         later hits are of no interest
//     take(id, t)     a hit, perhaps later than that, if several come together; returns whether to go on
//     wants_first     whether of several hits only the first matters
//     in_order        whether it gains from meeting early hits early
//     is_content()    whether nothing could change what it has
//     add_box(a, i)   if boxes may be wanted: that of the last hit
#pragma once

#include "simd/cast_kernels.hpp"
#include "simd/kernels/search/takers.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

// A taker that is also told what the search looks at.
template <class T>
concept CastObserver = Observer<T> && requires(T taker) {
    taker.sees_agents(std::uint32_t{});
};

struct FirstTaker {
    static constexpr bool in_order = true, wants_first = true;
    float t = 1.0f;
    std::uint32_t id = no_id;

    float limit() const { return t; }
    bool is_content() const { return false; }
    bool take(std::uint32_t other, float when) {
        const std::uint64_t best = key(t, id), next = key(when, other), least = next < best ? next : best;
        t = detail::bits_as<float>(static_cast<std::uint32_t>(least >> 32));
        id = static_cast<std::uint32_t>(least);
        return true;
    }

private:
    // Times that are not negative compare as integers do, and the id may follow them: no branch.
    static std::uint64_t key(float when, std::uint32_t other) {
        return std::uint64_t{detail::bits_as<std::uint32_t>(when)} << 32 | other;
    }
};

struct AnyTaker {
    static constexpr bool in_order = true, wants_first = false;
    bool found = false;

    float limit() const { return 1.0f; }
    bool is_content() const { return found; }
    bool take(std::uint32_t, float) {
        found = true;
        return false;
    }
};

struct AllTaker {
    static constexpr bool in_order = false, wants_first = false;
    CastSink& sink;

    float limit() const { return 1.0f; }
    bool take(std::uint32_t id, float when) {
        if (sink.at == sink.limit) [[unlikely]] {
            sink.full(sink);
            if (sink.stopped) return false;
        }
        *sink.at++ = {id, when, 0};
        return true;
    }
    template <class A>
    void add_box(const A& a, std::uint32_t i) {
        if (sink.boxes == nullptr) return;
        float* box = sink.boxes + 4 * (sink.at - sink.begin - 1);
        box[0] = a.min_x[i], box[1] = a.min_y[i], box[2] = a.max_x[i], box[3] = a.max_y[i];
    }
};

}  // namespace throng::simd
