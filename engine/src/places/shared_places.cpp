#include "engine/src/places/shared_places.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <new>

#include "engine/src/base/radix_sort.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/curve.hpp"
#include "engine/src/plan/sample.hpp"
#include "engine/src/store/store.hpp"

namespace throng::detail {

std::span<const Box> take_some_oversized(const FrameState& frame,
                                         std::array<Box, max_sampled>& boxes) noexcept {
    constexpr std::size_t one_of = 4, few = 128;
    const std::size_t all = frame.view.oversized.count,
                      wanted = std::min(all, std::clamp(all / one_of, few, max_sampled));
    std::size_t r = 0, before = 0;
    for (std::size_t k = 0; k < wanted; ++k) {
        const std::size_t number = sampled(k, wanted, all);
        while (number - before >= frame.rows[r].oversized) before += frame.rows[r++].oversized;
        const simd::Row& row = frame.rows[r];
        boxes[k] = RowArrays(row).box(oversized_begin(row) + static_cast<std::uint32_t>(number - before));
    }
    return {boxes.data(), wanted};
}

namespace {

// The pairs that share a place of a curve.
std::size_t pairs_sharing(const Curve& curve, std::span<const Box> oversized) noexcept {
    std::array<std::uint32_t, max_sampled> places;
    curve.places(oversized, places.data());
    return pairs_of_equals<max_sampled>({places.data(), oversized.size()});
}

bool are_few(const FrameState& frame) noexcept { return frame.view.oversized.count <= frame.agents / 16; }

// What so many pairs in a sample come to in the whole frame.
std::uint64_t pairs_in_frame(const FrameState& frame, std::size_t in_sample, std::size_t sample) noexcept {
    if (are_few(frame)) return 0;
    const double sure = surely(in_sample);
    const double weight = static_cast<double>(frame.view.oversized.count) / static_cast<double>(sample);
    return static_cast<std::uint64_t>(sure * weight * weight);
}

// How far apart agents between two marks are on the other axis: the least gap in the sample, divided by how many agents one of
// the sample stands for.
float gap_between(std::span<float> others, float agents_each) noexcept {
    if (others.size() < 3) return 0;
    std::sort(others.begin(), others.end());
    float least = others[1] - others[0];
    for (std::size_t i = 2; i < others.size(); ++i) least = std::min(least, others[i] - others[i - 1]);
    return least / agents_each;
}

// Marks that are closer to each other than agents are apart on the other axis divide nothing: they become one.
void join_marks(simd::AxisMarks& axis, const std::array<float, simd::AxisMarks::count>& gaps) noexcept {
    constexpr std::uint32_t last = simd::AxisMarks::count - 1;
    for (std::uint32_t first = 0, end; first < last; first = end) {
        float gap = gaps[first];
        for (end = first + 1; end < last; ++end) {
            gap = std::min(gap, gaps[end]);
            if (!((axis.at[end + 1] - axis.at[first]) * static_cast<float>(end + 1 - first) < gap)) break;
        }
        if (end - first > 1) std::fill(axis.at + first + 1, axis.at + end, axis.at[first]);
    }
}

template <class Centre, class Other>
void mark(simd::AxisMarks& axis, std::span<const Box> oversized, float agents_each, Centre&& centre,
          Other&& other) noexcept {
    constexpr std::uint32_t last = simd::AxisMarks::count - 1;
    // What is no longer than a rounding error is one place.
    constexpr float shortest = 1e-33f, places = 1u << simd::AxisMarks::bits;
    struct Sampled {
        float centre, other;
    };
    std::array<Sampled, max_sampled> sample, spare;
    std::transform(oversized.begin(), oversized.end(), sample.begin(), [&](const Box& b) {
        return Sampled{centre(b), other(b)};
    });
    const Sampled* const sorted = radix_sort<8>(sample.data(), spare.data(), oversized.size(),
                                                [](const Sampled& one) { return ordered_bits(one.centre); });
    std::fill(std::begin(axis.at), std::end(axis.at), std::numeric_limits<float>::quiet_NaN());
    const auto place_of = [&](std::size_t k) { return k * (oversized.size() - 1) / last; };
    std::array<float, simd::AxisMarks::count> gaps{};
    std::array<float, max_sampled / last + 2> others;
    for (std::uint32_t k = 0; k <= last; ++k) {
        axis.at[k] = sorted[place_of(k)].centre;
        const std::size_t begin = place_of(k), end = k < last ? place_of(k + 1) : begin;
        for (std::size_t i = begin; i < end; ++i) others[i - begin] = sorted[i].other;
        gaps[k] = gap_between({others.data(), end - begin}, agents_each);
    }
    join_marks(axis, gaps);
    for (std::uint32_t k = 0; k <= last; ++k) {
        const float length = axis.at[k + 1] - axis.at[k];
        axis.scale[k] = length > shortest && !(length < gaps[k]) ? places / length : 0;
        axis.places[k] = simd::AxisMarks::even;
        axis.nearest[k] =
            static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(length) >> simd::AxisMarks::octave_shift) -
            (1 << simd::AxisMarks::bits) + 1;
        if (k == last || oversized.size() < 4 * last || length < gaps[k]) continue;
        const float middle = (sorted[place_of(2 * k + 1) / 2].centre - axis.at[k]) / length;
        if (middle < 1.0f / 16) axis.places[k] = simd::AxisMarks::from_below;
        if (middle > 15.0f / 16) axis.places[k] = simd::AxisMarks::from_above;
    }
}

// The rows of some regions that follow each other.
std::span<const simd::Row> rows_of(const FrameState& frame, std::uint32_t region,
                                   std::uint32_t end) noexcept {
    const std::uint32_t first = frame.map.first_row(region),
                        behind = frame.map.first_row(end - 1) + frame.map.grid_of_region(end - 1).rows;
    return {frame.rows.data() + first, behind - first};
}

double agents_in_rows(std::span<const simd::Row> rows) noexcept {
    std::uint64_t agents = 0;
    for (const simd::Row& row : rows) agents += row.count;
    return static_cast<double>(agents);
}

double pairs_in_cells(std::span<const simd::Row> rows, std::uint32_t columns) noexcept {
    std::uint64_t pairs = 0;
    for (const simd::Row& row : rows)
        for (std::uint32_t c = 0; c < columns && row.count != 0; ++c) {
            const std::uint64_t agents = row.cells[c + 1] - row.cells[c];
            pairs += agents * (agents - (agents != 0)) / 2;
        }
    return static_cast<double>(pairs);
}

}  // namespace

std::uint64_t pairs_that_share_places(const FrameState& frame) noexcept {
    if (are_few(frame)) return 0;
    std::array<Box, max_sampled> boxes;
    const std::span<const Box> oversized = take_some_oversized(frame, boxes);
    return pairs_in_frame(frame, pairs_sharing({frame, frame.tree_marks()}, oversized), oversized.size());
}

bool choose_tree_marks(FrameState& frame) noexcept {
    constexpr std::size_t fewest = 64;  // fewer oversized agents are in a few leaves, wherever they are
    if (frame.view.oversized.count < fewest) {
        frame.sharing_places = pairs_that_share_places(frame);
        return true;
    }
    std::array<Box, max_sampled> boxes;
    const std::span<const Box> oversized = take_some_oversized(frame, boxes);
    // Rows without cells do not say where agents are.
    const std::size_t before = frame.map.has_cells() ? pairs_sharing({frame, nullptr}, oversized)
                                                     : oversized.size() * oversized.size();
    frame.sharing_places = pairs_in_frame(frame, before, oversized.size());
    if (before < oversized.size() / 4) return true;
    simd::TreeMarks marks;
    const auto x = [](const Box& b) { return b.min_x * 0.5f + b.max_x * 0.5f; };
    const auto y = [](const Box& b) { return b.min_y * 0.5f + b.max_y * 0.5f; };
    const float agents_each =
        static_cast<float>(frame.view.oversized.count) / static_cast<float>(oversized.size());
    mark(marks.x, oversized, agents_each, x, y);
    mark(marks.y, oversized, agents_each, y, x);
    const std::size_t after = pairs_sharing({frame, &marks}, oversized);
    if (2 * after > before) return true;
    Block* block = frame.store->take(sizeof(simd::TreeMarks));
    if (block == nullptr) return false;
    ::new (block->memory) simd::TreeMarks(marks);
    frame.store->set_marks(frame, block);
    frame.sharing_places = pairs_in_frame(frame, after, oversized.size());
    return true;
}

std::uint64_t pairs_beside_islands(const FrameState& frame) noexcept {
    double pairs = 0;
    for (std::uint32_t c = 0; c < frame.map.cuts(); ++c) {
        const WorldMap::Cut& cut = frame.map.tables().cuts[c];
        const std::span<const simd::Row> open = rows_of(frame, cut.region, cut.region + 1);
        const double agents = agents_in_rows(open);
        if (agents == 0) continue;
        pairs += pairs_in_cells(open, frame.map.grid_of_region(cut.region).columns) *
                 (agents_in_rows(rows_of(frame, cut.first_island, cut.end_island)) / agents);
    }
    return static_cast<std::uint64_t>(pairs);
}

}  // namespace throng::detail
