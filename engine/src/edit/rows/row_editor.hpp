// Makes a row from an old one and its edits. Runs of agents between two edits are copied unchanged, so a row
// with few edits costs little more than a copy:
//
//     old   [ cell 0 | cell 1     | cell 2 | ... ]          from: the read position
//                            x  removed
//     new   [ cell 0 | cell 1 | + | cell 2 | ... ]          to: the write position
//                               inserted
//
// Both advance together, except that an insertion advances only `to` and a removal only `from`. So the start
// of a cell shifts by the distance between the two.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "engine/src/frame/row_layout.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// For an agent with other traits the box stays.
enum class RowEditKind : std::uint8_t { insert, replace, other_traits, remove };

struct RowEdit {
    std::uint32_t row;
    std::uint32_t column;  // `columns` for oversized agents
    AgentId id;
    std::uint32_t edit;  // the index of its staged edit
    RowEditKind kind;
};

class RowWriter {
public:
    // Writes from slot `at` on.
    RowWriter(float* data, std::uint32_t stride, simd::Extras extras, std::uint32_t at = 0) noexcept
        : data_(data), stride_(stride), arrays_(arrays_of_a_row(extras)), at_(at) {}

    std::uint32_t at() const noexcept { return at_; }
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
            std::fill_n(data_ + k * stride_ + at_, simd::gap, std::numeric_limits<float>::quiet_NaN());
        at_ += simd::gap;
    }

private:
    float* data_;
    std::uint32_t stride_;
    std::uint32_t arrays_;
    std::uint32_t at_;
};

// The slot of an id in [from, end), with ascending ids, or the slot before which it belongs. If all agents
// are edited it is the first, which the processor foresees. It cannot foresee where a halving ends.
inline std::uint32_t slot_of(AgentId id, const AgentId* ids, std::uint32_t from, std::uint32_t end) noexcept {
    if (from < end && ids[from] == id) return from;
    return static_cast<std::uint32_t>(std::lower_bound(ids + from, ids + end, id) - ids);
}

// The edits are sorted by column and then by id, with at most one for each agent. `data` has the bytes of a
// RowLayout for the new number of agents, which is not zero. `box_of(edit)` is the new box of a staged edit,
// and `traits_of(edit)` its traits, if rows have them.
template <class BoxOf, class TraitsOf>
simd::Row edit_row(const simd::Row& old, std::uint32_t columns, simd::Extras extras,
                   std::span<const RowEdit> edits, float* data, std::uint32_t stride, BoxOf&& box_of,
                   TraitsOf&& traits_of) noexcept {
    RowWriter to(data, stride, extras);
    std::uint32_t* const cells = cells_in(data, stride, extras);
    const AgentId* ids = old.data == nullptr ? nullptr : RowArrays(old).id;
    std::uint32_t from = 0, cell = 0;
    const auto begin_cells = [&](std::uint32_t end, std::uint32_t shift) {
        for (; cell < end; ++cell) cells[cell] = (ids == nullptr ? 0 : old.cells[cell]) + shift;
    };
    // One edit inside the old agents [from, end) of its cell. Inlined twice: a commit takes 5 % less.
    const auto apply = [&](const RowEdit& edit, std::uint32_t end) THRONG_ALWAYS_INLINE_LAMBDA {
        const std::uint32_t slot = ids == nullptr ? from : slot_of(edit.id, ids, from, end);
        to.copy(old, from, slot);
        from = slot + (edit.kind == RowEditKind::insert ? 0u : 1u);
        if (edit.kind == RowEditKind::remove) return;
        edit.kind == RowEditKind::other_traits ? to.copy(old, slot, slot + 1)
                                               : to.put(box_of(edit.edit), edit.id);
        if (has_labels(extras)) to.traits(traits_of(edit.edit));
    };

    std::size_t e = 0;
    for (; e < edits.size() && edits[e].column < columns; ++e) {
        const std::uint32_t column = edits[e].column;
        // Cells up to this one shift by the distance between the two positions.
        begin_cells(column + 1, to.at() - from);
        if (ids != nullptr && from < old.cells[column]) {
            to.copy(old, from, old.cells[column]);
            from = old.cells[column];
        }
        apply(edits[e], ids == nullptr ? 0 : old.cells[column + 1]);
    }
    begin_cells(columns + 1, to.at() - from);
    to.copy(old, from, old.count);
    const std::uint32_t count = to.at();
    to.pad();

    from = oversized_begin(old);
    for (; e < edits.size(); ++e) apply(edits[e], oversized_begin(old) + old.oversized);
    to.copy(old, from, oversized_begin(old) + old.oversized);
    const simd::Row row{data, cells, stride, count, to.at() - count - simd::gap};
    clear_trait_gap(row, extras);
    return row;
}

}  // namespace throng::detail
