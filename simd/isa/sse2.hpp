// The vocabulary of SSE2, the baseline of x86-64: four lanes everywhere, and no shuffle with a pattern from a
// register. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <emmintrin.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "simd/isa/lane_table.hpp"
#include "simd/isa/take.hpp"

namespace throng::simd {
namespace {

struct Sse2 {
    using Four = xsimd::batch<float, xsimd::sse2>;
    using Window = Four;
    using Wide = Four;
    using Mask = Four::batch_bool_type;

    static std::uint32_t bits(const Four::batch_bool_type& mask) {
        return static_cast<std::uint32_t>(_mm_movemask_ps(mask.data));
    }
    static std::uint32_t bits(const Mask& a, const Mask& b, const Mask& c, const Mask& d) {
        const auto pack = [](const Mask& low, const Mask& high) {
            return _mm_packs_epi32(_mm_castps_si128(low.data), _mm_castps_si128(high.data));
        };
        return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(pack(a, b), pack(c, d))));
    }
    static Four larger(const Four& a, const Four& b) { return _mm_max_ps(a.data, b.data); }
    static Four smaller(const Four& a, const Four& b) { return _mm_min_ps(a.data, b.data); }
    // Integers are compared as signed ones.
    static std::uint32_t above(const std::uint32_t* ids, std::uint32_t id) {
        const __m128i sign = _mm_set1_epi32(static_cast<int>(0x80000000u));
        const __m128i values = _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(ids)), sign);
        const __m128i limit = _mm_set1_epi32(static_cast<int>(id ^ 0x80000000u));
        return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(values, limit))));
    }
    static Mask at_least(const Four& a, const Four& b) { return b <= a; }
    static Four zip_low(const Four& a, const Four& b) { return xsimd::zip_lo(a, b); }
    static Four zip_high(const Four& a, const Four& b) { return xsimd::zip_hi(a, b); }
    static Window quarters(const float* at, std::size_t) { return Window::load_unaligned(at); }
    static Four quarter(const Window& v, std::size_t) { return v; }
    static void store_u16(std::uint16_t* out, const Window& values) {
        const __m128i whole = _mm_cvttps_epi32(values.data);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packs_epi32(whole, whole));
    }
    // Every lane is stored, and the next one overwrites it if its bit is clear: no branch to mispredict.
    static void left_pack(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        out[0] = ids[0];
        out += mask & 1;
        out[0] = ids[1];
        out += mask >> 1 & 1;
        out[0] = ids[2];
        out += mask >> 2 & 1;
        out[0] = ids[3];
    }
    static void pack_few(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        left_pack(out, ids, mask);
    }
    // SSE2 has no instruction for it, and the compiler's library call would be slower.
    static std::uint32_t count_bits(std::uint64_t v) {
        v -= v >> 1 & 0x5555555555555555u;
        v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
        v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
        return static_cast<std::uint32_t>(v * 0x0101010101010101u >> 56);
    }
    static std::uint32_t first_bit(std::uint32_t v) {
        return static_cast<std::uint32_t>(__builtin_ctz(v | std::uint32_t{1} << 31));
    }
    static std::uint32_t first_bit(std::uint64_t v) {
        return static_cast<std::uint32_t>(__builtin_ctzll(v | std::uint64_t{1} << 63));
    }
    static void places(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        const __m128i zero = _mm_setzero_si128(), base = _mm_set1_epi32(static_cast<int>(first));
        const __m128i lanes = _mm_unpacklo_epi8(
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lane_table.lanes[mask])), zero);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                         _mm_add_epi32(_mm_unpacklo_epi16(lanes, zero), base));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 4),
                         _mm_add_epi32(_mm_unpackhi_epi16(lanes, zero), base));
    }

    using Take = NoTake<Window>;
    static void ranks(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        add_ranks(out, first, mask);
    }
    static std::uint32_t marked(const std::uint32_t* words, const std::uint32_t* ids) {
        return find_marked(words, ids);
    }

    class Starts {
    public:
        static constexpr std::size_t lanes = 4;

        void take(std::uint32_t* counts) {
            const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(counts));
            __m128i sum = _mm_add_epi32(here, _mm_slli_si128(here, 4));
            sum = _mm_add_epi32(sum, _mm_slli_si128(sum, 8));
            sum = _mm_add_epi32(sum, before_);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(counts), _mm_sub_epi32(sum, here));
            before_ = _mm_shuffle_epi32(sum, 0xFF);
            const __m128i odd = _mm_srli_epi64(here, 32);
            squares_ = _mm_add_epi64(squares_, _mm_mul_epu32(here, here));
            squares_ = _mm_add_epi64(squares_, _mm_mul_epu32(odd, odd));
        }
        std::uint32_t sum() const { return static_cast<std::uint32_t>(_mm_cvtsi128_si32(before_)); }
        std::uint64_t squares() const {
            alignas(16) std::uint64_t lane[2];
            _mm_store_si128(reinterpret_cast<__m128i*>(lane), squares_);
            return lane[0] + lane[1];
        }

    private:
        __m128i before_ = _mm_setzero_si128(), squares_ = _mm_setzero_si128();
    };
};

}  // namespace
}  // namespace throng::simd
