// The storeys of a region: their views, and the agents that begin on them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/src/frame/world_map.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

// The last part of a region's view. The views of storeys are that of their region, except for the place of
// their rows. Only what is not on the storey is looked for elsewhere. `layers` has the views of all regions.
inline void finish_storeys(const WorldMap& map, std::uint32_t region, simd::View* layers, simd::View& view,
                           simd::Storeys& storeys) noexcept {
    if (!map.has_storeys(region)) return;
    const std::uint32_t rows = view.grid.rows;
    std::size_t between = 0;
    for (std::uint32_t r = 0; r < rows; ++r) between += view.rows[r].count;
    layers += map.first_layer(region);
    storeys = {&map.floors(), between == 0, layers};
    view.storeys = &storeys;
    view.is_all = view.is_plain = false;
    for (std::uint32_t layer = 0; layer < map.layers(region); ++layer) {
        simd::View& own = layers[layer] = view;
        own.rows += layer * rows;
        if (own.stretches != nullptr) own.stretches += std::size_t{layer} * rows * own.stretches_in_row;
        own.is_all = storeys.between_is_empty && own.node_count == 0 && own.islands == nullptr;
    }
}

// Puts agents of an update, or queries of a batch, on their storeys. They are counted in rows as if all were
// between storeys. `band_of(i)` is the band of one of them. `rows_of_layer(row)` is how many rows a layer has
// in the region of a row, or 0 if that has no storeys.
template <class BandOf, class RowsOfLayer>
void lead_to_storeys(const simd::RowKernels& kernels, const simd::Floors& floors, std::size_t count,
                     const BandOf& band_of, const RowsOfLayer& rows_of_layer, std::uint16_t* row_of,
                     std::uint32_t* histogram) noexcept {
    constexpr std::size_t at_once = 256;
    std::array<float, at_once> min_z, max_z;
    std::array<std::uint8_t, at_once> storey_of;
    for (std::size_t first = 0; first < count; first += at_once) {
        const std::size_t some = std::min(at_once, count - first);
        for (std::size_t k = 0; k < some; ++k) {
            const Band band = band_of(first + k);
            min_z[k] = band.min_z;
            max_z[k] = band.max_z;
        }
        kernels.find_storeys(floors, min_z.data(), max_z.data(), some, storey_of.data());
        for (std::size_t k = 0; k < some; ++k) {
            std::uint16_t& row = row_of[first + k];
            --histogram[row];
            row = static_cast<std::uint16_t>(row + storey_of[k] * rows_of_layer(row));
            ++histogram[row];
        }
    }
}

}  // namespace throng::detail
