// Of agents that are as near as each other, or are touched at the same time, the local frame takes owned ones
// before ghosts, but the cluster the lowest ids. So lists are read in another order. And where a frame names
// only some, the ghosts are asked for again, in a frame of their own.
#pragma once

#include <cstddef>
#include <span>

#include "cluster/src/world/cluster_state.hpp"
#include "throng/frame.hpp"
#include "throng/labels.hpp"

namespace throng::cluster::detail {

// For engines beside the local one.
inline EngineConfig config_beside(const ClusterState& state) noexcept {
    EngineConfig config;
    config.memory = state.memory;
    config.executor = state.config.engine.executor;
    config.period_x = state.plane.period().x;
    config.period_y = state.plane.period().y;
    return config;
}
// Builds a frame of some agents beside the local frame: those of a table from `first` on.
Status build_guests(ClusterState& state, const AgentTable& agents, const Extras& extras, std::size_t first,
                    std::size_t count) noexcept;
// A frame of the ghosts alone, made when it is first asked for. Ghost g has the place owned + g. Without
// memory, which the state says, it is empty.
Frame ghosts_alone(ClusterState& state) noexcept;
// The same filter for that frame.
inline Filter as_of_ghosts(const World& world, Filter filter) noexcept {
    if (filter.self != no_agent)
        filter.self =
            world.is_ghost(filter.self) ? filter.self - static_cast<AgentId>(world.owned) : no_agent;
    return filter;
}

// Neighbours as the local frame lists them, by distance and place, read by distance and global id.
class ById {
public:
    ById(const World& world, std::span<const AgentId> places,
         std::span<const float> squared_distances) noexcept
        : world_(world), places_(places), squared_distances_(squared_distances) {
        begin_run();
    }
    bool ended() const noexcept { return owned_ == ghosts_ && ghost_ == end_; }
    GlobalId id() const noexcept { return world_.global(places_[at()]); }
    float squared_distance() const noexcept { return squared_distances_[at()]; }
    void next() noexcept {
        ++(is_owned_next() ? owned_ : ghost_);
        if (ended()) begin_run();
    }

private:
    // Those that are as far away as the first one behind the last run.
    void begin_run() noexcept {
        owned_ = ghosts_ = end_;
        while (end_ < places_.size() && squared_distances_[end_] == squared_distances_[owned_]) {
            if (!world_.is_ghost(places_[end_])) ghosts_ = end_ + 1;
            ++end_;
        }
        ghost_ = ghosts_;
    }
    bool is_owned_next() const noexcept {
        if (owned_ == ghosts_ || ghost_ == end_) return owned_ != ghosts_;
        return world_.global(places_[owned_]) < world_.global(places_[ghost_]);
    }
    std::size_t at() const noexcept { return is_owned_next() ? owned_ : ghost_; }

    const World& world_;
    const std::span<const AgentId> places_;
    const std::span<const float> squared_distances_;
    // What is left of a run: owned ones up to `ghosts_`, then ghosts up to the end.
    std::size_t owned_ = 0, ghosts_ = 0, ghost_ = 0, end_ = 0;
};

}  // namespace throng::cluster::detail
