// Puts what images found into the lists of a call: behind the earlier answers, each agent once, or, for the
// nearest, by distance. Lists lie one behind the other, so lists behind one that grows are moved.
#pragma once

#include <cstdint>

#include "engine/src/store/spaces.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

struct FlatLists {
    Buffer<std::uint64_t>& offsets;
    Buffer<AgentId>& ids;
    Buffer<float>* distances;  // null if there are none
    std::uint32_t max_count;   // of the nearest; otherwise zero
    bool repeats;              // whether an agent may be added that is in the list already
};

// Adds `space.added`, in any order of the lists. Returns false if there is no memory; then the lists are
// void.
[[nodiscard]] bool add_to_lists(const FlatLists& lists, TorusSpace& space) noexcept;

}  // namespace throng::detail
