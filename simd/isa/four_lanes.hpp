// What SSE2 and NEON share: four lanes everywhere. Without an instruction for it, an operation goes lane by
// lane. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <cstdint>
#include <cstring>
#include <xsimd/xsimd.hpp>

#include "simd/isa/lane_table.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {
namespace {

template <class Arch>
struct FourLanes {
    using Four = xsimd::batch<float, Arch>;
    using Window = Four;
    using Wide = Four;
    using Mask = typename Four::batch_bool_type;

    static Mask at_least(const Four& a, const Four& b) { return b <= a; }
    static Four zip_low(const Four& a, const Four& b) { return xsimd::zip_lo(a, b); }
    static Four zip_high(const Four& a, const Four& b) { return xsimd::zip_hi(a, b); }
    static Window quarters(const float* at, const float*) { return Window::load_unaligned(at); }
    static Four quarter(const Window& v, std::size_t) { return v; }
    static std::uint32_t first_bit(std::uint32_t v) { return detail::lowest_bit(v | std::uint32_t{1} << 31); }
    static std::uint32_t first_bit(std::uint64_t v) { return detail::lowest_bit(v | std::uint64_t{1} << 63); }

    // No instruction takes lanes by a number from a register.
    struct Take {
        using Values = Window;
        static constexpr std::uint32_t lanes = 8;
        Take(const std::uint32_t*, std::uint32_t) {}
        static constexpr bool is_near() { return false; }
        Window operator()(float*, const float* in) const { return Window::load_unaligned(in); }
    };
    static void ranks(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        for (std::uint32_t k = 0; k < 8; first += mask >> k++ & 1) out[k] = first;
    }
    static std::uint32_t bits_of_bytes(const std::uint8_t* bytes) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes, sizeof eight);
        return static_cast<std::uint32_t>(eight * 0x0102040810204080u >> 56);
    }
    static std::uint32_t halved(const std::uint32_t* edge, const std::uint32_t* at,
                                const std::uint32_t* edges) {
        std::uint32_t mark = 1;
        for (int level = 0; level < 3; ++level) mark = 2 * mark + (edges[edge[mark]] >= at[mark] ? 1 : 0);
        return mark - 8;
    }
    static std::uint32_t unmarked(const std::uint32_t* words, const std::uint32_t* ids, std::uint32_t count) {
        std::uint32_t bits = 0;
        for (std::uint32_t k = 0; k < 8 && k < count; ++k)
            bits |= (~words[ids[k] >> 5] >> (ids[k] & 31) & 1) << k;
        return bits;
    }
    static void sum(std::uint32_t* out, const std::uint32_t* terms, const std::uint32_t* table,
                    const std::uint32_t* numbers) {
        for (std::size_t k = 8; k-- > 0;) out[k] = terms[k] + table[numbers[k]];
    }

    class Starts {
    public:
        static constexpr std::size_t lanes = 1;

        void take(std::uint32_t* counts) {
            const std::uint32_t here = *counts;
            *counts = sum_;
            sum_ += here;
            squares_ += std::uint64_t{here} * here;
        }
        std::uint32_t sum() const { return sum_; }
        std::uint64_t squares() const { return squares_; }

    private:
        std::uint32_t sum_ = 0;
        std::uint64_t squares_ = 0;
    };
};

}  // namespace
}  // namespace throng::simd
