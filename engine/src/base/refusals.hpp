// What all structures refuse that can be used, in one order: an unknown element, then an illegal box, then one
// element too many, then a thread that would look for elements elsewhere. The status is not ok if the call is
// refused.
#pragma once

#include <cstddef>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/limits.hpp"
#include "throng/boxes.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::detail {

template <class Index>
Status refused_elsewhere(const Index& index) noexcept {
    return {index.is_placed_alike() ? Code::ok : Code::other_rounding};
}
// The boxes themselves are for the structure to check.
inline Status refused_assign(const Boxes& boxes, std::size_t most = max_agents) noexcept {
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad, Argument::boxes};
    return {boxes.size() > most ? Code::too_many : Code::ok};
}
template <class Index>
Status refused_insert(const Index& index, const Box& box, std::size_t most = max_agents) noexcept {
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    return index.size() >= most ? Status{Code::too_many} : refused_elsewhere(index);
}
template <class Index>
Status refused_remove(const Index& index, ElementId id) noexcept {
    return index.contains(id) ? refused_elsewhere(index) : Status{Code::unknown_id, 0};
}
template <class Index>
Status refused_move(const Index& index, ElementId id, const Box& box) noexcept {
    if (const Status refused = refused_remove(index, id); !refused) return refused;
    const Code code = check(box);
    return code == Code::ok ? Status{} : Status{code, 0};
}

}  // namespace throng::detail
