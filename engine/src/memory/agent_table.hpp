// The boxes and traits of a frame's agents by id, and its piles and crowded cells (simd/types.hpp). Each of
// the three is made when a call first needs it (engine/src/frame/lookup). The table goes back to its pool
// when the frame is dropped.
//
//     pages     [ 0 ]  [ none ]  [ 1 ] ...      64 ids each
//     boxes     the boxes of page 0, of page 1 ...
//
// A world that was once large may have a few agents with large ids left; a page that no agent needs takes
// four bytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/src/memory/traits.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

struct AgentTable {
    static constexpr std::size_t ids_in_a_page = 64;
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    explicit AgentTable(MemoryResource* memory) noexcept
        : pages(memory),
          boxes(memory),
          traits(memory),
          piles(memory),
          crowded_cells(memory),
          chunk_bounds(memory) {}

    // The place of an id's box, if there is a page for it.
    std::size_t slot(AgentId id) const noexcept {
        const std::size_t page = id / ids_in_a_page;
        if (page >= pages.size() || pages[page] == none) return nowhere;
        return pages[page] * ids_in_a_page + id % ids_in_a_page;
    }
    // `no_box` for an unused id.
    const Box& box(AgentId id) const noexcept {
        const std::size_t at = slot(id);
        return at == nowhere ? no_box : boxes[at];
    }
    // The default ones for an unused id.
    Traits traits_of(AgentId id) const noexcept {
        const std::size_t at = slot(id);
        return at == nowhere || traits.size() == 0 ? Traits{} : traits[at];
    }

    Buffer<std::uint32_t> pages;
    Buffer<Box> boxes;
    Buffer<Traits> traits;                    // none in a frame without labels
    Buffer<simd::Pile> piles;                 // by address
    Buffer<simd::CrowdedCell> crowded_cells;  // by address
    Buffer<float> chunk_bounds;
    std::atomic<bool> has_boxes{false}, has_piles{false}, has_crowded_cells{false};
    AgentTable* next = nullptr;
};

}  // namespace throng::detail
