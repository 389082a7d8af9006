// Neighbourhoods and points that are awkward for given agents.
#pragma once

#include "oracle/neighbours.hpp"
#include "support/test.hpp"

namespace throng::test {

using oracle::Neighbourhood;

// A Neighbourhood that owns its radii. Random ones are distances between agents, exactly or nearly, and zero,
// tiny or huge.
class OwnNeighbourhood {
public:
    OwnNeighbourhood() : OwnNeighbourhood({.radius = 1}) {}
    explicit OwnNeighbourhood(const Neighbourhood& wanted)
        : wanted_(wanted),
          radii_(std::span<const float>(wanted.radii).begin(), std::span<const float>(wanted.radii).end()) {}
    // `numbers` is how many radii there may be. `symmetric` allows half lists, and lists where one of the two
    // must see the other.
    OwnNeighbourhood(Random& random, std::span<const Box> agents, std::size_t numbers, bool symmetric);
    Neighbourhood wanted() const;

private:
    Neighbourhood wanted_;
    std::vector<float> radii_;
};

// Places of agents, places beside them, corners, and far away.
std::vector<Point> random_points(Random& random, std::span<const Box> agents, std::size_t count);

// All that lists hold, one behind the other, to compare byte by byte.
struct ListsAsTheyAre {
    std::vector<std::uint64_t> offsets;
    std::vector<AgentId> ids, agents;
    std::vector<float> distances;
    ListsAsTheyAre() = default;
    explicit ListsAsTheyAre(const NeighbourLists& lists);
    friend bool operator==(const ListsAsTheyAre&, const ListsAsTheyAre&) = default;
};

}  // namespace throng::test
