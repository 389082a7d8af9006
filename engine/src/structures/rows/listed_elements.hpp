// Writes the elements of linked lists for a row: all first ones, then all second ones, and so on. No branch depends on how
// long a list is, and elements, which are anywhere in memory, are asked for long before they are read:
//
//     lists    a -> b    c -> d -> e    f         written    a c f b d e
#pragma once

#include <algorithm>
#include <cstdint>

#include "throng/structures/spatial_index.hpp"

namespace throng::detail {

inline constexpr std::uint32_t no_room = 0xFFFFFFFFu;

// `lists` has the first element of each list, and is overwritten. Calls `write(element, id, i)` for the i-th. Returns
// how many there are, or `no_room` if they are more than `room`.
template <class Elements, class Write>
[[nodiscard]] std::uint32_t write_lists(const Elements& elements, ElementId* lists, std::uint32_t count,
                                        std::uint32_t room, Write&& write) noexcept {
    constexpr std::uint32_t look_ahead = 32;
    const ElementId some = elements.range() - 1;
    const auto fetch = [&](ElementId id) { __builtin_prefetch(&elements[std::min(id, some)]); };
    for (std::uint32_t i = 0; i < std::min(count, look_ahead); ++i) fetch(lists[i]);
    std::uint32_t written = 0;
    for (bool first = true; count != 0; first = false) {
        if (room - written < count) return no_room;
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (first) fetch(lists[std::min(i + look_ahead, count - 1)]);
            const ElementId id = lists[i];
            const auto& element = elements[id];
            write(element, id, written++);
            const ElementId next = element.next;
            fetch(next);
            lists[left] = next;
            left += next != no_element;
        }
        count = left;
    }
    return written;
}

}  // namespace throng::detail
