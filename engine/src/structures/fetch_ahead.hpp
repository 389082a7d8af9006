// Asks for an element before a host moves it. Hosts move elements in the order of ids, but elements lie in the order of
// places; without this each move waits for memory.
#pragma once

#include "throng/structures/spatial_index.hpp"

namespace throng::detail {

// `slots` are by id, and `elements` by slot. To be called in the move of `id`; `leads_to(element)` is what a move of the element
// will read besides. Always inlined: GCC takes a function that does nothing else for one without effect, and leaves its
// calls out.
template <class Slots, class Elements, class LeadsTo>
[[gnu::always_inline]] inline void fetch_for_later_moves(const Slots& slots, const Elements& elements,
                                                         ElementId id, LeadsTo&& leads_to) noexcept {
    constexpr ElementId ahead = 12, soon = 5;
    if (slots.range() <= ahead || id >= slots.range() - ahead) return;
    // A free id has a link of the free list instead of a slot.
    if (const auto slot = slots[id + ahead]; slot < elements.range()) __builtin_prefetch(&elements[slot], 1);
    if (const auto slot = slots[id + soon]; slot < elements.range()) {
        const auto* const next = leads_to(elements[slot]);
        __builtin_prefetch(next, 1);
        __builtin_prefetch(reinterpret_cast<const char*>(next + 1) - 1, 1);
    }
}

}  // namespace throng::detail
