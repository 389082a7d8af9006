#include "cluster/src/queries/ghosts_alone.hpp"

namespace throng::cluster::detail {

Status build_guests(ClusterState& state, std::span<const Box> boxes, std::span<const Label> labels) noexcept {
    if (!state.guests) {
        EngineConfig config;
        config.memory = state.memory;
        config.executor = state.config.engine.executor;
        config.period_x = state.plane.period().x;
        config.period_y = state.plane.period().y;
        state.guests.emplace(config);
    }
    state.guests_are_ghosts = false;
    return state.guests->update(boxes, {.labels = labels.empty() ? Labels() : Labels(labels)});
}

Frame ghosts_alone(ClusterState& state) noexcept {
    const World& world = state.now;
    if (!state.guests_are_ghosts) {
        std::span<const Label> labels;
        if (world.extras.labels) labels = {world.agents.labels.data() + world.owned, world.ghosts};
        const Status status =
            build_guests(state, {world.agents.boxes.data() + world.owned, world.ghosts}, labels);
        state.fail(status);
        state.guests_are_ghosts = status.ok();
    }
    return state.guests_are_ghosts ? state.guests->frame() : Frame();
}

}  // namespace throng::cluster::detail
