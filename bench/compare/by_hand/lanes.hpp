// What the loops by hand do with eight agents at once: by AVX2 where the compiler has it for single
// functions, one after the other elsewhere. Arrays have eight elements more than there are agents, so that
// the last eight may begin at any of them.
//
// A function that calls these has to be BY_HAND_WIDE itself, and so does one that calls that in a loop: then
// all of it becomes one loop. A lambda never is, so none of these may be called from one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "throng/compiler.hpp"

#if THRONG_X86_64 && !THRONG_IS_MSVC
#include <immintrin.h>
#define BY_HAND_HAS_AVX2 1
#define BY_HAND_WIDE [[gnu::target("avx2,bmi,popcnt")]]
#define BY_HAND_INLINE [[gnu::target("avx2,bmi,popcnt"), gnu::always_inline]] inline
#else
#define BY_HAND_HAS_AVX2 0
#define BY_HAND_WIDE
#define BY_HAND_INLINE inline
#endif

namespace throng::bench::by_hand {

inline constexpr std::size_t lanes = 8;
inline constexpr float infinity = std::numeric_limits<float>::infinity();

// A box with its upper corner negated, so that two boxes overlap if four numbers are at most four others.
struct alignas(16) Corners {
    float x0, y0, minus_x1, minus_y1;
    float x1() const { return -minus_x1; }
    float y1() const { return -minus_y1; }
};
// It overlaps nothing.
inline constexpr Corners nowhere{infinity, infinity, infinity, infinity};

inline Corners corners_around(float x, float y, float hx, float hy) {
    return {x - hx, y - hy, -(x + hx), -(y + hy)};
}
// What each number of a box that overlaps this one is at most.
inline Corners probe_of(const Corners& box) { return {box.x1(), box.y1(), -box.x0, -box.y0}; }
inline Corners probe_of(float x0, float y0, float x1, float y1) { return {x1, y1, -x0, -y0}; }

inline bool overlaps(const Corners& box, const Corners& probe) {
    return (box.x0 <= probe.x0) & (box.y0 <= probe.y0) & (box.minus_x1 <= probe.minus_x1) &
           (box.minus_y1 <= probe.minus_y1);
}

// One bit for each of eight agents.
using Mask = unsigned;
// The bits of the first agents, eight at most.
inline Mask first_of(std::size_t count) { return count < lanes ? (1u << count) - 1 : 0xFFu; }

struct Pair {
    std::uint32_t a, b;
};
struct Found {
    std::uint32_t id;
    float squared_distance;
};
// As one number, which orders by distance and then by id.
inline std::uint64_t key_of(const Found& found) {
    return std::uint64_t{throng::detail::bits_as<std::uint32_t>(found.squared_distance)} << 32 | found.id;
}
inline Found found_of(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key),
            throng::detail::bits_as<float>(static_cast<std::uint32_t>(key >> 32))};
}

// A moving box on one axis, as the library defines casts: an agent is entered where this face of it meets
// that of the box, and left likewise.
struct Axis {
    bool moves, forward;
    float low, high, inverse;
};

#if BY_HAND_HAS_AVX2

// For each mask where the elements of its bits are, one byte each, the lowest first.
inline constexpr std::array<std::uint64_t, 256> packing = [] {
    std::array<std::uint64_t, 256> table{};
    for (unsigned mask = 0; mask < 256; ++mask)
        for (unsigned bit = 0, at = 0; bit < lanes; ++bit)
            if ((mask >> bit & 1u) != 0) table[mask] |= std::uint64_t{bit} << (8 * at++);
    return table;
}();

BY_HAND_INLINE __m256i packing_of(Mask mask) {
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(packing[mask])));
}
BY_HAND_INLINE __m256i load(const std::uint32_t* eight) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(eight));
}
template <class To>
BY_HAND_INLINE void store(To* to, __m256i eight) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), eight);
}
BY_HAND_INLINE __m256i two_at_most(const Corners* two, __m256 probe) {
    return _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(&two->x0), probe, _CMP_LE_OQ));
}
// Eight masks of 32 bits, so that an element of the first is followed by that of the second.
BY_HAND_INLINE void store_pairwise(void* to, __m256i first, __m256i second) {
    const __m256i low = _mm256_unpacklo_epi32(first, second), high = _mm256_unpackhi_epi32(first, second);
    store(static_cast<__m256i*>(to), _mm256_permute2x128_si256(low, high, 0x20));
    store(static_cast<__m256i*>(to) + 1, _mm256_permute2x128_si256(low, high, 0x31));
}

// Which of eight boxes overlap that of the probe.
BY_HAND_INLINE Mask overlapping(const Corners* eight, const Corners& probe) {
    const __m256 limit = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(&probe));
    const __m256i words_low = _mm256_packs_epi32(two_at_most(eight, limit), two_at_most(eight + 2, limit)),
                  words_high =
                      _mm256_packs_epi32(two_at_most(eight + 4, limit), two_at_most(eight + 6, limit));
    const __m256i bytes = _mm256_packs_epi16(words_low, words_high);
    // Four bytes for each box, those of even numbers first.
    const __m256i all_four = _mm256_cmpeq_epi32(bytes, _mm256_set1_epi32(-1));
    const __m256i in_order = _mm256_permutevar8x32_epi32(all_four, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(in_order)));
}

// Writes the ids whose bits are set and returns where they end; there has to be room for eight.
BY_HAND_INLINE std::uint32_t* append(std::uint32_t* to, const std::uint32_t* eight, Mask mask) {
    store(to, _mm256_permutevar8x32_epi32(load(eight), packing_of(mask)));
    return to + std::popcount(mask);
}
// The same for elements that follow one another from a first number on.
BY_HAND_INLINE std::uint32_t* append(std::uint32_t* to, std::size_t first, Mask mask) {
    store(to, _mm256_add_epi32(packing_of(mask), _mm256_set1_epi32(static_cast<int>(first))));
    return to + std::popcount(mask);
}
BY_HAND_INLINE Pair* append(Pair* to, std::uint32_t self, const std::uint32_t* eight, Mask mask) {
    store_pairwise(to, _mm256_set1_epi32(static_cast<int>(self)),
                   _mm256_permutevar8x32_epi32(load(eight), packing_of(mask)));
    return to + std::popcount(mask);
}
// The id and then the distance are, lowest byte first, the key of both.
template <class FoundOrKey>
BY_HAND_INLINE FoundOrKey* append(FoundOrKey* to, const std::uint32_t* eight, const float* distances,
                                  Mask mask) {
    static_assert(sizeof(FoundOrKey) == 8);
    const __m256i order = packing_of(mask);
    store_pairwise(to, _mm256_permutevar8x32_epi32(load(eight), order),
                   _mm256_permutevar8x32_epi32(_mm256_castps_si256(_mm256_loadu_ps(distances)), order));
    return to + std::popcount(mask);
}

// Which of eight ids are this one, and which are above it.
BY_HAND_INLINE Mask equal(const std::uint32_t* eight, std::uint32_t id) {
    const __m256i same = _mm256_cmpeq_epi32(load(eight), _mm256_set1_epi32(static_cast<int>(id)));
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
}
BY_HAND_INLINE Mask above(const std::uint32_t* eight, std::uint32_t id) {
    const __m256i greater = _mm256_cmpgt_epi32(load(eight), _mm256_set1_epi32(static_cast<int>(id)));
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(greater)));
}

// The squared distances of eight points, and which are at most that limit.
BY_HAND_INLINE Mask within(const float* xs, const float* ys, float x, float y, float limit,
                           float* distances) {
    const __m256 dx = _mm256_sub_ps(_mm256_loadu_ps(xs), _mm256_set1_ps(x)),
                 dy = _mm256_sub_ps(_mm256_loadu_ps(ys), _mm256_set1_ps(y));
    const __m256 squared = _mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy));
    _mm256_storeu_ps(distances, squared);
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_cmp_ps(squared, _mm256_set1_ps(limit), _CMP_LE_OQ)));
}

// How many numbers are less than one of them. There are as many as are a multiple of four, none with its
// highest bit set.
BY_HAND_INLINE std::size_t rank_of(std::uint64_t number, const std::uint64_t* numbers, std::size_t count) {
    const __m256i own = _mm256_set1_epi64x(static_cast<long long>(number));
    __m256i less = _mm256_setzero_si256();
    for (std::size_t i = 0; i < count; i += 4) {
        const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers + i));
        less = _mm256_sub_epi64(less, _mm256_cmpgt_epi64(own, four));
    }
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(less), _mm256_extracti128_si256(less, 1));
    return static_cast<std::size_t>(_mm_extract_epi64(two, 0) + _mm_extract_epi64(two, 1));
}

struct Columns {
    __m256 x0, y0, x1, y1;
};
BY_HAND_INLINE __m256 two_apart(const Corners* box) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&box->x0)), _mm_load_ps(&box[4].x0), 1);
}
BY_HAND_INLINE Columns columns_of(const Corners* eight) {
    const __m256 a = two_apart(eight), b = two_apart(eight + 1), c = two_apart(eight + 2),
                 d = two_apart(eight + 3);
    const __m256 low_x = _mm256_unpacklo_ps(a, c), low_y = _mm256_unpacklo_ps(b, d),
                 high_x = _mm256_unpackhi_ps(a, c), high_y = _mm256_unpackhi_ps(b, d);
    const __m256 sign = _mm256_set1_ps(-0.0f);
    return {_mm256_unpacklo_ps(low_x, low_y), _mm256_unpackhi_ps(low_x, low_y),
            _mm256_xor_ps(_mm256_unpacklo_ps(high_x, high_y), sign),
            _mm256_xor_ps(_mm256_unpackhi_ps(high_x, high_y), sign)};
}
struct Times {
    __m256 entry, exit;
};
BY_HAND_INLINE Times times_on(const Axis& axis, __m256 low, __m256 high) {
    const __m256 start_low = _mm256_set1_ps(axis.low), start_high = _mm256_set1_ps(axis.high);
    if (!axis.moves) {
        const __m256 touches = _mm256_and_ps(_mm256_cmp_ps(low, start_high, _CMP_LE_OQ),
                                             _mm256_cmp_ps(start_low, high, _CMP_LE_OQ));
        const __m256 never = _mm256_set1_ps(infinity), always = _mm256_set1_ps(-infinity);
        return {_mm256_blendv_ps(never, always, touches), _mm256_blendv_ps(always, never, touches)};
    }
    const __m256 inverse = _mm256_set1_ps(axis.inverse);
    const __m256 at_low = _mm256_mul_ps(_mm256_sub_ps(low, start_high), inverse),
                 at_high = _mm256_mul_ps(_mm256_sub_ps(high, start_low), inverse);
    return axis.forward ? Times{at_low, at_high} : Times{at_high, at_low};
}
// When eight boxes are touched, and which of them until then, 1 at the latest.
BY_HAND_INLINE Mask touched(const Corners* eight, const Axis& x, const Axis& y, float latest, float* times) {
    const Columns boxes = columns_of(eight);
    const Times on_x = times_on(x, boxes.x0, boxes.x1), on_y = times_on(y, boxes.y0, boxes.y1);
    const __m256 time = _mm256_max_ps(_mm256_max_ps(on_x.entry, on_y.entry), _mm256_setzero_ps());
    _mm256_storeu_ps(times, time);
    const __m256 leaves_later = _mm256_cmp_ps(time, _mm256_min_ps(on_x.exit, on_y.exit), _CMP_LE_OQ),
                 early = _mm256_cmp_ps(time, _mm256_set1_ps(latest), _CMP_LE_OQ);
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_and_ps(leaves_later, early)));
}

#else

inline Mask overlapping(const Corners* eight, const Corners& probe) {
    Mask mask = 0;
    for (unsigned i = 0; i < lanes; ++i) mask |= Mask{overlaps(eight[i], probe)} << i;
    return mask;
}
template <class Write>
void for_each_bit(Mask mask, const Write& write) {
    for (; mask != 0; mask &= mask - 1) write(static_cast<unsigned>(std::countr_zero(mask)));
}
inline std::uint32_t* append(std::uint32_t* to, const std::uint32_t* eight, Mask mask) {
    for_each_bit(mask, [&](unsigned i) { *to++ = eight[i]; });
    return to;
}
inline std::uint32_t* append(std::uint32_t* to, std::size_t first, Mask mask) {
    for_each_bit(mask, [&](unsigned i) { *to++ = static_cast<std::uint32_t>(first + i); });
    return to;
}
inline Pair* append(Pair* to, std::uint32_t self, const std::uint32_t* eight, Mask mask) {
    for_each_bit(mask, [&](unsigned i) { *to++ = {self, eight[i]}; });
    return to;
}
inline Found* append(Found* to, const std::uint32_t* eight, const float* distances, Mask mask) {
    for_each_bit(mask, [&](unsigned i) { *to++ = {eight[i], distances[i]}; });
    return to;
}
inline std::uint64_t* append(std::uint64_t* to, const std::uint32_t* eight, const float* distances,
                             Mask mask) {
    for_each_bit(mask, [&](unsigned i) { *to++ = key_of({eight[i], distances[i]}); });
    return to;
}
inline Mask equal(const std::uint32_t* eight, std::uint32_t id) {
    Mask mask = 0;
    for (unsigned i = 0; i < lanes; ++i) mask |= Mask{eight[i] == id} << i;
    return mask;
}
inline Mask above(const std::uint32_t* eight, std::uint32_t id) {
    Mask mask = 0;
    for (unsigned i = 0; i < lanes; ++i) mask |= Mask{eight[i] > id} << i;
    return mask;
}
inline Mask within(const float* xs, const float* ys, float x, float y, float limit, float* distances) {
    Mask mask = 0;
    for (unsigned i = 0; i < lanes; ++i) {
        const float dx = xs[i] - x, dy = ys[i] - y, xx = dx * dx, yy = dy * dy;
        distances[i] = xx + yy;
        mask |= Mask{distances[i] <= limit} << i;
    }
    return mask;
}
inline std::size_t rank_of(std::uint64_t number, const std::uint64_t* numbers, std::size_t count) {
    std::size_t less = 0;
    for (std::size_t i = 0; i < count; ++i) less += numbers[i] < number;
    return less;
}
struct Times {
    float entry, exit;
};
inline Times times_on(const Axis& axis, float low, float high) {
    if (!axis.moves)
        return low <= axis.high && axis.low <= high ? Times{-infinity, infinity} : Times{infinity, -infinity};
    const float at_low = (low - axis.high) * axis.inverse, at_high = (high - axis.low) * axis.inverse;
    return axis.forward ? Times{at_low, at_high} : Times{at_high, at_low};
}
inline Mask touched(const Corners* eight, const Axis& x, const Axis& y, float latest, float* times) {
    Mask mask = 0;
    for (unsigned i = 0; i < lanes; ++i) {
        const Times on_x = times_on(x, eight[i].x0, eight[i].x1()),
                    on_y = times_on(y, eight[i].y0, eight[i].y1());
        float time = on_x.entry < on_y.entry ? on_y.entry : on_x.entry;
        if (!(time > 0)) time = 0;
        times[i] = time;
        mask |= Mask{time <= latest && time <= on_x.exit && time <= on_y.exit} << i;
    }
    return mask;
}

#endif

}  // namespace throng::bench::by_hand
