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
    // at a time become ids: no loop over the bits, and hardly ever a branch that goes another way than
    // before.
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

private:
    // What is left of the table stands behind what was kept: lanes as well.
    static __m512i compressed(const std::uint8_t* table, std::uint64_t kept) {
        const __m512i values = _mm512_load_si512(table);
        return _mm512_mask_compress_epi8(values, kept, values);
    }
    static void write_eight(Pair* out, const __m512i& ids, const __m128i& first, const __m128i& second) {
        const __m512i lanes = _mm512_cvtepu8_epi32(_mm_unpacklo_epi8(first, second));
        _mm512_storeu_si512(out, _mm512_permutexvar_epi32(lanes, ids));
    }
};

}  // namespace
}  // namespace throng::simd
