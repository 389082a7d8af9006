// Access to the parts of a row (simd/types.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "engine/src/frame/world_map.hpp"
#include "engine/src/memory/traits.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

using simd::arrays_of_a_row;
using simd::cells_in;
using simd::RowLayout;

// The most bytes that all rows of a map can need, however the agents are spread: so the same block serves
// frame after frame.
inline std::size_t max_bytes_of_rows(const WorldMap& map, std::size_t agents, simd::Extras extras) noexcept {
    std::size_t bytes = agents * arrays_of_a_row(extras) * sizeof(float);
    for (std::uint32_t r = 0; r < map.regions(); ++r)
        bytes += RowLayout::most_bytes(0, map.rows_of(r), map.grid_of_region(r).columns, extras);
    return bytes;
}

// The five arrays of a row, for reading.
struct RowArrays {
    const float *min_x, *min_y, *max_x, *max_y;
    const AgentId* id;

    explicit RowArrays(const simd::Row& row) noexcept
        : min_x(row.data),
          min_y(row.data + row.stride),
          max_x(row.data + std::size_t{2} * row.stride),
          max_y(row.data + std::size_t{3} * row.stride),
          id(reinterpret_cast<const AgentId*>(row.data + std::size_t{4} * row.stride)) {}
    Box box(std::size_t i) const noexcept { return {min_x[i], min_y[i], max_x[i], max_y[i]}; }
};

// Makes bounds include others.
inline void add(simd::Bounds& all, const simd::Bounds& more) noexcept {
    all = {std::min(all.min_x, more.min_x), std::min(all.min_y, more.min_y),
           std::min(all.negated_max_x, more.negated_max_x), std::min(all.negated_max_y, more.negated_max_y)};
}
// Where the oversized agents of a row begin.
inline std::uint32_t oversized_begin(const simd::Row& row) noexcept { return row.count + simd::gap; }
// Where they end: with the last of them, or, in a row that is not dense, with the last slot.
inline std::uint32_t oversized_end(const simd::Row& row) noexcept {
    return row.is_dense() ? oversized_begin(row) + row.oversized : row.stride;
}
// The first of some numbers, begin..end, of which all that are `before` come first; found without a branch
// that depends on them.
template <class Before>
std::uint32_t first_not(std::uint32_t begin, std::uint32_t end, Before&& before) noexcept {
    for (std::uint32_t left = end - begin; left != 0; left -= (left + 1) / 2)
        begin += before(begin + (left - 1) / 2) ? (left + 1) / 2 : 0;
    return begin;
}
// The slot of an oversized agent in its row, where ids ascend, or the slot where it would be.
inline std::uint32_t slot_in_tail(const simd::Row& row, AgentId id) noexcept {
    const AgentId* ids = RowArrays(row).id;
    return first_not(oversized_begin(row), oversized_end(row), [&](std::uint32_t i) { return ids[i] < id; });
}
// The same of any agent by its column: that of oversized ones is `columns`.
inline std::uint32_t slot_in_cell(const simd::Row& row, std::uint32_t columns, std::uint32_t column,
                                  AgentId id) noexcept {
    if (column == columns) return slot_in_tail(row, id);
    const AgentId* ids = RowArrays(row).id;
    return first_not(row.cells[column], row.cells[column + 1], [&](std::uint32_t i) { return ids[i] < id; });
}
// How many agents a row has in cells, and in all.
inline std::uint32_t common_agents_in(const simd::Row& row) noexcept { return row.common(); }
inline std::size_t agents_in(const simd::Row& row) noexcept {
    return std::size_t{common_agents_in(row)} + row.oversized;
}

// --- Agents, one after the other ---------------------------------------------------------------------------
//
// Code that reads rows through these functions need not know that some slots, called holes, have no agent. A
// row with very many agents gets holes when it is edited. An agent that comes then moves only the agents up
// to the next hole, and one that leaves moves none:
//
//     ids      3  5  .  8 | 2  7  .  .          . is a hole, with the id of an agent before it
//     insert 4: it takes the slot of 5, and 5 the hole's
//
// The coordinates of a hole are NaN, so no test of boxes finds it, and its label is empty. Its id keeps the
// ids of its cell in order; of equal ones the agent's comes first. A row with holes has at least one among
// its common agents, which marks it as such. Its oversized agents have some as well, and all slots behind
// them are holes. Behind the cells are notes, so that a commit need not read the whole row.

// Whether a slot has an agent. In a dense row all slots have, up to the gap.
inline bool has_agent(const simd::Row& row, std::size_t i) noexcept { return row.data[i] == row.data[i]; }

// The note of a chunk of slots: how many are holes, the largest of its agents, and their bounds.
struct RowChunk {
    static constexpr std::uint32_t slots = 64;
    std::uint32_t holes;
    simd::RowReach reach;
    simd::Bounds bounds;
};
static_assert(sizeof(RowChunk) == 28 && alignof(RowChunk) == alignof(std::uint32_t));

// The layout of a row with holes: that of any row, with the notes behind it.
struct PatchLayout {
    std::uint32_t stride;
    std::size_t bytes;

    PatchLayout(std::uint32_t row_stride, std::uint32_t columns, simd::Extras extras) noexcept
        : stride(row_stride),
          bytes(((std::size_t{arrays_of_a_row(extras)} * stride + columns + 1) * sizeof(float) +
                 (stride / RowChunk::slots + std::size_t{1}) * sizeof(RowChunk) + 63) /
                64 * 64) {}
};
// The chunks of a row that has holes.
inline const RowChunk* chunks_of(const simd::Row& row, std::uint32_t columns) noexcept {
    return reinterpret_cast<const RowChunk*>(row.cells + columns + 1);
}
inline std::uint32_t chunk_count(const simd::Row& row) noexcept { return row.count / RowChunk::slots + 1; }

// How many holes are among the slots [begin, end).
inline std::uint32_t holes_between(const simd::Row& row, std::uint32_t begin, std::uint32_t end) noexcept {
    std::uint32_t holes = 0;
    for (std::uint32_t i = begin; i < end; ++i) holes += !has_agent(row, i);
    return holes;
}
// How many agents are in a cell.
inline std::uint32_t agents_in_cell(const simd::Row& row, std::uint32_t columns,
                                    std::uint32_t column) noexcept {
    if (row.count == 0) return 0;
    const std::uint32_t begin = row.cells[column], end = row.cells[column + 1];
    if (row.is_dense()) return end - begin;
    constexpr std::uint32_t chunk = RowChunk::slots;
    const std::uint32_t first = (begin + chunk - 1) / chunk, last = end / chunk;
    if (first >= last) return end - begin - holes_between(row, begin, end);
    std::uint32_t holes = holes_between(row, begin, first * chunk) + holes_between(row, last * chunk, end);
    for (std::uint32_t k = first; k < last; ++k) holes += chunks_of(row, columns)[k].holes;
    return end - begin - holes;
}
// The slot of the n-th common agent of a row.
inline std::uint32_t slot_of(const simd::Row& row, std::uint32_t columns, std::uint32_t n) noexcept {
    if (row.is_dense()) return n;
    constexpr std::uint32_t chunk = RowChunk::slots;
    std::uint32_t i = 0;
    for (std::uint32_t here; (here = chunk - chunks_of(row, columns)[i / chunk].holes) <= n; i += chunk)
        n -= here;
    while (!has_agent(row, i) || n-- != 0) ++i;
    return i;
}

// Calls use(begin, end) for the runs of slots that have the common agents [first, last).
template <class Use>
void for_each_run(const simd::Row& row, std::size_t first, std::size_t last, Use&& use) noexcept {
    if (first >= last) return;
    if (row.is_dense()) return use(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
    std::size_t number = 0;
    for (std::uint32_t i = 0; number < last && i < row.count;) {
        while (i < row.count && !has_agent(row, i)) ++i;
        std::uint32_t end = i;
        while (end < row.count && has_agent(row, end)) ++end;
        const std::size_t from = std::max(first, number), to = std::min(last, number + (end - i));
        if (from < to)
            use(static_cast<std::uint32_t>(i + (from - number)),
                static_cast<std::uint32_t>(i + (to - number)));
        number += end - i;
        i = end;
    }
}
// The same for all common agents.
template <class Use>
void for_each_run(const simd::Row& row, Use&& use) noexcept {
    for_each_run(row, 0, common_agents_in(row), use);
}
// Calls visit(slot) for the oversized agents of a row.
template <class Visit>
void for_each_oversized(const simd::Row& row, Visit&& visit) noexcept {
    for (std::uint32_t i = oversized_begin(row), end = oversized_end(row); i < end; ++i)
        if (has_agent(row, i)) visit(i);
}
// The same for the common agents [begin, end) by their slots, such as those of a cell.
template <class Visit>
void for_each_slot(const simd::Row& row, std::uint32_t begin, std::uint32_t end, Visit&& visit) noexcept {
    for (std::uint32_t i = begin; i < end; ++i)
        if (has_agent(row, i)) visit(i);
}
// The same for all agents of a row.
template <class Visit>
void for_each_slot(const simd::Row& row, Visit&& visit) noexcept {
    for_each_slot(row, 0, row.count, visit);
    for_each_oversized(row, visit);
}

// --- Labels and heights, and the categories in stretches ---------------------------------------------------

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

// Writes the labels of the agents in a row, which stand at the place of their ids, and clears the gap.
// Returns the categories that all of them have.
std::uint32_t gather_labels(const simd::Row& row, simd::Extras extras, const Labels& labels) noexcept;
// The same in the order of some ids, which are ascending.
std::uint32_t gather_labels(const simd::Row& row, simd::Extras extras, const Labels& labels,
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

// --- Writing -----------------------------------------------------------------------------------------------

// Writes agents one after the other, from slot `at` on.
class RowWriter {
public:
    RowWriter(float* data, std::uint32_t stride, simd::Extras extras, std::uint32_t at = 0) noexcept
        : data_(data), stride_(stride), arrays_(arrays_of_a_row(extras)), at_(at) {}

    std::uint32_t at() const noexcept { return static_cast<std::uint32_t>(at_); }
    // Between two edits there are a few agents: too few for a call.
    THRONG_ALWAYS_INLINE void copy(const simd::Row& from, std::uint32_t begin, std::uint32_t end) noexcept {
        if (begin == end) return;
        for (std::size_t k = 0; k < arrays_; ++k)
            std::memcpy(data_ + k * stride_ + at_, from.data + k * from.stride + begin,
                        (end - begin) * sizeof(float));
        at_ += end - begin;
    }
    void put(const Box& box, AgentId id) noexcept {
        data_[at_] = box.min_x;
        data_[std::size_t{1} * stride_ + at_] = box.min_y;
        data_[std::size_t{2} * stride_ + at_] = box.max_x;
        data_[std::size_t{3} * stride_ + at_] = box.max_y;
        reinterpret_cast<AgentId*>(data_ + std::size_t{4} * stride_)[at_] = id;
        ++at_;
    }
    // Sets the traits of the last agent that was written.
    void traits(const Traits& traits) noexcept {
        const auto words = bits_as<std::array<std::uint32_t, 4>>(traits);
        for (std::size_t k = 5; k < arrays_; ++k)
            reinterpret_cast<std::uint32_t*>(data_ + k * stride_)[at_ - 1] = words[k - 5];
    }
    void pad() noexcept {
        for (std::size_t k = 0; k < 4; ++k)
            std::fill_n(data_ + k * stride_ + at_, simd::gap, simd::not_a_number);
        at_ += simd::gap;
    }

private:
    float* data_;
    std::uint32_t stride_;
    std::uint32_t arrays_;
    std::size_t at_;  // as wide as an address, so that the compiler can count addresses up
};

}  // namespace throng::detail
