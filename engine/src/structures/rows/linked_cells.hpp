// Packs a row whose cells are linked lists. Elements are scattered in memory, so all cells that are not empty are
// listed first: then those ahead can be prefetched.
//
//     cells    [ a -> b ][ - ][ - ][ c -> d -> e ][ f ]         heads    [ a ][ c ][ f ]
//                                                               packed   [ a ][ b ][ c ][ d ][ e ][ f ]
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/src/structures/rows/neighbour_rows.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::detail {

class LinkedCells {
public:
    LinkedCells(const NeighbourRows& rows, PackedRow& to) noexcept
        : to_(to),
          heads_(rows.list()),
          begins_(rows.other_list()),
          room_(rows.room()),
          columns_(rows.columns()) {}

    // Whether so many more cells may be added.
    bool has_room(std::uint32_t cells) const noexcept { return count_ + cells <= room_; }
    // Cells in the order of their columns; empty ones may be left out. Branch-free, since cells are empty or not
    // unpredictably.
    void add(std::uint32_t column, ElementId head) noexcept {
        while (next_column_ <= column) to_.cells[next_column_++] = count_;
        heads_[count_] = head;
        count_ += head != no_element;
    }
    // Calls `write(element, i)` for the elements of all cells, to make each the i-th of the packed row. Returns
    // false if there is not enough room. Few cells have more than two elements: two are always written for
    // each, and counted afterwards.
    template <class Elements, class Write>
    [[nodiscard]] bool pack(const Elements& elements, Write&& write) noexcept {
        while (next_column_ < columns_) to_.cells[next_column_++] = count_;
        const ElementId* const heads = heads_;
        ElementId* const ids = to_.id;
        const std::uint32_t cells = count_, room = room_;
        const ElementId some = elements.range() - 1;
        const auto at = [&](ElementId id) -> const auto& { return elements[std::min(id, some)]; };
        const auto ahead = [&](std::uint32_t i, std::uint32_t by) -> const auto& {
            return elements[heads[std::min(i + by, cells - 1)]];
        };
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < cells; ++i) {
            __builtin_prefetch(&ahead(i, look_ahead));
            __builtin_prefetch(&at(ahead(i, look_ahead * 2 / 3).next));
            __builtin_prefetch(&at(at(ahead(i, look_ahead / 3).next).next));
            begins_[i] = count;
            ElementId id = heads[i];
            const auto copy = [&] {
                const auto& element = at(id);
                write(element, count);
                ids[count] = id;
                count += id != no_element;
                id = element.next | (0u - (id == no_element));
            };
            copy();
            copy();
            for (; id != no_element; copy())
                if (count >= room) return false;
            if (count > room) return false;
        }
        begins_[cells] = to_.count = count;
        for (std::uint32_t c = 0; c < columns_; ++c) to_.cells[c] = begins_[to_.cells[c]];
        return true;
    }

private:
    // How many cells ahead of the copied one elements are prefetched.
    static constexpr std::uint32_t look_ahead = 48;

    PackedRow& to_;
    ElementId* const heads_;
    std::uint32_t* const begins_;  // where the elements of each head begin
    const std::uint32_t room_, columns_;
    std::uint32_t count_ = 0, next_column_ = 0;
};

}  // namespace throng::detail
