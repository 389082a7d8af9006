// Agents as a rank hands them in, and as it finds them afterwards.
#pragma once

#include <cstddef>
#include <span>

#include "throng/boxes.hpp"
#include "throng/cluster/status.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"

namespace throng::cluster {

// The agents that a rank holds: views of the host's arrays, which need to live only as long as the call. They
// may be the arrays of `owned()` and `in_place()`, or parts of them in the same order, also with a stride. Of
// boxes in pages, none may lie in these arrays.
struct Agents {
    std::span<const GlobalId> ids;
    Boxes boxes;
    // If a rank gives labels, agents of ranks without labels have the default one.
    Labels labels = {};
    // ClusterConfig::payload_bytes for each agent: data that travels with it.
    std::span<const std::byte> payload = {};
    // As labels: agents of ranks without heights have every height.
    Heights heights = {};
    // A rank without agents because a step of its own failed says so here. Then the frame is refused on all
    // ranks, with the status of the lowest such rank.
    ClusterStatus failed = {};
};

// The agents of a frame that are on this rank, by ascending id. Valid until the next `update` that succeeds.
struct Table {
    std::span<const GlobalId> ids;
    std::span<const Box> boxes;
    // Without an address if no agent of the cluster has a label.
    std::span<const Label> labels;
    // Likewise if no rank gives heights.
    std::span<const Band> heights;
    // Ghosts have the first ClusterConfig::ghost_payload_bytes of each, one after another.
    std::span<const std::byte> payload;

    std::size_t size() const noexcept { return ids.size(); }
};

// The boxes, the payload and the heights of `owned()`, to be written.
struct InPlace {
    std::span<Box> boxes;
    std::span<std::byte> payload;
    // Without an address if no rank gives heights.
    std::span<Band> heights;
};

}  // namespace throng::cluster
