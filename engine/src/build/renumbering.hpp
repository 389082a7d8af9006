// Gives all agents of a frame other ids: the agents as a list in a new order, for the builder.
#pragma once

#include <span>

#include "engine/src/build/agent_list.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/ids.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

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
