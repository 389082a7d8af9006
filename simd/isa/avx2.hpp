// The vocabulary of AVX2: eight lanes, and a left-pack by a table of lane numbers. For the meaning of each
// operation see simd/isa/README.md.
#pragma once

#include "simd/isa/eight_lanes.hpp"

namespace throng::simd {
namespace {

struct Avx2 : EightLanes {
    using Wide = Window;

    using Doubles = xsimd::batch<double, xsimd::avx2>;
    static Doubles doubles(const float* from) { return _mm256_cvtps_pd(_mm_loadu_ps(from)); }
    static Doubles doubles(const std::int32_t* from) {
        return _mm256_cvtepi32_pd(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }
    // Integers are compared as signed ones.
    static std::uint32_t above(const std::uint32_t* ids, std::uint32_t id) {
        const __m256i sign = _mm256_set1_epi32(static_cast<int>(0x80000000u));
        const __m256i values =
            _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids)), sign);
        const __m256i limit = _mm256_set1_epi32(static_cast<int>(id ^ 0x80000000u));
        return static_cast<std::uint32_t>(
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(values, limit))));
    }
    static void store_u16(std::uint16_t* out, const Window& values) {
        const __m256i whole = _mm256_cvttps_epi32(values.data);
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(whole, whole), 0x08);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(packed));
    }
    static void left_pack(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lane_table.lanes[mask]));
        const __m256i values = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                            _mm256_permutevar8x32_epi32(values, _mm256_cvtepu8_epi32(lanes)));
    }
    static void pack_few(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        left_pack(out, ids, mask);
    }
};

}  // namespace
}  // namespace throng::simd
