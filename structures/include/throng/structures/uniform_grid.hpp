// UniformGrid: for elements of about one size, such as people (after Dragon Energy, Stack Overflow 41946007).
// It assumes the largest allowed size for every element, so it stores no sizes: an element is a point, its
// centre, and is in exactly one cell. It takes the least memory of all structures, about 18 bytes an element.
//
//     +--------+--------+      A query box is grown by half of the largest size, and every element with
//     |   .  +-|----+   |      its centre in the grown box is an answer. Two elements are a pair if their
//     |      |.|    |   |      centres are no further apart than the largest size, along both axes.
//     +------+-+----+---+
//     | .    +-|----+ . |      Cells are lists through the elements, and lie row by row; they are higher than
//     |        |        |      wide, so that most partners of an element are in its own row.
//     +--------+--------+
//
// Answers are candidates: `box(id)` has the largest size around the element's centre and encloses the true
// box, so results are a superset; filter them against the true boxes. An element that does not fit is refused
// with `too_large`, and belongs in another structure. Every box no larger than `largest_size` fits if it is
// within the extents; far outside them, floats are too coarse to guarantee that.
//
// Costs: an insertion takes constant time; a removal, and a move to another cell, walk the list of the old
// cell, which has about one element, or all that stand at one point. A query visits the cells under the grown
// box. All pairs are found row by row: two rows of cells at a time are copied in order, for the kernel that
// finds the engine's own pairs. Memory: 12 bytes and a bit for each element, 4 for each cell, and for pairs
// about 72 for each element of the fullest row. Up to 135 more for each that has to be swept, if hundreds
// share a cell without being pairs. Elements may lie outside the extents: the outermost cells hold them.
//
// Worst worlds (spatial_index.hpp): where a crowd shares a cell, queries take 5,500 times as long. Pairs are
// swept, and take 5 times as long. Where the extents hold a few villages or a queue, queries take 10 times as
// long. If the extents are stretched by one element light years away, floats become so coarse that nearly all
// elements are candidates of each other. Walls as long as the world do the same. Put outliers and walls into
// another structure.
#pragma once

#include <cstdint>

#include "throng/export.hpp"
#include "throng/structures/structure.hpp"

namespace throng::structures {

class THRONG_API UniformGrid : public DynamicStructure {
public:
    static constexpr bool answers_are_candidates = true;
    // A configuration with more cells gets larger cells.
    static constexpr std::uint32_t max_cells = std::uint32_t{1} << 24;

    struct Config {
        Box extents;
        float largest_size = 1;  // of any element, along either axis
        float cell_size = 2;     // a cell covers about the square of it; best is about one element a cell
    };
    static Config recommended(const Expected& expected) noexcept;

    // `status` may be `bad_config`, `unknown_isa`, `unsupported_isa` or `out_of_memory`. An edit may be
    // refused with `too_large`. `clean_up` does nothing: edits leave nothing to clean up.
    explicit UniformGrid(const Config& config, MemoryResource* memory = nullptr) noexcept;

    struct State;
};

}  // namespace throng::structures
