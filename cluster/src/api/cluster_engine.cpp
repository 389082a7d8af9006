#include "throng/cluster/cluster_engine.hpp"

#include <cmath>
#include <new>

#include "cluster/src/reporting/tracked_memory.hpp"
#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster {

namespace {

using detail::ClusterState;

// Values of a column from a place on. Those of nobody have an address, too, which says that there is a
// column.
template <class T>
std::span<const T> part_of(const throng::detail::Buffer<T>& column, std::size_t first,
                           std::size_t count) noexcept {
    static constexpr T none{};
    return {count == 0 ? &none : column.data() + first, count};
}

Table part_of(const detail::World& world, bool ghosts) noexcept {
    const detail::AgentTable& all = world.agents;
    const std::size_t first = ghosts ? world.owned : 0, count = ghosts ? world.ghosts : world.owned;
    const std::size_t bytes = count * (ghosts ? world.extras.ghost_payload : world.extras.payload);
    Table table;
    table.ids = {all.ids.data() + first, count};
    table.boxes = {all.boxes.data() + first, count};
    if (world.extras.labels) table.labels = part_of(all.labels, first, count);
    if (world.extras.heights) table.heights = part_of(all.heights, first, count);
    table.payload = {all.payload.data() + world.extras.payload_bytes(first, 0), bytes};
    return table;
}

// For calls of one rank, whose status has no word for an error of MPI.
Status status_alone(const ClusterStatus& ended) noexcept {
    return ended.ok() || !ended.status.ok() ? ended.status : Status(Code::bad_config);
}

bool has(const ClusterState* state, AgentId id) noexcept {
    return state != nullptr && id < state->now.elements();
}

}  // namespace

ClusterEngine::ClusterEngine(MPI_Comm communicator, const ClusterConfig& config) noexcept {
    detail::TrackedMemory* const tracked = detail::TrackedMemory::make(config.engine.memory);
    void* const memory =
        tracked == nullptr ? nullptr : allocate(tracked, sizeof(ClusterState), alignof(ClusterState));
    if (!detail::all_have(communicator, memory != nullptr)) {
        if (memory != nullptr) give_back(tracked, memory, sizeof(ClusterState), alignof(ClusterState));
        if (tracked != nullptr) tracked->end();
        status_ = detail::refusal(Code::out_of_memory, ClusterStatus::no_rank);
        return;
    }
    ClusterConfig with_tracked = config;
    with_tracked.engine.memory = tracked;
    state_ = new (memory) ClusterState(with_tracked);
    status_ = state_->start(communicator);
}

ClusterEngine::~ClusterEngine() {
    if (state_ == nullptr) return;
    // After an error of MPI what is still on its way keeps its memory, which is not given back then.
    if (!state_->post.all_has_arrived()) return;
    detail::TrackedMemory* const memory = static_cast<detail::TrackedMemory*>(state_->memory);
    state_->~ClusterState();
    give_back(memory, state_, sizeof(ClusterState), alignof(ClusterState));
    memory->end();
}

ClusterStatus ClusterEngine::status() const noexcept {
    return status_.ok() ? state_->ranks.status() : status_;
}

int ClusterEngine::rank() const noexcept { return state_ == nullptr ? 0 : state_->rank(); }
int ClusterEngine::ranks() const noexcept { return state_ == nullptr ? 0 : state_->ranks.size(); }

std::size_t ClusterEngine::payload_bytes() const noexcept {
    return state_ == nullptr ? 0 : state_->config.payload_bytes;
}

ClusterStatus ClusterEngine::update(const Agents& agents) noexcept {
    const ClusterStatus ended = status();
    return ended.ok() ? state_->update(agents) : ended;
}

Table ClusterEngine::owned() const noexcept {
    return state_ == nullptr ? Table() : part_of(state_->now, false);
}

Table ClusterEngine::ghosts() const noexcept {
    return state_ == nullptr ? Table() : part_of(state_->now, true);
}

InPlace ClusterEngine::in_place() noexcept {
    if (state_ == nullptr) return {};
    detail::World& world = state_->now;
    const std::span<const Band> heights = owned().heights;
    return {{world.agents.boxes.data(), world.owned},
            {world.agents.payload.data(), world.extras.payload_bytes(world.owned, 0)},
            {const_cast<Band*>(heights.data()), heights.size()}};
}

std::uint64_t ClusterEngine::size() const noexcept {
    return state_ == nullptr ? 0 : state_->now.census.count;
}

ClusterStatus ClusterEngine::partition(std::span<const Point> points,
                                       std::span<const float> weights) noexcept {
    const ClusterStatus ended = status();
    if (!ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    return state_->partition_by(points, weights);
}

ClusterStatus ClusterEngine::partition_as(const ClusterEngine& other) noexcept {
    const ClusterStatus ended = status();
    if (!ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    return state_->partition_as(other.state_, other.status());
}

ClusterStatus ClusterEngine::agree(const ClusterStatus& mine) noexcept {
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    return state_->begin(mine).fault;
}

Status ClusterEngine::set_reach(float reach, float radius) noexcept {
    if (const ClusterStatus ended = status(); !ended.ok()) return status_alone(ended);
    for (const float distance : {reach, radius}) {
        if (!std::isfinite(distance)) return {Code::not_finite, Argument::options};
        if (distance < 0) return {Code::inverted, Argument::options};
    }
    state_->wanted_reach = double{reach};
    state_->wanted_radius = double{radius};
    return {};
}

Status ClusterEngine::set_static_layer(const StaticLayer& layer) noexcept {
    const ClusterStatus ended = status();
    return ended.ok() ? state_->engine.set_static_layer(layer) : status_alone(ended);
}

Box ClusterEngine::domain(int rank) const noexcept {
    if (state_ == nullptr || rank < 0 || rank >= state_->ranks.size()) return no_box;
    const std::span<const Box> domains = state_->partition.domains();
    return domains.empty() ? no_box : domains[static_cast<std::size_t>(rank)];
}

Frame ClusterEngine::frame() const noexcept { return state_ == nullptr ? Frame() : state_->now.frame; }

GlobalId ClusterEngine::global_id(AgentId id) const noexcept {
    return has(state_, id) ? state_->now.global(id) : 0;
}

bool ClusterEngine::is_ghost(AgentId id) const noexcept {
    return has(state_, id) && state_->now.is_ghost(id);
}

float ClusterEngine::giants_from() const noexcept {
    if (state_ == nullptr) return 0;
    const detail::Sizes sizes = state_->sizes();
    return sizes.largest > sizes.common ? static_cast<float>(sizes.common)
                                        : std::numeric_limits<float>::infinity();
}

float ClusterEngine::reach() const noexcept {
    return state_ == nullptr ? 0 : static_cast<float>(state_->now.pairs_within);
}

float ClusterEngine::radius() const noexcept {
    return state_ == nullptr ? 0 : static_cast<float>(state_->now.neighbours_within);
}

const ClusterReport& ClusterEngine::report() const noexcept {
    static constexpr ClusterReport none;
    return state_ == nullptr ? none : state_->report;
}

}  // namespace throng::cluster
