// Neighbours around places. Where ranks ask each other, a place travels as a circle, with the distance to
// look as its radius.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/src/inquiries/batch.hpp"
#include "cluster/src/inquiries/query.hpp"
#include "throng/agents_as.hpp"
#include "throng/frame.hpp"
#include "throng/memory.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/results.hpp"

namespace throng::cluster::detail {

// Places, how far to look around each, and who is looked for.
class Around {
public:
    explicit Around(ClusterState& state) noexcept
        : state_(state), points_(state.memory), radii_(state.memory), filters_(state.memory) {}

    std::size_t size() const noexcept { return points_.size(); }
    void add(const Circle& circle, const Filter& filter) noexcept {
        state_.need(points_.push_back({circle.x, circle.y}) && radii_.push_back(circle.radius) &&
                    filters_.push_back(filter));
    }
    // What this rank was asked.
    void add_all(const Batch& batch) noexcept;

    // Lists them, with squared distances.
    void find_within(AgentsAs agents_as, throng::NeighbourLists& lists) noexcept;
    void find_nearest(std::uint32_t count, AgentsAs agents_as, throng::NeighbourLists& lists) noexcept;
    // The same among ghosts alone. These are numbered from 0.
    void find_nearest_ghosts(std::uint32_t count, AgentsAs agents_as, throng::NeighbourLists& lists) noexcept;

private:
    template <class Wanted>
    void find(const Frame& frame, const Wanted& wanted, throng::NeighbourLists& lists) noexcept;
    // Where filters want agents that share a height with two bands, which share none.
    template <class Wanted>
    void find_at_two_bands(const Frame& frame, const Wanted& wanted, throng::NeighbourLists& lists) noexcept;
    std::span<const float> radii() const noexcept { return {radii_.data(), radii_.size()}; }

    ClusterState& state_;
    throng::detail::Buffer<Point> points_;
    throng::detail::Buffer<float> radii_;
    throng::detail::Buffer<Filter> filters_;
};

}  // namespace throng::cluster::detail
