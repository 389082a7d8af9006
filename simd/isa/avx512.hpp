// The vocabulary of AVX-512: sixteen lanes for searches, whose runs are long, and eight for pairs, whose
// windows are short: an unaligned load of 32 bytes crosses half as many cache lines. For the meaning of each
// operation see simd/isa/README.md.
#pragma once

#include "simd/isa/eight_lanes.hpp"

namespace throng::simd {
namespace {

struct Avx512 : EightLanes {
    using Wide = xsimd::batch<float, xsimd::avx512bw>;

    using Doubles = xsimd::batch<double, xsimd::avx512bw>;
    static Doubles doubles(const float* from) { return _mm512_cvtps_pd(_mm256_loadu_ps(from)); }
    static Doubles doubles(const std::int32_t* from) {
        return _mm512_cvtepi32_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    }
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
    static std::uint64_t least_pair(const Wide& times, const std::uint32_t* ids) {
        const __m512i t = _mm512_castps_si512(times.data), id = _mm512_loadu_si512(ids);
        const __m512i all = _mm512_min_epu64(_mm512_unpacklo_epi32(id, t), _mm512_unpackhi_epi32(id, t));
        const __m256i half = _mm256_min_epu64(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
        const __m128i two = _mm_min_epu64(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
        return static_cast<std::uint64_t>(
            _mm_cvtsi128_si64(_mm_min_epu64(two, _mm_unpackhi_epi64(two, two))));
    }
    // In nearly all cases what is taken is among thirty-two values. Values behind the last one are not read.
    class Take {
    public:
        using Values = Wide;
        static constexpr std::uint32_t lanes = 16;
        Take(const std::uint32_t* from, std::uint32_t mask) : span_(from[15] - from[0]) {
            const __m512i slots = _mm512_loadu_si512(from);
            lanes_ = _mm512_maskz_expand_epi32(
                static_cast<__mmask16>(~mask),
                _mm512_sub_epi32(slots, _mm512_broadcastd_epi32(_mm512_castsi512_si128(slots))));
            upper_ = static_cast<__mmask16>(((std::uint64_t{2} << (span_ & 31)) - 1) >> 16);
        }
        bool is_near() const { return span_ < 32; }
        Wide operator()(float* out, const float* in) const {
            const __m512 values =
                _mm512_permutex2var_ps(_mm512_loadu_ps(in), lanes_, _mm512_maskz_loadu_ps(upper_, in + 16));
            _mm512_storeu_ps(out, values);
            return values;
        }

    private:
        __m512i lanes_;
        std::uint32_t span_;
        __mmask16 upper_;
    };
    static void sixteen_slots(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        const __m512i all =
            _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                             _mm512_set1_epi32(static_cast<int>(first)));
        _mm512_storeu_si512(out, _mm512_mask_compress_epi32(all, static_cast<__mmask16>(mask), all));
    }
    static void ranks(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        const __m128i below = _mm_unpacklo_epi64(ranks_in(mask & 255), ranks_in(mask >> 8));
        const __m512i low = _mm512_set1_epi32(static_cast<int>(first)),
                      high = _mm512_set1_epi32(static_cast<int>(first + count_bits(mask & 255)));
        _mm512_storeu_si512(
            out, _mm512_add_epi32(_mm512_cvtepu8_epi32(below), _mm512_mask_mov_epi32(low, 0xff00, high)));
    }
    static std::uint32_t bits_of_bytes(const std::uint8_t* bytes) {
        const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
        return _mm_test_epi8_mask(all, all);
    }
    static std::uint32_t unmarked(const std::uint32_t* words, const std::uint32_t* ids, std::uint32_t count) {
        const __mmask16 known = static_cast<__mmask16>(count < 16 ? (1u << count) - 1 : 0xffff);
        const __m512i id = _mm512_loadu_si512(ids), zero = _mm512_setzero_si512();
        const __m512i word = _mm512_mask_i32gather_epi32(zero, known, _mm512_srli_epi32(id, 5), words, 4);
        return _mm512_mask_testn_epi32_mask(known, word, _mm512_rolv_epi32(_mm512_set1_epi32(1), id));
    }
    static void sum(std::uint32_t* out, const std::uint32_t* terms, const std::uint32_t* table,
                    const std::uint32_t* numbers) {
        const __m512i found = _mm512_i32gather_epi32(_mm512_loadu_si512(numbers), table, 4);
        _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_loadu_si512(terms), found));
    }
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

    static Wide halves(float low, float high) {
        return _mm512_mask_mov_ps(_mm512_set1_ps(low), 0xff00, _mm512_set1_ps(high));
    }
    class Words {
    public:
        explicit Words(const void* words) {
            for (std::size_t i = 0; i < 8; ++i)
                words_[i] = _mm512_load_si512(static_cast<const char*>(words) + 64 * i);
        }
        // A permutation looks at five bits of a number.
        __m512i at(const __m512i& numbers) const {
            const __mmask16 odd = _mm512_test_epi32_mask(numbers, _mm512_set1_epi32(32)),
                            upper = _mm512_test_epi32_mask(numbers, _mm512_set1_epi32(64));
            const auto quarter = [&](int i) {
                return _mm512_permutex2var_epi32(words_[2 * i], numbers, words_[2 * i + 1]);
            };
            const __m512i low = _mm512_mask_mov_epi32(quarter(0), odd, quarter(1)),
                          high = _mm512_mask_mov_epi32(quarter(2), odd, quarter(3));
            return _mm512_mask_mov_epi32(low, upper, high);
        }
        void copy(std::uint32_t* out, const __m512i& numbers) const { _mm512_store_si512(out, at(numbers)); }
        Wide floats(const __m512i& numbers) const { return _mm512_castsi512_ps(at(numbers)); }

    private:
        __m512i words_[8];
    };
    // Interleaved by bytes, then by two, then by four.
    class ByLane {
    public:
        explicit ByLane(const std::int32_t* rows) {
            __m128i bytes[8], twos[8], fours[8];
            for (int i = 0; i < 8; ++i) bytes[i] = _mm512_cvtepi32_epi8(_mm512_load_si512(rows + 16 * i));
            for (int i = 0; i < 4; ++i) {
                twos[i] = _mm_unpacklo_epi8(bytes[2 * i], bytes[2 * i + 1]);
                twos[4 + i] = _mm_unpackhi_epi8(bytes[2 * i], bytes[2 * i + 1]);
            }
            for (int i = 0; i < 4; ++i) {
                fours[2 * i] = _mm_unpacklo_epi16(twos[2 * i], twos[2 * i + 1]);
                fours[2 * i + 1] = _mm_unpackhi_epi16(twos[2 * i], twos[2 * i + 1]);
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j) {
                    const __m128i low = fours[4 * i + j], high = fours[4 * i + 2 + j];
                    two_lanes_[4 * i + 2 * j] = _mm_unpacklo_epi32(low, high);
                    two_lanes_[4 * i + 2 * j + 1] = _mm_unpackhi_epi32(low, high);
                }
        }
        __m512i operator[](std::size_t i) const { return _mm512_cvtepu8_epi32(two_lanes_[i]); }

    private:
        __m128i two_lanes_[8];
    };
};

}  // namespace
}  // namespace throng::simd
