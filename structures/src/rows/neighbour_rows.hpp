// All pairs of a grid whose elements reach at most into the next row. Two rows at a time are made by the
// kernel that makes the engine's rows, and searched by the one that finds the engine's pairs:
//
//     row r + 1    . . j j j j . . .        above
//     row r        . . . i j j j . .        row: searched for pairs within it, and with the row above
//
// A grid writes the elements of its rows one row after the other, those of a row in any order. Which of them
// reach into the row above is found from the lowest one there, so rows may be anything; their columns are the
// kernel's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "simd/kernels.hpp"
#include "structures/src/rows/pair_sink.hpp"
#include "structures/src/rows/pair_space.hpp"

namespace throng::structures::detail {

class Carver;

class NeighbourRows {
public:
    NeighbourRows(const simd::Kernels& kernels, PackedPairSpace& space, PairAnswers& found) noexcept
        : kernels_(kernels), space_(space), into_(found) {}

    // Makes room for two rows with these numbers of elements and columns, and forgets what they held.
    [[nodiscard]] bool reserve(std::size_t elements, std::size_t columns) noexcept;
    // The columns of the rows to come: where the first one begins, their width and their number. The best
    // have one or two elements; where there are more than the kernel takes, several become one.
    void set_columns(double origin, double width, std::uint32_t columns) noexcept;
    // How many elements of a row there is room for, and free memory for a list of so many, and a few more.
    std::uint32_t room() const noexcept { return room_; }
    std::uint32_t* list() const noexcept { return reinterpret_cast<std::uint32_t*>(scratch_); }

    // Where the elements of the next row are to be written. The row before becomes the one to search.
    simd::Record* turn() noexcept {
        std::swap(row_, above_);
        above_.row.count = 0;
        return above_.records;
    }
    // Sorts the elements that were written.
    void sort(std::uint32_t count) noexcept;
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
    struct SortedRow {
        simd::Row row;
        simd::Record* records;  // the same memory, before they are sorted
        std::uint32_t* cells;
        float lowest, widest;  // the least min_y, and the largest width
    };

    void lay_out(Carver& carver, std::size_t elements, std::size_t columns) noexcept;
    void set_edge() noexcept;

    const simd::Kernels& kernels_;
    PackedPairSpace& space_;
    IntoAnswers into_;
    SortedRow row_{}, above_{};
    std::uint32_t stride_ = 0, room_ = 0, longest_ = 0;
    // For one at a time: a grid's list, sorting, and the elements that reach into the row above.
    std::byte* scratch_ = nullptr;
    simd::View view_{};
    simd::Row rows_[2]{};
};

}  // namespace throng::structures::detail
