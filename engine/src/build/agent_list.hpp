// The agents of a frame that is built from scratch.
#pragma once

#include <cstddef>

#include "engine/src/memory/traits.hpp"
#include "simd/types.hpp"
#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

struct AgentList {
    Boxes boxes;
    const AgentId* ids = nullptr;  // null if agent i has id i
    Labels labels;                 // empty if all are the default one
    Heights heights;               // empty if all have every height
    bool traits_are_by_id = true;  // otherwise in the order of the boxes, with ascending ids
    bool ids_ascend = true;

    simd::Extras extras() const noexcept {
        if (!heights.empty()) return simd::Extras::heights;
        return labels.empty() ? simd::Extras::none : simd::Extras::labels;
    }
    // The part that a frame with these extras has.
    void set_traits(const Traits* first, std::size_t count, simd::Extras of_frame) noexcept {
        labels = has_labels(of_frame) ? labels_in(first, count) : Labels();
        heights = has_heights(of_frame) ? heights_in(first, count) : Heights();
    }
    Traits traits(std::size_t i) const noexcept { return {labels[i], heights[i]}; }
};

}  // namespace throng::detail
