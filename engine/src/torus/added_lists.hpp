// Lists of a call, and what images of its queries add to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/src/memory/growth.hpp"
#include "engine/src/store/spaces.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

// The lists of a call, one behind the other. The nearest come by distance.
struct FlatLists {
    Buffer<std::uint64_t>& offsets;
    Buffer<AgentId>& ids;
    Buffer<float>* distances;  // null if there are none
    std::uint32_t max_count;   // of the nearest; otherwise zero
    bool repeats;              // whether an agent may be added that is in the list already
};
// What images found: image i has the answers from offsets[i] to offsets[i + 1].
struct FoundByImages {
    const std::uint64_t* offsets;
    const AgentId* ids;
    const float* distances;
};

// Adds what `space.keys` names: the number of a list, followed by that of an image, in any order.
[[nodiscard]] bool add_by_keys(const FlatLists& lists, const FoundByImages& found,
                               TorusSpace& space) noexcept;

// Puts the answers of each of these images behind the list list_of(image), those of earlier images first, and
// each agent once: at its first place, and at its least distance. The nearest stay in order, and as many as
// they may be. Returns false if there is no memory; then the lists are void.
template <class ListOf>
[[nodiscard]] bool add_to_lists(const FlatLists& lists, const FoundByImages& found,
                                const parallel::Range& images, const ListOf& list_of,
                                TorusSpace& space) noexcept {
    space.keys.clear();
    if (images.end > std::numeric_limits<std::uint32_t>::max()) return false;
    for (std::size_t i = images.begin; i < images.end; ++i)
        if (found.offsets[i] != found.offsets[i + 1] &&
            !space.keys.push_back(std::uint64_t{list_of(i)} << 32 | i))
            return false;
    return add_by_keys(lists, found, space);
}

}  // namespace throng::detail
