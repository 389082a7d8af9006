// The centres of a frame's agents: a table by id, and a frame of points
// (engine/src/neighbours/centre_frames.hpp). Both go back to their pools when the frame is dropped.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/src/memory/traits.hpp"
#include "throng/engine.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// Tells rounding modes apart by their effect: a host may have set only that of the vector unit.
inline int rounding_mode() noexcept {
    const volatile float tiny = 0x1p-30f;
    return (1.0f + tiny != 1.0f) + 2 * (1.0f - tiny != 1.0f) + 4 * (-1.0f - tiny != -1.0f);
}

// The centres by id, if all ids are in use. An update makes it on its way if a reader wanted such a table
// lately (Store::want_centres), since it reads the boxes in that order anyway.
struct CentreTable {
    explicit CentreTable(MemoryResource* memory) noexcept : points(memory) {}

    Buffer<Point> points;
    int rounding = 0;  // under which they were rounded
    CentreTable* next = nullptr;
};

// A second frame of a frame's agents, where each agent is the point at its centre. It comes from an engine of
// its own, whose plan is made for these points, however large the agents' boxes are.
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
