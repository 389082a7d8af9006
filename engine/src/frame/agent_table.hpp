// The boxes and labels of a frame's agents by id. It is made when a host first asks for one of them, and goes back to
// its pool when the frame is dropped.
//
//     pages     [ 0 ]  [ none ]  [ 1 ] ...      64 ids each
//     boxes     the boxes of page 0, of page 1 ...
//
// A world that was once large may have a few agents with large ids left; a page that no agent needs takes four bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/src/frame/frame_state.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class AgentTable {
public:
    explicit AgentTable(MemoryResource* memory) noexcept : pages_(memory), boxes_(memory), labels_(memory) {}

    // Returns false if there is no memory.
    [[nodiscard]] bool build(const FrameState& frame) noexcept;

    // `no_box` for an id that is not in use.
    const Box& box(AgentId id) const noexcept {
        const std::size_t at = place(id);
        return at == nowhere ? no_box : boxes_[at];
    }
    // The default label for an id that is not in use.
    Label label(AgentId id) const noexcept {
        const std::size_t at = place(id);
        return at == nowhere || labels_.size() == 0 ? Label{} : labels_[at];
    }

    AgentTable* next = nullptr;

private:
    static constexpr std::size_t ids_in_a_page = 64;
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    std::size_t place(AgentId id) const noexcept {
        const std::size_t page = id / ids_in_a_page;
        if (page >= pages_.size() || pages_[page] == none) return nowhere;
        return pages_[page] * ids_in_a_page + id % ids_in_a_page;
    }
    std::uint32_t number_pages(const FrameState& frame) noexcept;

    Buffer<std::uint32_t> pages_;
    Buffer<Box> boxes_;
    Buffer<Label> labels_;
};

// The table of a frame, made by the first call; null if there is no memory for it. Threads that call meanwhile wait.
const AgentTable* agent_table(const FrameState& frame) noexcept;
// The same without a table, by a search through all rows.
Box find_box(const FrameState& frame, AgentId id) noexcept;
Label find_label(const FrameState& frame, AgentId id) noexcept;

}  // namespace throng::detail
