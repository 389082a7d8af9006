// The vocabulary of SSE2, the baseline of x86-64: four lanes everywhere, and no shuffle with a pattern from a
// register. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <emmintrin.h>

#include <cstdint>

#include "simd/isa/four_lanes.hpp"

namespace throng::simd {
namespace {

struct Sse2 : FourLanes<xsimd::sse2> {
    static std::uint32_t bits(const Mask& mask) {
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
    static void slots(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        const __m128i zero = _mm_setzero_si128(), base = _mm_set1_epi32(static_cast<int>(first));
        const __m128i lanes = _mm_unpacklo_epi8(
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lane_table.lanes[mask])), zero);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                         _mm_add_epi32(_mm_unpacklo_epi16(lanes, zero), base));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 4),
                         _mm_add_epi32(_mm_unpackhi_epi16(lanes, zero), base));
    }
};

}  // namespace
}  // namespace throng::simd
