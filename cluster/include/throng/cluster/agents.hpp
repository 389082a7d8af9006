// Agents as a rank hands them in, and as it finds them afterwards.
#pragma once

#include <cstddef>
#include <span>

#include "throng/boxes.hpp"
#include "throng/cluster/status.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"

namespace throng::cluster {

// What a rank happens to hold: views of the host's arrays, which need to live only as long as the call. They
// may be those that `owned()` gave, or parts of these in their order; boxes that are made of numbers in there
// in another way, as by a stride shorter than a box, have to be copied first.
struct Agents {
    std::span<const GlobalId> ids;
    Boxes boxes;
    // If a rank gives labels, the agents of those that give none have the default one.
    Labels labels = {};
    // ClusterConfig::payload_bytes for each agent: whatever has to travel with it.
    std::span<const std::byte> payload = {};
    // A rank that has nothing to hand in since a step of its own has failed says so here. Then the frame is
    // refused on all ranks, with what the lowest of these ranks says.
    ClusterStatus failed = {};
};

// The agents of a frame that are on this rank, by ascending id. Valid until the next `update` that succeeds.
struct Table {
    std::span<const GlobalId> ids;
    std::span<const Box> boxes;
    // Empty if no agent of the cluster has a label.
    std::span<const Label> labels;
    // Empty for ghosts.
    std::span<const std::byte> payload;

    std::size_t size() const noexcept { return ids.size(); }
};

}  // namespace throng::cluster
