// Makes marks (simd/row_kernels.hpp) of a sample of oversized agents. Each mark divides its part of the
// sample by an edge, or by how upright boxes are: by the one that leaves the smaller halves. Halves have
// equal numbers, unless there is a wide gap.
//
// Sizes are counted in edges of the sample, not in lengths, which say nothing if agents are spread over
// octaves. The sample lies in the order of each, so a half is one run of each order.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>

#include "base/sample.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"
#include "simd/row_kernels.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

std::uint32_t bits_of(const Box& box, std::uint32_t edge) noexcept {
    if (edge == simd::TreeMarks::upright)
        return simd::TreeMarks::how_upright(box.max_x - box.min_x, box.max_y - box.min_y);
    return ordered_bits(detail::bits_as<std::array<float, 4>>(box)[edge]);
}

#if THRONG_HAS_VECTORS
// What is known of a box, as one vector, which compilers turn into the vectors of any processor.
using Numbers THRONG_VECTOR(16) = std::int16_t;
using Sums THRONG_VECTOR(16) = std::uint32_t;
#endif

class MarkMaker {
public:
    static constexpr std::size_t most = 4096, fewest_in_part = 4;
    static std::uint32_t levels_for(std::size_t count) noexcept {
        return static_cast<std::uint32_t>(std::bit_width(count / fewest_in_part)) - 1;
    }
    // For marks among `count` agents.
    static std::size_t bytes_for(std::size_t count) noexcept {
        const std::uint32_t levels = levels_for(count);
        return sizeof(simd::TreeMarks) + (sizeof(simd::TreeMarks::Part) << levels) +
               sizeof(simd::TreeMarks::Branch) * simd::TreeMarks::branches_for(levels);
    }
    static std::size_t scratch_for(std::size_t count) noexcept { return count * sizeof(Sampled); }

    // In memory of that size.
    MarkMaker(std::size_t count, std::byte* scratch) noexcept;

    std::span<Box> boxes() const noexcept { return boxes_; }
    // Once the boxes are there.
    void make(simd::TreeMarks& marks) noexcept;

private:
    static constexpr std::size_t edges = 4;
    struct Edge {
        std::uint32_t bits, number;
    };
    // The number of each edge of a box among all edges of its axis, counted from the end for upper ones; and
    // how many are between.
    using Outside = std::array<std::int16_t, edges>;
    struct alignas(16) Ranks {
        Outside outside;
        std::array<std::uint32_t, 2> own;
    };
    // The scratch memory of each agent of the sample.
    struct Sampled {
        Box box;
        Edge sorted[2], other[2];
        Ranks ranks;
        std::uint16_t by_edge[edges + 1], spare, in_upper;
    };

    std::uint32_t bits_at(std::uint32_t edge, std::size_t at) const noexcept;
    const Edge* sort_edges(std::size_t count) noexcept;
    void rank_edges(std::uint32_t axis) noexcept;
    // In edges of the sample: around some boxes, and the sum of their own.
    struct Extent {
        std::array<std::uint64_t, 2> around, own;
    };
    std::uint32_t inside(const Outside& outside, std::size_t axis) const noexcept;
    Extent extent_of(std::uint32_t edge, std::size_t begin, std::size_t end) const noexcept;
    std::uint64_t size_of(std::uint32_t edge, std::size_t begin, std::size_t end) const noexcept;
    void order_by_upright() noexcept;
    struct Cut {
        std::uint32_t edge;
        std::size_t middle;
    };
    std::size_t find_cut(std::uint32_t edge, std::size_t begin, std::size_t end,
                         std::size_t parts) const noexcept;
    Cut best_cut(std::uint32_t orders, std::size_t begin, std::size_t end, std::size_t parts) const noexcept;
    void halve(std::uint32_t edge, std::size_t begin, std::size_t middle, std::size_t end) noexcept;
    void divide_part(simd::TreeMarks::Part& part, std::size_t begin, std::size_t end) const noexcept;

    std::span<Box> boxes_;
    std::span<Edge> sorted_, other_;
    std::span<Ranks> ranks_;
    std::array<std::span<std::uint16_t>, edges + 1> by_edge_;  // the last one by how upright boxes are
    std::span<std::uint16_t> spare_, in_upper_;
};

MarkMaker::MarkMaker(std::size_t count, std::byte* scratch) noexcept {
    const auto take = [&scratch](auto& array, std::size_t size) {
        using T = typename std::remove_reference_t<decltype(array)>::element_type;
        array = {reinterpret_cast<T*>(scratch), size};
        scratch += array.size_bytes();
    };
    take(boxes_, count);
    take(sorted_, 2 * count);
    take(other_, 2 * count);
    take(ranks_, count);
    for (std::span<std::uint16_t>& order : by_edge_) take(order, count);
    take(spare_, count);
    take(in_upper_, count);
}

std::uint32_t MarkMaker::bits_at(std::uint32_t edge, std::size_t at) const noexcept {
    return bits_of(boxes_[by_edge_[edge][at]], edge);
}

const MarkMaker::Edge* MarkMaker::sort_edges(std::size_t count) noexcept {
    return radix_sort<8>(sorted_.data(), other_.data(), count, [](const Edge& edge) { return edge.bits; });
}

void MarkMaker::rank_edges(std::uint32_t axis) noexcept {
    const std::size_t all = sorted_.size();
    for (std::uint32_t number = 0; number < all; ++number)
        sorted_[number] = {bits_of(boxes_[number / 2], axis + number % 2 * 2), number};
    const Edge* const sorted = sort_edges(all);
    std::array<std::size_t, 2> at{};
    for (std::size_t rank = 0; rank < all; ++rank) {
        const std::uint32_t number = sorted[rank].number, upper = number % 2, edge = axis + upper * 2;
        by_edge_[edge][at[upper]++] = static_cast<std::uint16_t>(number / 2);
        ranks_[number / 2].outside[edge] = static_cast<std::int16_t>(upper == 0 ? rank : all - 1 - rank);
    }
    for (Ranks& ranks : ranks_) ranks.own[axis] = inside(ranks.outside, axis);
}

void MarkMaker::order_by_upright() noexcept {
    const std::size_t count = boxes_.size();
    for (std::uint32_t number = 0; number < count; ++number)
        sorted_[number] = {bits_of(boxes_[number], simd::TreeMarks::upright), number};
    const Edge* const sorted = sort_edges(count);
    for (std::size_t k = 0; k < count; ++k)
        by_edge_[simd::TreeMarks::upright][k] = static_cast<std::uint16_t>(sorted[k].number);
}

// How many edges of an axis are not outside. None, if an upper edge of -0 is before a lower one of 0.
std::uint32_t MarkMaker::inside(const Outside& outside, std::size_t axis) const noexcept {
    const int left = static_cast<int>(sorted_.size()) - outside[axis] - outside[axis + 2];
    return static_cast<std::uint32_t>(std::max(left, 0));
}

MarkMaker::Extent MarkMaker::extent_of(std::uint32_t edge, std::size_t begin,
                                       std::size_t end) const noexcept {
#if THRONG_HAS_VECTORS
    Numbers least = Numbers{} + std::numeric_limits<std::int16_t>::max();
    Sums sums{};
    for (std::size_t i = begin; i < end; ++i) {
        const auto ranks = detail::bits_as<Numbers>(ranks_[by_edge_[edge][i]]);
        least = ranks < least ? ranks : least;
        sums += detail::bits_as<Sums>(ranks);
    }
    const Outside outside = detail::bits_as<Ranks>(least).outside;
    return {{inside(outside, 0), inside(outside, 1)}, {sums[2], sums[3]}};
#else
    Outside outside;
    outside.fill(std::numeric_limits<std::int16_t>::max());
    std::array<std::uint32_t, 2> own{};
    for (std::size_t i = begin; i < end; ++i) {
        const Ranks& ranks = ranks_[by_edge_[edge][i]];
        for (std::size_t k = 0; k < outside.size(); ++k) outside[k] = std::min(outside[k], ranks.outside[k]);
        for (std::size_t k = 0; k < own.size(); ++k) own[k] += ranks.own[k];
    }
    return {{inside(outside, 0), inside(outside, 1)}, {own[0], own[1]}};
#endif
}

// How bad it is to have some boxes in one part: the area around them times their number, since a search that
// meets the area compares them all; and `weight` times the area of their mean width and mean height, which is
// large if wide and tall boxes share a part. The weight was measured.
std::uint64_t MarkMaker::size_of(std::uint32_t edge, std::size_t begin, std::size_t end) const noexcept {
    const Extent extent = extent_of(edge, begin, end);
    const std::uint64_t count = end - begin;
    constexpr std::uint64_t weight = 20;
    return extent.around[0] * extent.around[1] * count + weight * (extent.own[0] * extent.own[1] / count);
}

// Where an order is cut in two: at a gap of about a third of its range, if the middle of the range lies in
// one and each part still gets some of the sample, or else at the middle box. Wide and tall boxes, or two
// crowds, are mostly not equally many.
std::size_t MarkMaker::find_cut(std::uint32_t edge, std::size_t begin, std::size_t end,
                                std::size_t parts) const noexcept {
    // With few agents the middle is as good.
    constexpr std::size_t least_parts = 8, in_each = 2;
    const std::size_t middle = begin + (end - begin) / 2, fewest = in_each * (parts / 2);
    if (parts < least_parts && edge != simd::TreeMarks::upright) return middle;
    std::size_t cut = begin + fewest, last = end - fewest;
    if (cut >= last) return middle;
    const std::uint32_t low = bits_at(edge, begin), range = bits_at(edge, end - 1) - low;
    const auto is_lower = [&](std::size_t at) { return bits_at(edge, at) - low <= range / 2; };
    if (!is_lower(cut - 1) || is_lower(last)) return middle;
    while (cut != last) {
        const std::size_t probe = cut + (last - cut) / 2;
        if (is_lower(probe))
            cut = probe + 1;
        else
            last = probe;
    }
    return bits_at(edge, cut) - bits_at(edge, cut - 1) > range / 16 * 5 ? cut : middle;
}

// Among the cuts that tell halves apart, the one with the least halves. Together they are divided into
// `parts` parts.
MarkMaker::Cut MarkMaker::best_cut(std::uint32_t orders, std::size_t begin, std::size_t end,
                                   std::size_t parts) const noexcept {
    Cut best{0, begin + (end - begin) / 2};
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t edge = 0; edge < orders; ++edge) {
        const std::size_t middle = find_cut(edge, begin, end, parts);
        if (bits_at(edge, middle - 1) == bits_at(edge, middle)) continue;
        const std::uint64_t size = size_of(edge, begin, middle) + size_of(edge, middle, end);
        if (size < least) least = size, best = {edge, middle};
    }
    return best;
}

// Puts the lower half first in each order.
void MarkMaker::halve(std::uint32_t edge, std::size_t begin, std::size_t middle, std::size_t end) noexcept {
    for (std::size_t i = begin; i < end; ++i) in_upper_[by_edge_[edge][i]] = i < middle ? 0 : 1;
    for (std::uint32_t k = 0; k < by_edge_.size(); ++k) {
        if (k == edge) continue;
        const std::span<std::uint16_t> order = by_edge_[k];
        std::size_t low = begin, high = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint16_t box = order[i], upper = in_upper_[box];
            spare_[high] = box;
            high += upper;
            order[low] = box;
            low += upper ^ 1u;
        }
        std::copy_n(spare_.data(), high, order.data() + low);
    }
}

void MarkMaker::divide_part(simd::TreeMarks::Part& part, std::size_t begin, std::size_t end) const noexcept {
    part.first_edge = best_cut(edges, begin, end, 1).edge;
    // If boxes take up much more of their part's width than of its height, the part is divided by height
    // alone; and likewise the other way round. Extents are counted in ranks, which differ even for equal
    // edges, so edges that are equal for all do not count.
    constexpr std::uint64_t much = 3;
    const Extent extent = extent_of(0, begin, end);
    const std::uint64_t long_in_x = extent.own[0] * extent.around[1],
                        long_in_y = extent.own[1] * extent.around[0];
    const auto tells_apart = [&](std::uint32_t edge) {
        return bits_at(edge, begin) != bits_at(edge, end - 1);
    };
    const std::uint32_t side = part.first_edge & 2u;
    const bool by_y = long_in_x > much * long_in_y && tells_apart(side | 1u),
               by_x = long_in_y > much * long_in_x && tells_apart(side);
    if (by_x || by_y) part.first_edge = side | (by_y ? 1u : 0u);
    for (std::uint32_t k = 0; k < 2; ++k) {
        const std::uint32_t edge = part.first_edge ^ k, low = bits_at(edge, begin);
        // As much again is for agents outside of the sample.
        const std::uint64_t length = std::uint64_t{bits_at(edge, end - 1) - low} + 1;
        const auto width = static_cast<std::uint32_t>(std::bit_width(2 * length));
        part.first[k] = low - static_cast<std::uint32_t>(std::min<std::uint64_t>(low, length / 2));
        part.shift[k] = std::max(width, simd::TreeMarks::rank_bits) - simd::TreeMarks::rank_bits;
        if (k == 1 && (by_x || by_y)) part.shift[k] = 31;
    }
}

void MarkMaker::make(simd::TreeMarks& tree) noexcept {
    const std::size_t count = boxes_.size();
    for (std::uint32_t axis = 0; axis < 2; ++axis) rank_edges(axis);
    order_by_upright();
    tree.levels = levels_for(count);
    auto* const branches = const_cast<simd::TreeMarks::Branch*>(tree.branches());
    std::fill_n(branches, simd::TreeMarks::branches_for(tree.levels), simd::TreeMarks::Branch{});
    const std::size_t parts = std::size_t{1} << tree.levels;
    // Where the half of each mark begins, and, after the marks, each part. It ends where the next one of its
    // level begins.
    std::array<std::uint16_t, 2 * most / fewest_in_part> first{};
    const auto end_of = [&](std::size_t k) {
        return std::has_single_bit(k + 1) ? count : std::size_t{first[k + 1]};
    };
    for (std::size_t k = 1; k < parts; ++k) {
        const std::size_t of = std::bit_floor(k), begin = first[k], end = end_of(k);
        const Cut cut = best_cut(edges + 1, begin, end, parts / of);
        const auto level = static_cast<std::uint32_t>(std::bit_width(k)) - 1,
                   below = std::min(level, (level + 2 * tree.levels) % simd::TreeMarks::levels_at_once);
        const std::size_t top = std::size_t{1} << below, number = k % top + top;
        branches[k >> below].edge[number] = cut.edge;
        // In the middle of the gap: agents outside of the sample are on both sides of those in it.
        const std::uint32_t lower = bits_at(cut.edge, cut.middle - 1), upper = bits_at(cut.edge, cut.middle);
        branches[k >> below].at[number] = upper - (upper - lower) / 2;
        halve(cut.edge, begin, cut.middle, end);
        first[2 * k] = static_cast<std::uint16_t>(begin);
        first[2 * k + 1] = static_cast<std::uint16_t>(cut.middle);
    }
    auto* const part = const_cast<simd::TreeMarks::Part*>(tree.parts());
    for (std::size_t k = 0; k < parts; ++k) divide_part(part[k], first[parts + k], end_of(parts + k));
}

// Fills `boxes` with oversized agents, taken evenly from all rows. Looking at one costs as much as putting it
// into the tree.
std::span<const Box> take_some_oversized(const FrameState& frame, std::span<Box> boxes) noexcept {
    const std::size_t all = frame.view.oversized.count;
    std::size_t r = 0, before = 0;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        const std::size_t number = sampled(k, boxes.size(), all);
        while (number - before >= frame.rows[r].oversized) before += frame.rows[r++].oversized;
        const simd::Row& row = frame.rows[r];
        boxes[k] = RowArrays(row).box(oversized_begin(row) + static_cast<std::uint32_t>(number - before));
    }
    return boxes;
}
// How many are taken: one agent of each `one_of`, at most `most`, or all of `few`.
std::size_t sample_of(const FrameState& frame, std::size_t one_of, std::size_t most) noexcept {
    constexpr std::size_t few = 128;
    const std::size_t all = frame.view.oversized.count;
    return std::min(all, std::clamp(all / one_of, few, most));
}

// A block with marks among a sample of the frame's oversized agents. Null if there is no memory.
Block* make_marks(const FrameState& frame, TreeBlocks& blocks) noexcept {
    const std::size_t count = sample_of(frame, 16, MarkMaker::most);
    Block* const scratch = blocks.take(MarkMaker::scratch_for(count));
    if (scratch == nullptr) return nullptr;
    Block* const block = blocks.take(MarkMaker::bytes_for(count));
    if (block != nullptr) {
        MarkMaker maker(count, scratch->memory);
        (void)take_some_oversized(frame, maker.boxes());
        maker.make(*::new (block->memory) simd::TreeMarks);
    }
    blocks.put_back(scratch);
    return block;
}

// Whether the agents of a sample of the oversized have a rank each on the map, and are not long compared with
// the area that they are spread over. The map goes by their centres, so a leaf of it is as wide as its widest
// agent, and as high as its highest.
bool are_apart(const FrameState& frame) noexcept {
    constexpr std::size_t most = 512;
    std::array<Box, most> boxes;
    std::array<std::uint32_t, most> ranks;
    const std::span oversized = take_some_oversized(frame, std::span(boxes).first(sample_of(frame, 4, most)));
    if (!frame.map.has_cells()) return false;
    TreeRanks(frame, nullptr).find(oversized, ranks.data());
    if (pairs_of_equals<most>({ranks.data(), oversized.size()}) >= oversized.size() / 4) return false;
    const auto width = [](const Box& box) { return double{box.max_x} - box.min_x; };
    const auto height = [](const Box& box) { return double{box.max_y} - box.min_y; };
    Box all = oversized[0];
    for (const Box& box : oversized) all = all.united(box);
    double length = 0;
    for (const Box& box : oversized) length += std::abs(width(box) / width(all) - height(box) / height(all));
    return !(length > static_cast<double>(oversized.size()) / 3);
}

}  // namespace

bool renew_tree_marks(FrameState& frame, TreeBlocks& blocks) noexcept {
    Block* const block = make_marks(frame, blocks);
    if (block != nullptr) blocks.set_marks(frame, block);
    return block != nullptr;
}

bool choose_tree_marks(FrameState& frame, TreeBlocks& blocks) noexcept {
    // So few are in a few leaves, wherever they are, or in a tree in one piece.
    constexpr std::size_t fewest = 64;
    const std::size_t count = frame.view.oversized.count;
    return count <= fewest || (count <= few_oversized && are_apart(frame)) || renew_tree_marks(frame, blocks);
}

}  // namespace throng::detail
