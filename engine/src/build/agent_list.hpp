// The agents of a frame that is built from scratch, and what makes lists of them: the input of an update by
// ids, the legal agents of an update, and agents under other ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/ids.hpp"
#include "engine/src/memory/traits.hpp"
#include "simd/types.hpp"
#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

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

// The input of an update by ids: checks the ids, and puts labels and heights where the builder finds them.
//
//     ids ascend           a scan; the boxes are taken as they are
//     in another order     each id is marked in a bitmap, which shows duplicates; the builder puts each cell
//     in order that, and far apart  the agents are sorted by id, so memory follows their number and not the
//     largest id
class NamedAgents {
public:
    explicit NamedAgents(ScratchList& scratch) noexcept
        : marks_(scratch), keys_(scratch), boxes_(scratch), ids_(scratch), traits_(scratch, scratch.by_id) {}

    // There is an id for each box, and a label and a height for each or none. The status names the lowest
    // element whose id is too large or came before.
    Status take(const Executor& executor, std::span<const AgentId> ids, const Boxes& boxes,
                const Labels& labels, const Heights& heights) noexcept;
    // Valid until the next call, as long as the input is.
    const AgentList& list() const noexcept { return list_; }
    // One more than the largest id.
    std::size_t bound() const noexcept { return bound_; }

private:
    Status take_ascending(std::span<const AgentId> ids) noexcept;
    Status take_in_any_order(std::span<const AgentId> ids, AgentId largest) noexcept;
    Status mark(std::span<const AgentId> ids) noexcept;
    Status sort(std::span<const AgentId> ids) noexcept;
    bool put_traits_by_id(std::span<const AgentId> ids) noexcept;

    AgentList list_;
    std::size_t bound_ = 0;
    Scratch<std::uint64_t> marks_;  // a bit for each id
    Scratch<std::uint64_t> keys_;   // an id, and the number of its element
    Scratch<Box> boxes_;
    Scratch<AgentId> ids_;
    Scratch<Traits> traits_;
};

// Splits the agents of a bulk update: the legal ones with their ids, and the ids of the others.
class LegalAgents {
public:
    explicit LegalAgents(ScratchList& scratch) noexcept
        : boxes_(scratch), ids_(scratch), left_out_(scratch), traits_(scratch) {}

    // Returns false if there is no memory.
    [[nodiscard]] bool gather(const AgentList& all) noexcept;
    std::size_t size() const noexcept { return boxes_.size(); }
    const AgentList& list() const noexcept { return list_; }
    std::span<const AgentId> ids() const noexcept { return {ids_.data(), ids_.size()}; }
    // Ascending.
    std::span<const AgentId> left_out() const noexcept { return {left_out_.data(), left_out_.size()}; }

private:
    Scratch<Box> boxes_;
    Scratch<AgentId> ids_, left_out_;
    Scratch<Traits> traits_;
    AgentList list_;
};

// Gives all agents of a frame other ids: the agents as a list in a new order, for the builder.
class Renumbering {
public:
    explicit Renumbering(MemoryResource* memory) noexcept
        : number_of_(memory), boxes_(memory), traits_(memory) {}

    // The agent with the id order[k] gets the id k. The status names the first element that is no agent or
    // came before.
    Status take(const Executor& executor, const FrameState& frame, std::span<const AgentId> order) noexcept;
    // Valid until the next call.
    const AgentList& list() const noexcept { return list_; }

private:
    bool number(const FrameState& frame, std::span<const AgentId> order, bool& good) noexcept;
    Status gather(const Executor& executor, const FrameState& frame, bool& good) noexcept;
    Status find_fault(const FrameState& frame, std::span<const AgentId> order) noexcept;

    IdTable number_of_;  // the new id by the old one
    Buffer<Box> boxes_;
    Buffer<Traits> traits_;
    AgentList list_;
};

}  // namespace throng::detail
