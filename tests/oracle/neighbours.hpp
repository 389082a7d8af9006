// Neighbours by brute force: the twin of `Frame::neighbours` and its kind, by a look at every agent for every place. The
// definitions are those of engine/include/throng/queries/neighbours.hpp, in the plainest code there is.
#pragma once

#include <cstddef>
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

// The lists of agents and of elements around the same places. With `max_count`, of both kinds together the nearest: by distance,
// then agents before elements, then by id.
struct BothLists {
    NeighbourLists agents, elements;
};
BothLists nearest_of_both(BothLists lists, const Neighbourhood& wanted);

}  // namespace throng::oracle
