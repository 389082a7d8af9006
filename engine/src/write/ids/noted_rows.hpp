// In which rows an update found its agents: what its first step notes for the third one, and leaves behind.
// It is where to look first for an agent of a later frame, which may be elsewhere by then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/row_groups.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

struct NotedRows {
    std::span<const std::uint16_t> bundle_of;  // by id
    std::span<const std::uint32_t> bundles;    // the first row of each, and then the number of rows

    // None for an id of which nothing is noted.
    RowGroup of(AgentId id) const noexcept {
        if (id >= bundle_of.size()) return {0, 0};
        return {bundles[bundle_of[id]], bundles[bundle_of[id] + std::size_t{1}]};
    }
};

}  // namespace throng::detail
