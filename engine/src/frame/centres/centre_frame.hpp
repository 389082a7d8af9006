// A second frame of a frame's agents, where each agent is the point at its centre. It comes from an engine of
// its own, whose plan is made for these points, however large the agents' boxes are. With that engine it goes
// back to its pool when the frame is dropped (engine/src/neighbours/centres).
#pragma once

#include <cstdint>
#include <optional>

#include "engine/src/memory/traits.hpp"
#include "throng/engine.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

struct CentreFrame {
    explicit CentreFrame(MemoryResource* memory) noexcept : host(memory) {}
    const FrameState& state() const noexcept { return *frame.state_; }
    // As many lists as the original frame has, which may have had larger ids.
    void set_id_bound(std::size_t bound) const noexcept;
    // The ghosts of the original frame, in its memory.
    void set_ghosts(const FrameState& of) const noexcept;

    MemoryResource* const host;
    std::optional<Engine> engine;  // none before the first frame
    Frame frame;
    int rounding = 0;                  // the mode under which centres were rounded
    Buffer<std::uint32_t> rank{host};  // by id: the agent's place in the order of answers
    Buffer<AgentId> by_rank{host};     // the agents in that order
    Buffer<Point> points{host};        // by id, for the update
    Buffer<AgentId> ids{host};         // the ids in use, if not all are
    Buffer<Traits> traits{host};
    CentreFrame* next = nullptr;
};

}  // namespace throng::detail
