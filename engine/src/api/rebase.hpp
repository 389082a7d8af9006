// Shifts boxes to a new origin at (dx, dy).
#pragma once

#include <cstddef>

#include "base/box_check.hpp"
#include "engine/src/write/ids/box_arrays.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng::detail {

inline Box rebased(const Box& b, float dx, float dy) noexcept {
    return {b.min_x - dx, b.min_y - dy, b.max_x - dx, b.max_y - dy};
}

// Every box of some agents, by ascending id; `ids` is null if they count from 0. The status names the first
// agent that would overflow. A box cannot become inverted: subtracting the same value from both edges is
// monotonic, even with rounding.
inline Status rebase_all(BoxArrays& boxes, const AgentId* ids, float dx, float dy) noexcept {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box box = rebased(boxes[i], dx, dy);
        boxes.set(i, box);
        if (const Code code = check(box); code != Code::ok) return {code, ids == nullptr ? i : ids[i]};
    }
    return {};
}

// Neither may be infinite or NaN.
inline Status check_rebase(float dx, float dy) noexcept { return {check(Box{dx, dy, dx, dy})}; }

}  // namespace throng::detail
