// Boxes of a row, packed in the order of their lower edges on one axis: the input of a sweep. The layout is
// that of a row (simd/types.hpp), with the gap, so the same comparisons work on them; and each has its slot
// in its original row.
#pragma once

#include "simd/kernels/pairs/close.hpp"
#include "simd/kernels/vectors.hpp"

namespace throng::simd {

// An LSD radix sort of floats with a number each: byte by byte of the bits, the lowest byte first. It is
// stable, takes the same steps for any initial order, and skips bytes that are all equal.
template <class V>
struct RadixSort {
    // The two zeros get one key.
    static std::uint32_t key(float x) { return Vectors<V>::ordered_bits(x == 0 ? 0.0f : x); }
    static std::uint64_t entry(float x, std::uint32_t number) { return std::uint64_t{key(x)} << 32 | number; }
    static std::uint32_t number(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

    // Sorts entries by their floats. Returns where they are now: in `entries`, or in `spare`.
    template <class Steps>
    static std::uint64_t* sort(std::uint64_t* entries, std::uint64_t* spare, std::uint32_t count,
                               Steps& steps) {
        std::uint32_t counts[4][256];
        for (auto& digit : counts)
            for (std::uint32_t& c : digit) c = 0;
        for (std::uint32_t i = 0; i < count; ++i)
            for (int digit = 0; digit < 4; ++digit) ++counts[digit][entries[i] >> (32 + 8 * digit) & 255];
        steps.add(count);
        for (int digit = 0; digit < 4; ++digit) {
            const int shift = 32 + 8 * digit;
            if (count == 0 || counts[digit][entries[0] >> shift & 255] == count) continue;
            std::uint32_t sum = 0;
            for (std::uint32_t& c : counts[digit]) {
                const std::uint32_t own = c;
                c = sum;
                sum += own;
            }
            for (std::uint32_t i = 0; i < count; ++i)
                spare[counts[digit][entries[i] >> shift & 255]++] = entries[i];
            steps.add(count);
            std::uint64_t* other = entries;
            entries = spare;
            spare = other;
        }
        return entries;
    }
};

// Cuts scratch memory into arrays.
struct ScratchCutter {
    char* next;
    template <class T>
    T* take(std::size_t count) {
        T* at = reinterpret_cast<T*>(next);
        next += (count * sizeof(T) + 63) / 64 * 64;
        return at;
    }
};

template <class V>
struct SortedBoxes {
    enum Axis : std::uint32_t { x = 0, y = 1 };
    // `arrays` is how many a row of these boxes has.
    static constexpr std::uint32_t plain_arrays = arrays_of_a_row(Extras::none),
                                   labelled_arrays = arrays_of_a_row(Extras::labels),
                                   most_arrays = arrays_of_a_row(Extras::heights);
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    Row row{};
    std::uint32_t* slot = nullptr;

    const float* begins(Axis axis) const { return row.data + std::size_t{axis} * row.stride; }
    const float* ends(Axis axis) const { return row.data + std::size_t{axis + 2} * row.stride; }

    static std::size_t bytes(std::uint32_t arrays, std::size_t count) {
        return (count + gap) * 4 * (arrays + 1) + 64 * 2;
    }
    static float* empty_row(SortedBoxes& boxes, std::uint32_t arrays, std::uint32_t count,
                            ScratchCutter& cutter) {
        const std::uint32_t stride = count + gap;
        float* data = cutter.take<float>(std::size_t{stride} * arrays);
        boxes.row = {data, nullptr, stride, count, 0};
        boxes.slot = cutter.take<std::uint32_t>(stride);
        for (std::uint32_t k = 0; k < gap; ++k) {
            for (std::size_t a = 0; a < 4; ++a) data[a * stride + count + k] = not_a_number;
            for (std::size_t a = 4; a < arrays; ++a) data[a * stride + count + k] = 0.0f;
            boxes.slot[count + k] = 0;
        }
        return data;
    }
    static void copy(const Row& from, std::uint32_t at, float* to, std::uint32_t stride, std::uint32_t slot,
                     std::uint32_t arrays) {
        for (std::size_t a = 0; a < arrays; ++a)
            std::memcpy(to + a * stride + slot, from.data + a * from.stride + at, sizeof(float));
    }
    // Packs the boxes whose slots are given as the numbers of sorted entries.
    static SortedBoxes pack(const Row& from, const std::uint64_t* entries, std::uint32_t count,
                            std::uint32_t arrays, ScratchCutter& cutter) {
        SortedBoxes boxes;
        float* data = empty_row(boxes, arrays, count, cutter);
        for (std::uint32_t k = 0; k < count; ++k) {
            boxes.slot[k] = RadixSort<V>::number(entries[k]);
            copy(from, boxes.slot[k], data, boxes.row.stride, k, arrays);
        }
        return boxes;
    }
};

// Some agents of a row: those of a list of slots, or the slots [first, first + count).
struct Chosen {
    const Row* row;
    const std::uint32_t* list;
    std::uint32_t first, count;
    std::uint32_t at(std::uint32_t k) const { return list != nullptr ? list[k] : first + k; }
};

// The axis along which boxes overlap less: where their extents are smaller relative to their spread. Sums are
// taken in a fixed order, so every instruction set decides the same.
template <class V>
struct AxisChoice {
    using Boxes = SortedBoxes<V>;
    double low[2] = {3.5e38, 3.5e38}, high[2] = {-3.5e38, -3.5e38}, extent[2] = {0, 0};

    // Of boxes that reach so much further.
    THRONG_NOINLINE THRONG_KERNEL void add(const Chosen& some, float further) {
        for (std::uint32_t k = 0; k < some.count; ++k)
            for (std::size_t axis = 0; axis < 2; ++axis) {
                const float* begin = some.row->data + axis * some.row->stride + some.at(k);
                const double from = begin[0], to = begin[std::size_t{2} * some.row->stride];
                if (!(from <= to)) continue;  // no agent
                low[axis] = from < low[axis] ? from : low[axis];
                high[axis] = from > high[axis] ? from : high[axis];
                extent[axis] += to - from + further;
            }
    }
    typename Boxes::Axis best() const {
        const double along_x = extent[0] * (high[1] - low[1]), along_y = extent[1] * (high[0] - low[0]);
        return along_x < along_y ? Boxes::x : Boxes::y;
    }
};

// The comparison of a sweep: of boxes, or of agents that are measured, perhaps by a filter.
template <class V>
struct Match {
    using Closer = Closely<V, Close::measured>;
    using Arrays = typename Closer::Arrays;
    using Box = typename Closer::template PairProbe<typename V::Wide>;
    using Labelled = typename Admission<V>::Labelled;
    using Boxes = SortedBoxes<V>;
    struct PairProbe {
        Box box;
        Labelled admitted;
        std::uint32_t overlap(const Arrays& a, std::size_t j) const {
            return Both<Box, Labelled>{box, admitted}.overlap(a, j);
        }
        bool measures() const { return box.measures(); }
        std::uint32_t close_among(std::uint32_t found, const Arrays& a, std::size_t j) const {
            return box.close_among(found, a, j);
        }
        std::uint32_t counted(std::uint32_t found, std::uint32_t close) const {
            return box.counted(found, close);
        }
    };

    const MeasuredView& world;

    // How many arrays of a row are looked at.
    std::uint32_t arrays() const {
        const WantedPairs& wanted = world.wanted;
        return wanted.by_height  ? Boxes::most_arrays
               : wanted.by_label ? Boxes::labelled_arrays
                                 : Boxes::plain_arrays;
    }
    float up(float edge) const { return edge + world.further; }
    PairProbe probe(const Arrays& a, std::uint32_t i) const {
        return {{world, a, i}, Labelled(filter_of(a, i))};
    }
    LabelFilter filter_of(const Arrays& a, std::uint32_t i) const {
        return world.wanted.has_filter() ? partners_of(world.wanted, a, i)
                                         : LabelFilter{all_of_them, no_id, no_id};
    }
    // Whether two agents are a pair, if their boxes overlap.
    bool admits(const Arrays& a, std::uint32_t one, std::uint32_t other) const {
        return !(world.measures || world.wanted.has_filter()) || admits_apart(a, one, other);
    }

private:
    // A join asks in many places.
    THRONG_NOINLINE THRONG_KERNEL bool admits_apart(const Arrays& a, std::uint32_t one,
                                                    std::uint32_t other) const {
        if (world.measures && !Box(world, a, one).is_close(a, other)) return false;
        const LabelFilter f = filter_of(a, one);
        return (f.categories == all_of_them || is_wanted(a.categories[other], f.categories)) &&
               (f.not_in_group == no_id || a.group[other] != f.not_in_group) &&
               (!f.by_height || (a.min_z[other] <= f.max_z && f.min_z <= a.max_z[other]));
    }
};

}  // namespace throng::simd
