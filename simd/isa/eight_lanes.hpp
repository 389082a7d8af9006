// What AVX2 and AVX-512 share: pairs and rows are made with eight lanes, in two quarters of four that most
// instructions keep apart. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "simd/isa/lane_table.hpp"

namespace throng::simd {
namespace {

struct EightLanes {
    using Four = xsimd::batch<float, xsimd::sse2>;
    using Window = xsimd::batch<float, xsimd::avx2>;
    using FourMask = Four::batch_bool_type;
    using WindowMask = Window::batch_bool_type;

    static std::uint32_t bits(const FourMask& mask) {
        return static_cast<std::uint32_t>(_mm_movemask_ps(mask.data));
    }
    static std::uint32_t bits(const WindowMask& mask) {
        return static_cast<std::uint32_t>(_mm256_movemask_ps(mask.data));
    }
    // Packing works in quarters, so the result has to be put in order.
    static std::uint32_t bits(const WindowMask& a, const WindowMask& b, const WindowMask& c,
                              const WindowMask& d) {
        const auto pack = [](const WindowMask& low, const WindowMask& high) {
            return _mm256_packs_epi32(_mm256_castps_si256(low.data), _mm256_castps_si256(high.data));
        };
        const __m256i bytes = _mm256_packs_epi16(pack(a, b), pack(c, d));
        const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(bytes, order)));
    }

    // The comparison reads `b` from memory; one for `b <= a` would have to load it first.
    static WindowMask at_least(const Window& a, const Window& b) {
        return _mm256_cmp_ps(a.data, b.data, _CMP_GE_OQ);
    }

    static Four larger(const Four& a, const Four& b) { return _mm_max_ps(a.data, b.data); }
    static Four smaller(const Four& a, const Four& b) { return _mm_min_ps(a.data, b.data); }
    static Window larger(const Window& a, const Window& b) { return _mm256_max_ps(a.data, b.data); }
    static Window smaller(const Window& a, const Window& b) { return _mm256_min_ps(a.data, b.data); }

    static Four zip_low(const Four& a, const Four& b) { return xsimd::zip_lo(a, b); }
    static Four zip_high(const Four& a, const Four& b) { return xsimd::zip_hi(a, b); }
    static Window zip_low(const Window& a, const Window& b) { return _mm256_unpacklo_ps(a.data, b.data); }
    static Window zip_high(const Window& a, const Window& b) { return _mm256_unpackhi_ps(a.data, b.data); }
    static Window quarters(const float* at, const float* then) {
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at)), _mm_loadu_ps(then), 1);
    }
    static Four quarter(const Window& v, std::size_t number) {
        return number == 0 ? _mm256_castps256_ps128(v.data) : _mm256_extractf128_ps(v.data, 1);
    }

    static __m256i load(const std::uint32_t* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }

    static std::uint32_t first_bit(std::uint32_t v) { return _tzcnt_u32(v); }
    static std::uint32_t first_bit(std::uint64_t v) { return static_cast<std::uint32_t>(_tzcnt_u64(v)); }
    static std::uint32_t count_bits(std::uint64_t v) { return static_cast<std::uint32_t>(_mm_popcnt_u64(v)); }

    static void slots(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lane_table.lanes[mask]));
        _mm256_storeu_si256(
            reinterpret_cast<__m256i*>(out),
            _mm256_add_epi32(_mm256_cvtepu8_epi32(lanes), _mm256_set1_epi32(static_cast<int>(first))));
    }

    static void ranks(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                            _mm256_add_epi32(_mm256_cvtepu8_epi32(ranks_in(mask)),
                                             _mm256_set1_epi32(static_cast<int>(first))));
    }
    static __m128i ranks_in(std::uint32_t mask) {
        return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(rank_table.ranks[mask]));
    }
    static std::uint32_t bits_of_bytes(const std::uint8_t* bytes) {
        const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
        return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(eight, 7)));
    }
    // The bit of each id goes to the sign of its lane. Lanes behind the last id count as marked.
    static std::uint32_t unmarked(const std::uint32_t* words, const std::uint32_t* ids, std::uint32_t count) {
        const __m256i id = load(ids), all = _mm256_set1_epi32(-1);
        const __m256i known = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)),
                                                 _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        const __m256i word = _mm256_mask_i32gather_epi32(all, reinterpret_cast<const int*>(words),
                                                         _mm256_srli_epi32(id, 5), known, 4);
        const __m256i left = _mm256_andnot_si256(id, _mm256_set1_epi32(31));
        return 255u ^ static_cast<std::uint32_t>(
                          _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(word, left))));
    }
    static void sum(std::uint32_t* out, const std::uint32_t* terms, const std::uint32_t* table,
                    const std::uint32_t* numbers) {
        const __m256i found = _mm256_i32gather_epi32(reinterpret_cast<const int*>(table), load(numbers), 4);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_add_epi32(load(terms), found));
    }

    static std::uint32_t halved(const std::uint32_t* edge, const std::uint32_t* at,
                                const std::uint32_t* edges) {
        const __m256i here = _mm256_permutevar8x32_epi32(load(edges), load(edge));
        const __m256i upper = _mm256_cmpeq_epi32(_mm256_max_epu32(here, load(at)), here);
        return half_table.halves[_mm256_movemask_ps(_mm256_castsi256_ps(upper))];
    }

    // In nearly all cases what is taken is among sixteen values: the lower three bits of the numbers take the
    // lanes of both halves, and bit 3 chooses the half.
    class Take {
    public:
        using Values = Window;
        static constexpr std::uint32_t lanes = 8;
        Take(const std::uint32_t* from, std::uint32_t mask) : is_near_(from[7] - from[0] < 16) {
            const __m256i slots = load(from);
            lanes_ = _mm256_permutevar8x32_epi32(
                _mm256_sub_epi32(slots, _mm256_broadcastd_epi32(_mm256_castsi256_si128(slots))),
                _mm256_cvtepu8_epi32(ranks_in(~mask & 255)));
        }
        bool is_near() const { return is_near_; }
        Window operator()(float* out, const float* in) const {
            const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(in), lanes_),
                         high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(in + 8), lanes_);
            const __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(lanes_, 28)),
                         values = _mm256_blendv_ps(low, high, upper);
            _mm256_storeu_ps(out, values);
            return values;
        }

    private:
        __m256i lanes_;
        bool is_near_;
    };

    class Starts {
    public:
        static constexpr std::size_t lanes = 8;

        void take(std::uint32_t* counts) {
            const __m256i here = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(counts));
            __m256i sum = _mm256_add_epi32(here, _mm256_slli_si256(here, 4));
            sum = _mm256_add_epi32(sum, _mm256_slli_si256(sum, 8));
            const __m256i low_quarter = _mm256_permute2x128_si256(sum, sum, 0x08);
            sum = _mm256_add_epi32(sum, _mm256_shuffle_epi32(low_quarter, 0xFF));
            sum = _mm256_add_epi32(sum, before_);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(counts), _mm256_sub_epi32(sum, here));
            before_ = _mm256_permutevar8x32_epi32(sum, _mm256_set1_epi32(7));
            const __m256i odd = _mm256_srli_epi64(here, 32);
            squares_ = _mm256_add_epi64(squares_, _mm256_mul_epu32(here, here));
            squares_ = _mm256_add_epi64(squares_, _mm256_mul_epu32(odd, odd));
        }
        std::uint32_t sum() const {
            return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(before_)));
        }
        std::uint64_t squares() const {
            alignas(32) std::uint64_t lane[4];
            _mm256_store_si256(reinterpret_cast<__m256i*>(lane), squares_);
            return lane[0] + lane[1] + lane[2] + lane[3];
        }

    private:
        __m256i before_{}, squares_{};  // by no instruction: the constructor is for any CPU in throng.cpp
    };
};

}  // namespace
}  // namespace throng::simd
