// The vocabulary of AVX2: eight lanes, and a left-pack by a table of lane numbers. For the meaning of each
// operation see simd/isa/README.md.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace throng::simd {
namespace {

// Which lanes a mask of eight bits keeps, in order: one row of eight bytes for every mask.
struct LaneTable {
    alignas(64) std::uint8_t lanes[256][8];
    constexpr LaneTable() : lanes{} {
        for (unsigned mask = 0; mask < 256; ++mask) {
            unsigned kept = 0;
            for (unsigned lane = 0; lane < 8; ++lane)
                if (mask >> lane & 1) lanes[mask][kept++] = static_cast<std::uint8_t>(lane);
        }
    }
};
constexpr LaneTable lane_table;

struct Avx2 {
    using Four = xsimd::batch<float, xsimd::sse2>;
    using Window = xsimd::batch<float, xsimd::avx2>;
    using Wide = Window;

    static std::uint32_t bits(const Four::batch_bool_type& mask) {
        return static_cast<std::uint32_t>(_mm_movemask_ps(mask.data));
    }
    static std::uint32_t bits(const Window::batch_bool_type& mask) {
        return static_cast<std::uint32_t>(_mm256_movemask_ps(mask.data));
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
    static std::uint32_t count_bits(std::uint64_t v) { return static_cast<std::uint32_t>(_mm_popcnt_u64(v)); }
};

}  // namespace
}  // namespace throng::simd
