#include "cluster/src/queries/ghosts_alone.hpp"

namespace throng::cluster::detail {

Status build_guests(ClusterState& state, const AgentTable& agents, const Extras& extras, std::size_t first,
                    std::size_t count) noexcept {
    // One that was made without memory is made again.
    if (!state.guests || !state.guests->status().ok()) state.guests.emplace(config_beside(state));
    state.guests_are_ghosts = false;
    return state.guests->update(std::span<const Box>(agents.boxes.data() + first, count),
                                agents.traits(extras, first, count));
}

Frame ghosts_alone(ClusterState& state) noexcept {
    const World& world = state.now;
    if (!state.guests_are_ghosts) {
        const Status status = build_guests(state, world.agents, world.extras, world.owned, world.ghosts);
        state.fail(status);
        state.guests_are_ghosts = status.ok();
    }
    return state.guests_are_ghosts ? state.guests->frame() : Frame();
}

}  // namespace throng::cluster::detail
