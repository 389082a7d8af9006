// Neighbours by brute force: the twin of `Frame::neighbours` and its kind. It looks at every agent for every
// place, in the plainest code there is. The definitions are those of
// engine/include/throng/queries/neighbours.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "oracle/brute_force.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::oracle {

// List after list. With `most` they are sorted as the engine's are, the nearest first; otherwise by id.
using NeighbourLists = std::vector<std::vector<Neighbour>>;

Point centre_of(const Box& box);
float squared_distance(const Point& from, const Box& to, AgentsAs agents_as);

// What is asked for: `Nearest` with a `max_count`, and otherwise `Within`.
struct Neighbourhood {
    float radius = std::numeric_limits<float>::infinity();
    detail::ViewedSpan<float> radii = {};
    std::uint32_t max_count = 0;
    AgentsAs agents_as = AgentsAs::centres;
    bool either_reaches = false, half = false, with_self = false, distances = false, in_row_order = false;

    Within within() const {
        return {radius, radii, agents_as, either_reaches, half, with_self, distances, in_row_order};
    }
    Nearest nearest() const {
        return {max_count, radius, radii, agents_as, with_self, distances, in_row_order};
    }
    // Makes the call with the one that is asked for.
    template <class Call>
    auto in(const Call& call) const {
        return max_count == 0 ? call(within()) : call(nearest());
    }
};

// Of the agents of a frame, by id: among themselves, or among those of another. Legal calls only.
NeighbourLists neighbours(const BruteForceFrame& frame, const Neighbourhood& wanted,
                          const Filters& filters = {});
NeighbourLists neighbours_in(const BruteForceFrame& frame, const BruteForceFrame& others,
                             const Neighbourhood& wanted, const Filters& filters = {});
// Of points.
NeighbourLists neighbours(const BruteForceFrame& frame, const std::vector<Point>& points,
                          const Neighbourhood& wanted, const Filters& filters = {});

// The nearest agent to a point.
Neighbour nearest(const BruteForceFrame& frame, const Point& point, const Filter& filter = {});

// The lists of agents and of elements around the same places. With `max_count`, the nearest of both kinds
// together: by distance, then agents before elements, then by id.
struct BothLists {
    NeighbourLists agents, elements;
};
BothLists nearest_of_both(BothLists lists, const Neighbourhood& wanted);

}  // namespace throng::oracle
