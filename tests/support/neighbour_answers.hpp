// Whether a frame finds the neighbours that brute force finds, through every form of the call.
#pragma once

#include "oracle/neighbours.hpp"
#include "support/test.hpp"

namespace throng::test {

using oracle::Neighbourhood;

// A Neighbourhood that owns its radii. They are distances between agents, exactly or nearly, and zero, tiny or huge.
class RandomNeighbourhood {
public:
    // `numbers` is how many radii there may be; `symmetric` allows half lists, and such where either sees the other.
    RandomNeighbourhood(Random& random, std::span<const Box> agents, std::size_t numbers, bool symmetric);
    Neighbourhood wanted() const;

private:
    Neighbourhood wanted_;
    std::vector<float> radii_;
};

// All agents of some frames of the same agents: by id, in row order, in blocks, and counted.
::testing::AssertionResult agents_agree(std::span<const Frame> frames, const oracle::BruteForceFrame& twin,
                                        const Neighbourhood& wanted, const Filters& filters = {});
// Points: as a batch, in blocks, one by one, and counted.
::testing::AssertionResult points_agree(std::span<const Frame> frames, const oracle::BruteForceFrame& twin,
                                        const std::vector<Point>& points, const Neighbourhood& wanted,
                                        const Filters& filters = {});
// Places of agents, places beside them, corners, and far away.
std::vector<Point> random_points(Random& random, std::span<const Box> agents, std::size_t count);

// All that lists hold, one behind the other, to compare byte by byte.
struct ListsAsTheyAre {
    std::vector<std::uint64_t> offsets;
    std::vector<AgentId> ids, agents;
    std::vector<float> distances;
    ListsAsTheyAre() = default;
    explicit ListsAsTheyAre(const Neighbours& lists);
    friend bool operator==(const ListsAsTheyAre&, const ListsAsTheyAre&) = default;
};

}  // namespace throng::test
