// Sorts the records of a row by column, by the kernel that makes the engine's rows: for structures that keep
// each element in one piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/kernels.hpp"
#include "simd/row_kernels.hpp"
#include "simd/types.hpp"
#include "structures/src/rows/carver.hpp"

namespace throng::structures::detail {

class RecordSorter {
public:
    RecordSorter(Carver& carver, std::size_t most) noexcept
        : stride_(static_cast<std::uint32_t>((most + simd::gap + 15) / 16 * 16)),
          data_(carver.take<simd::Record>(stride_)),
          scratch_(carver.take<std::byte>(simd::sort_scratch(most))) {}

    // What it returns holds until the next call; `cells` get where each column begins, and where the last one
    // ends.
    struct Sorted {
        simd::Row row;
        simd::RowReach reach;
        simd::SortScratch scratch;

        const simd::Record& operator[](std::uint32_t i) const noexcept {
            return scratch.records[scratch.order[i]];
        }
    };
    Sorted sort(const simd::Kernels& kernels, const simd::Grid& grid, const simd::Record* records,
                std::uint32_t count, std::uint32_t* cells) const noexcept {
        simd::RowSummary summary;
        const simd::Row row =
            kernels.rows->sort_row(grid, records, &data_->min_x, stride_, cells, count, scratch_, summary);
        return {row, summary.reach, {scratch_, count}};
    }

private:
    std::uint32_t stride_;
    simd::Record* data_;
    std::byte* scratch_;
};

}  // namespace throng::structures::detail
