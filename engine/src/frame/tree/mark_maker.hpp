// Makes marks (simd/row_kernels.hpp) of a sample of oversized agents. Each mark divides its part of the
// sample by an edge, or by how upright boxes are: by the one that leaves the smaller halves. Halves have
// equal numbers, unless there is a wide gap.
//
// Sizes are counted in edges of the sample, not in lengths, which say nothing if agents are spread over
// octaves. The sample lies in the order of each, so a half is one run of each order.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/row_kernels.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

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

}  // namespace throng::detail
