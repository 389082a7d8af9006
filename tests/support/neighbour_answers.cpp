#include "support/neighbour_answers.hpp"

#include "oracle/neighbours.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

float random_radius(Random& random, std::span<const Box> agents, bool may_be_infinite) {
    if (agents.empty() || random.one_in(12)) return random.one_in(2) ? 0.0f : 1e-30f;
    if (random.one_in(24)) return may_be_infinite ? infinite : 1e30f;
    const Box a = agents[random.below(agents.size())], b = agents[random.below(agents.size())];
    if (random.one_in(2)) {
        // Some agents' sizes away.
        const float size = std::max(a.max_x - a.min_x, a.max_y - a.min_y);
        return std::min(size * random.uniform(0.0f, 4.0f), 3e38f);
    }
    const float d = std::sqrt(oracle::squared_distance(oracle::centre_of(a), b, AgentsAs::centres));
    const float radius =
        std::min(random.one_in(3) ? std::nextafter(d, random.one_in(2) ? 0.0f : infinite) : d, 3e38f);
    return random.one_in(4) ? radius : radius * random.uniform(0.0f, 0.2f);
}

}  // namespace

OwnNeighbourhood::OwnNeighbourhood(Random& random, std::span<const Box> agents, std::size_t numbers,
                                   bool symmetric) {
    wanted_.max_count =
        random.one_in(2) ? 0 : static_cast<std::uint32_t>(1 + random.below(random.one_in(3) ? 64 : 9));
    wanted_.radius = random_radius(random, agents, wanted_.max_count != 0);
    if (wanted_.max_count != 0 && random.one_in(2)) wanted_.radius = infinite;
    if (random.one_in(2)) wanted_.agents_as = random.one_in(2) ? AgentsAs::boxes : AgentsAs::circles;
    wanted_.with_self = random.one_in(4);
    wanted_.distances = random.one_in(2);
    if (random.one_in(3)) {
        for (std::size_t i = 0; i < numbers; ++i)
            radii_.push_back(random_radius(random, agents, wanted_.max_count != 0));
        wanted_.radius = std::numeric_limits<float>::quiet_NaN();
    }
    if (symmetric && random.one_in(3)) {
        wanted_.max_count = 0;
        wanted_.agents_as = AgentsAs::centres;
        if (wanted_.radius == infinite) wanted_.radius = 1;
        for (float& radius : radii_) radius = std::min(radius, 1e30f);
        wanted_.half = random.one_in(2);
        if (wanted_.half) wanted_.with_self = false;
        wanted_.either_reaches = !wanted_.half || random.one_in(2);
    }
}

Neighbourhood OwnNeighbourhood::wanted() const {
    Neighbourhood wanted = wanted_;
    wanted.radii = radii_;
    if (radii_.empty() && wanted.radius != wanted.radius) wanted.radius = 1;
    return wanted;
}

std::vector<Point> random_points(Random& random, std::span<const Box> agents, std::size_t count) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
        if (agents.empty()) {
            points.push_back({random.uniform(), random.uniform()});
            continue;
        }
        const Box a = agents[random.below(agents.size())], b = agents[random.below(agents.size())];
        switch (random.below(5)) {
        case 0: points.push_back(oracle::centre_of(a)); break;
        case 1: points.push_back({a.min_x, a.max_y}); break;
        case 2: points.push_back({a.min_x, b.min_y}); break;
        case 3: points.push_back(oracle::centre_of({a.min_x, a.min_y, b.max_x, b.max_y})); break;
        default: points.push_back({std::nextafter(a.max_x, 0.0f), a.min_y}); break;
        }
    }
    return points;
}

ListsAsTheyAre::ListsAsTheyAre(const NeighbourLists& lists)
    : offsets(lists.offsets().begin(), lists.offsets().end()),
      ids(lists.ids().begin(), lists.ids().end()),
      agents(lists.agents().begin(), lists.agents().end()),
      distances(lists.squared_distances().begin(), lists.squared_distances().end()) {}

}  // namespace throng::test
