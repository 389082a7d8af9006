// Makes marks (simd/types.hpp) of a sample of oversized agents: each halves its part of the sample by the edge that leaves the
// smaller halves.
//
// Sizes are counted in edges of the sample, not in lengths: a length says nothing where agents are spread over octaves. The sample
// lies in the order of each of the four edges, so a half is one run of each order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

class MarkMaker {
public:
    static constexpr std::size_t most = 2048, fewest_in_part = 4;
    static std::uint32_t levels_for(std::size_t count) noexcept;
    static std::size_t bytes_for(std::uint32_t levels) noexcept {
        return sizeof(simd::TreeMarks) + (sizeof(simd::TreeMarks::Mark) << levels);
    }

    // `marks` has room for as many levels as there are for so many boxes.
    void make(std::size_t count, simd::TreeMarks& marks) noexcept;

    std::array<Box, most> boxes;

private:
    static constexpr std::size_t edges = 4;

    std::uint32_t bits_at(std::uint32_t edge, std::size_t place) const noexcept;
    void rank_edges(std::uint32_t axis) noexcept;
    std::uint64_t size_of(std::uint32_t edge, std::size_t begin, std::size_t end) const noexcept;
    std::uint32_t best_edge(std::size_t begin, std::size_t middle, std::size_t end) const noexcept;
    void halve(std::uint32_t edge, std::size_t begin, std::size_t middle, std::size_t end) noexcept;
    void divide_part(simd::TreeMarks::Mark& part, std::size_t begin, std::size_t end) const noexcept;

    struct Edge {
        std::uint32_t bits, number;
    };

    std::size_t count_;
    // Of each box: the number of each edge among all of its axis, of upper ones from the end.
    std::array<std::array<std::uint16_t, edges>, most> ranks_;
    std::array<std::array<std::uint16_t, most>, edges> by_edge_;
    std::array<std::uint16_t, most> spare_;
    std::array<std::uint8_t, most> in_upper_;
    std::array<Edge, 2 * most> sorted_, other_;
};

}  // namespace throng::detail
