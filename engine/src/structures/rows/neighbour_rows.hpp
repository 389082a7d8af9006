// All pairs of a grid whose elements reach at most into the next row. Two rows at a time are packed for the
// kernel that finds the engine's own pairs:
//
//     row r + 1    . . j j j j . . .        above
//     row r        . . . i j j j . .        row: searched for pairs within it, and with the row above
//
// A grid packs its rows one after the other, the elements of a row in the order of their columns. It may
// compute these as it likes, if the column of an element is that of its lower left corner up to rounding in
// doubles or floats; the allowances here are wider than that. Which elements reach into the row above is
// found from the lowest one there, so rows may be anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/src/structures/rows/pair_sink.hpp"
#include "engine/src/structures/rows/pair_space.hpp"
#include "simd/kernels.hpp"

namespace throng::detail {

class Carver;

struct PackedRow {
    float *min_x, *min_y, *max_x, *max_y;
    ElementId* id;
    std::uint32_t* cells;  // where each column begins
    std::uint32_t count = 0;
    float lowest = 0, widest = 0;  // the least min_y, and the largest width

    // Writes an element behind the last one, which `count` does not count yet.
    void put(const Box& box, ElementId element) noexcept {
        min_x[count] = box.min_x;
        min_y[count] = box.min_y;
        max_x[count] = box.max_x;
        max_y[count] = box.max_y;
        id[count] = element;
    }
};

class NeighbourRows {
public:
    NeighbourRows(const simd::Kernels& kernels, PackedPairSpace& space, PairAnswers& found) noexcept
        : kernels_(kernels), space_(space), into_(found) {}

    // Makes room for two rows with so many elements and columns, and forgets what they held. Two more elements
    // may be written to each array.
    [[nodiscard]] bool reserve(std::size_t elements, std::size_t columns) noexcept;
    // The columns of the rows to come: where the first one begins, their width and their number.
    void set_columns(double origin, double width, std::uint32_t columns) noexcept;
    // How many elements of a row there is room for, and free memory for a list of them and another one.
    std::uint32_t room() const noexcept { return room_; }
    std::uint32_t* list() const noexcept { return edge_; }
    std::uint32_t* other_list() const noexcept { return other_list_; }
    std::uint32_t columns() const noexcept { return columns_; }

    // The row to be packed next. The one that was packed before becomes the row to search.
    PackedRow& turn() noexcept {
        std::swap(row_, above_);
        above_.count = 0;
        return above_;
    }
    // To be called when a row is packed.
    void packed() noexcept;
    // Finds the pairs of the row with each other and with those above.
    void find() noexcept;
    // Whether the visitor wants no more.
    bool stopped() const noexcept { return into_.stopped(); }
    // The most elements of a row so far.
    std::uint32_t longest() const noexcept { return longest_; }
    // To be called in the end; passes on what the visitor has thrown.
    void finish() { into_.finish(); }

    NeighbourRows(const NeighbourRows&) = delete;
    NeighbourRows& operator=(const NeighbourRows&) = delete;

private:
    void lay_out(Carver& carver, std::size_t elements, std::size_t columns) noexcept;
    simd::Row as_kernel_row(const PackedRow& row) const noexcept;
    void set_edge() noexcept;

    const simd::Kernels& kernels_;
    PackedPairSpace& space_;
    IntoAnswers into_;
    PackedRow row_{}, above_{};
    std::uint32_t stride_ = 0, room_ = 0, longest_ = 0;
    std::uint32_t *edge_ = nullptr, *other_list_ = nullptr;
    simd::View view_{};
    simd::Row rows_[2]{};
    std::uint32_t columns_ = 1;  // of the grid
    // So many neighbouring ones are one for the kernel, which takes no more than 65,520.
    std::uint32_t in_one_ = 1;
    float allowance_ = 0;  // for the rounding of columns
};

}  // namespace throng::detail
