// The vocabulary of AVX-512: sixteen lanes for searches, whose runs are long, and eight for pairs, whose
// windows are short: an unaligned load of 32 bytes crosses half as many cache lines. For the meaning of each
// operation see simd/isa/README.md.
#pragma once

#include "simd/isa/eight_lanes.hpp"

namespace throng::simd {
namespace {

struct Avx512 : EightLanes {
    using Wide = xsimd::batch<float, xsimd::avx512bw>;

    using EightLanes::at_least;
    using EightLanes::bits;
    static std::uint32_t bits(const Wide::batch_bool_type& mask) {
        return static_cast<std::uint32_t>(mask.data);
    }
    using EightLanes::larger;
    using EightLanes::smaller;
    static Wide larger(const Wide& a, const Wide& b) { return _mm512_max_ps(a.data, b.data); }
    static Wide smaller(const Wide& a, const Wide& b) { return _mm512_min_ps(a.data, b.data); }
    static std::uint32_t above(const std::uint32_t* ids, std::uint32_t id) {
        return static_cast<std::uint32_t>(
            _mm512_cmpgt_epu32_mask(_mm512_loadu_si512(ids), _mm512_set1_epi32(static_cast<int>(id))));
    }
    static Wide::batch_bool_type at_least(const Wide& a, const Wide& b) {
        return _mm512_cmp_ps_mask(a.data, b.data, _CMP_GE_OQ);
    }
    class Take : public EightLanes::Take {
    public:
        using EightLanes::Take::Take;
        Window operator()(float* out, const float* in) const {
            return stored(out, _mm256_permutex2var_ps(_mm256_loadu_ps(in), lanes_, _mm256_loadu_ps(in + 8)));
        }
    };
    static void store_u16(std::uint16_t* out, const Window& values) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                         _mm256_cvtepi32_epi16(_mm256_cvttps_epi32(values.data)));
    }
    // Compresses in the register and stores all of it. Compressing to memory is microcoded on Zen 4, and
    // zeroing the remaining lanes would add a dependency on the result before.
    static void left_pack(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        const __m512i values = _mm512_loadu_si512(ids);
        _mm512_storeu_si512(out, _mm512_mask_compress_epi32(values, static_cast<__mmask16>(mask), values));
    }
    // Half of a vector crosses a cache line half as often.
    static void pack_few(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        const __m512i values = _mm512_loadu_si512(ids);
        const __m512i packed = _mm512_mask_compress_epi32(values, static_cast<__mmask16>(mask), values);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_castsi512_si256(packed));
        if (count_bits(mask) > 8) [[unlikely]]
            _mm512_storeu_si512(out, packed);
    }
};

}  // namespace
}  // namespace throng::simd
