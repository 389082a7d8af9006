// What the agents of a row have beside their boxes, labels and heights: the layout (drawn in simd/types.hpp),
// and the categories that occur in its stretches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/memory/traits.hpp"
#include "simd/types.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

static_assert(sizeof(Label) == 8);
static_assert(no_group == simd::no_id && no_agent == simd::no_id &&
              Label{}.categories == simd::default_category);

// The label arrays of a row of a frame with labels.
struct RowLabels {
    const std::uint32_t *categories, *group;

    explicit RowLabels(const simd::Row& row) noexcept
        : categories(RowArrays(row).id + row.stride), group(categories + row.stride) {}
    Label label(std::size_t i) const noexcept { return {categories[i], group[i]}; }
};
// The height arrays of a row of a frame with heights.
struct RowHeights {
    const float *min_z, *max_z;

    explicit RowHeights(const simd::Row& row) noexcept
        : min_z(row.data + std::size_t{7} * row.stride), max_z(min_z + row.stride) {}
    Band height(std::size_t i) const noexcept { return {min_z[i], max_z[i]}; }
};
// The default ones of what rows with these extras do not have.
inline Traits traits_in(const simd::Row& row, simd::Extras extras, std::size_t i) noexcept {
    Traits traits;
    if (has_labels(extras)) traits.label = RowLabels(row).label(i);
    if (has_heights(extras)) traits.height = RowHeights(row).height(i);
    return traits;
}

// The stretches of a row in the table of a frame, and one spare; the same for all rows.
inline std::uint32_t stretch_stride(const WorldMap& map) noexcept {
    return simd::stretches_in(map.max_columns()) + 1;
}
// Entries of the whole table. A vector may read past the last.
inline std::size_t stretch_entries(const WorldMap& map) noexcept {
    return std::size_t{map.rows()} * stretch_stride(map) + simd::gap;
}

// Writes what the agents in a row have beside their boxes, which stands at the place of their ids. Returns
// the categories that all of them have.
std::uint32_t gather_traits(const simd::Row& row, const Labels& labels, const Heights& heights) noexcept;
// The same in the order of some ids, which are ascending.
std::uint32_t gather_traits(const simd::Row& row, const Labels& labels, const Heights& heights,
                            std::span<const AgentId> ids) noexcept;
// Clears the slots between the common agents and the oversized ones.
void clear_trait_gap(const simd::Row& row, simd::Extras extras) noexcept;
// The categories of the common agents in one stretch of a row that has agents. No more of them are looked at
// once these are all that can be there.
std::uint32_t note_stretch(const simd::Row& row, std::uint32_t columns, std::uint32_t s,
                           std::uint32_t possible = 0xFFFFFFFFu) noexcept;
// Records the categories of a row's common agents, stretch by stretch. A row without agents has none.
void note_stretches(const simd::Row& row, std::uint32_t columns, std::uint32_t stride,
                    std::uint32_t* stretches) noexcept;
// The same of a dense row whose agents all have the default label.
void note_usual_stretches(const simd::Row& row, std::uint32_t columns, std::uint32_t stride,
                          std::uint32_t* stretches) noexcept;

}  // namespace throng::detail
