// The vocabulary of AVX-512 on a CPU that compresses bytes (VBMI2). For the meaning of each operation see
// simd/isa/README.md.
#pragma once

#include "simd/isa/avx512.hpp"
#include "simd/kernels/pair_of_bit.hpp"
#include "simd/types.hpp"

namespace throng::simd {
namespace {

struct Avx512Vbmi2 : Avx512 {
    // One compression makes the first agents of all pairs and one the second ones, as lanes, and eight pairs
    // at a time become ids. There is no loop over the bits, and the branches hardly ever change.
    static std::uint32_t write_near(Pair* out, const std::uint32_t* ids, std::uint64_t found) {
        const __m512i id = _mm512_loadu_si512(ids);
        const __m512i first = compressed(pair_of_bit.first, found),
                      second = compressed(pair_of_bit.second, found);
        write_eight(out, id, _mm512_castsi512_si128(first), _mm512_castsi512_si128(second));
        const std::uint32_t count = count_bits(found);
        if (count > 8) [[unlikely]] {
            alignas(64) std::uint8_t firsts[64], seconds[64];
            _mm512_store_si512(firsts, first);
            _mm512_store_si512(seconds, second);
            for (std::uint32_t k = 8; k < count; k += 8)
                write_eight(out + k, id, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(firsts + k)),
                            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(seconds + k)));
        }
        return count;
    }

    // The same for those pairs whose circles touch (simd/kernels/pairs/close.hpp): sixteen of each.
    static std::uint32_t write_near_circles(Pair* out, const std::uint32_t* ids, std::uint64_t found,
                                            const float* x, const float* y, const float* radius) {
        const Near agents{_mm512_loadu_si512(ids), _mm512_loadu_ps(x), _mm512_loadu_ps(y),
                          _mm512_loadu_ps(radius)};
        const __m512i first = compressed(pair_of_bit.first, found),
                      second = compressed(pair_of_bit.second, found);
        const std::uint32_t count = count_bits(found);
        std::uint32_t written =
            agents.write_eight(out, _mm512_castsi512_si128(first), _mm512_castsi512_si128(second), count);
        if (count > 8) [[unlikely]] {
            alignas(64) std::uint8_t firsts[64], seconds[64];
            _mm512_store_si512(firsts, first);
            _mm512_store_si512(seconds, second);
            for (std::uint32_t k = 8; k < count; k += 8)
                written += agents.write_eight(
                    out + written, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(firsts + k)),
                    _mm_loadl_epi64(reinterpret_cast<const __m128i*>(seconds + k)), count - k);
        }
        return written;
    }

private:
    struct Near {
        __m512i ids;
        __m512 x, y, radius;

        // Of up to eight pairs, side by side in even and odd lanes, the ones that touch.
        std::uint32_t write_eight(Pair* out, const __m128i& first, const __m128i& second,
                                  std::uint32_t count) const {
            const __m512i lanes = lanes_of(first, second);
            const auto first_less_second = [](const __m512& v) {
                return _mm512_sub_ps(_mm512_moveldup_ps(v), _mm512_movehdup_ps(v));
            };
            const __m512 dx = first_less_second(_mm512_permutexvar_ps(lanes, x)),
                         dy = first_less_second(_mm512_permutexvar_ps(lanes, y)),
                         radii = _mm512_permutexvar_ps(lanes, radius),
                         both = _mm512_add_ps(radii, _mm512_permute_ps(radii, 0xB1));
            const __mmask16 touching =
                _mm512_mask_cmp_ps_mask(static_cast<__mmask16>(_bzhi_u32(0xFFFF, 2 * count)),
                                        _mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy)),
                                        _mm512_mul_ps(both, both), _CMP_LE_OQ);
            const __m512i pairs = _mm512_permutexvar_epi32(lanes, ids);
            _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(touching, pairs));
            return count_bits(touching) / 2;
        }
    };

    static __m512i lanes_of(const __m128i& first, const __m128i& second) {
        return _mm512_cvtepu8_epi32(_mm_unpacklo_epi8(first, second));
    }
    // The rest of the table, behind the kept part, is lanes as well.
    static __m512i compressed(const std::uint8_t* table, std::uint64_t kept) {
        const __m512i values = _mm512_load_si512(table);
        return _mm512_mask_compress_epi8(values, kept, values);
    }
    static void write_eight(Pair* out, const __m512i& ids, const __m128i& first, const __m128i& second) {
        _mm512_storeu_si512(out, _mm512_permutexvar_epi32(lanes_of(first, second), ids));
    }
};

}  // namespace
}  // namespace throng::simd
