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

#include <cstring>

#include "simd/cast_kernels.hpp"
#include "simd/kernels/search/takers.hpp"
#include "simd/kernels/vectors.hpp"
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

// The agent of a block that a cast touches first, by the times at which it touches each: without a branch on
// whether there is one.
template <class V, std::uint32_t vectors>
class EarliestOf : Vectors<V> {
public:
    using Base = Vectors<V>;
    using Wide = typename V::Wide;
    static constexpr std::uint32_t lanes = static_cast<std::uint32_t>(Wide::size);

    // The others are never touched.
    static void leave(std::uint32_t admitted, Wide* t) {
        for (std::uint32_t k = 0; k < vectors; ++k)
            t[k] = xsimd::select(lanes_of(admitted >> k * lanes), t[k], Wide(never));
    }
    // Of agents touched at times `t`, which are infinite for the others; of several the least id.
    template <class Arrays>
    static FirstTaker of(const Arrays& a, std::uint32_t j, const Wide* t) {
        const std::uint64_t least = least_pair(t, a.id + j);
        return {detail::bits_as<float>(static_cast<std::uint32_t>(least >> 32)),
                static_cast<std::uint32_t>(least)};
    }

private:
    static constexpr float never = infinite;
    // A time above an id is compared as a double: of two positive ones, the larger has larger bits. Times are
    // raised by as much as makes none of these subnormal, since a host may take those for zeros.
    static std::uint64_t least_pair(const Wide* t, const std::uint32_t* ids) {
        if constexpr (requires { V::least_pair(t[0], ids); }) {
            static_assert(vectors == 1);
            return V::least_pair(t[0], ids);
        } else {
            using Doubles = xsimd::batch<double, typename Wide::arch_type>;
            using Ints = xsimd::batch<std::int32_t, typename Wide::arch_type>;
            constexpr std::int32_t raised = 1 << 20;
            Doubles best(double{never});
            for (std::uint32_t k = 0; k < vectors; ++k) {
                const Wide time = of_bits<Wide>(of_bits<Ints>(t[k]) + Ints(raised)),
                           id = Wide::load_unaligned(reinterpret_cast<const float*>(ids + k * lanes));
                best = xsimd::min(best, of_bits<Doubles>(V::zip_low(id, time)));
                best = xsimd::min(best, of_bits<Doubles>(V::zip_high(id, time)));
            }
            double pair[Doubles::size];
            best.store_unaligned(pair);
            for (std::size_t k = 1; k < Doubles::size; ++k) pair[0] = pair[k] < pair[0] ? pair[k] : pair[0];
            return detail::bits_as<std::uint64_t>(pair[0]) - (std::uint64_t{raised} << 32);
        }
    }
    template <class To, class From>
    static To of_bits(const From& from) {
        typename To::register_type bits;
        std::memcpy(&bits, &from.data, sizeof bits);
        return To(bits);
    }
    // From bits to lanes.
    static typename Wide::batch_bool_type lanes_of(std::uint32_t bits) {
        using Ints = xsimd::batch<std::int32_t, typename Wide::arch_type>;
        alignas(64) static constexpr std::int32_t own[16] = {
            1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
            1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
        return xsimd::to_float(Ints(static_cast<std::int32_t>(bits)) & Ints::load_unaligned(own)) !=
               Wide(0.0f);
    }
};

}  // namespace throng::simd
