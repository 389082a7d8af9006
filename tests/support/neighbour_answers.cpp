#include "support/neighbour_answers.hpp"

#include "support/neighbour_blocks.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

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

std::string describe(const Neighbourhood& wanted) {
    return "radius " + std::to_string(wanted.radius) + ", " + std::to_string(wanted.radii.size()) +
           " radii, most " + std::to_string(wanted.max_count) +
           (wanted.agents_as == AgentsAs::boxes ? ", boxes" : "") +
           (wanted.either_reaches ? ", either" : "") + (wanted.half ? ", half" : "") +
           (wanted.with_self ? ", with self" : "") + (wanted.in_row_order ? ", in row order" : "");
}

bool same_list(std::span<const AgentId> ids, std::span<const float> distances,
               const std::vector<Neighbour>& expected, const Neighbourhood& wanted) {
    if (ids.size() != expected.size()) return false;
    if (wanted.distances && distances.size() != ids.size()) return false;
    std::vector<Neighbour> list;
    for (std::size_t k = 0; k < ids.size(); ++k)
        list.push_back({ids[k], wanted.distances ? distances[k] : expected[k].squared_distance});
    if (wanted.max_count == 0)
        std::sort(list.begin(), list.end(),
                  [](const Neighbour& a, const Neighbour& b) { return a.id < b.id; });
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (list[k].id != expected[k].id) return false;
        if (wanted.distances && list[k].squared_distance != expected[k].squared_distance) return false;
    }
    return true;
}

AssertionResult differs(const char* form, std::size_t list, const Neighbourhood& wanted,
                        std::span<const AgentId> got, const std::vector<Neighbour>& expected) {
    AssertionResult failure = AssertionFailure();
    failure << form << ": list " << list << " with " << describe(wanted) << " has " << got.size()
            << " and not " << expected.size() << ":";
    for (std::size_t k = 0; k < std::min<std::size_t>(got.size(), 12); ++k) failure << ' ' << got[k];
    failure << " |";
    for (std::size_t k = 0; k < std::min<std::size_t>(expected.size(), 12); ++k)
        failure << ' ' << expected[k].id;
    return failure;
}

AssertionResult counts_agree(std::span<const std::uint32_t> counts, const oracle::NeighbourLists& expected,
                             const Neighbourhood& wanted) {
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] != (i < expected.size() ? expected[i].size() : 0))
            return AssertionFailure() << "count " << i << " with " << describe(wanted) << " is " << counts[i];
    return AssertionSuccess();
}

Status by_id(const Frame& frame, const Neighbourhood& wanted, Neighbours& lists, const Filters& filters) {
    return wanted.in([&](const auto& kind) { return frame.neighbours(kind, lists, filters); });
}

// Whether the lists come in blocks as they came all at once: in a few small blocks, and in one or a few large ones.
template <class... Places>
AssertionResult blocks_agree(const Frame& frame, const Neighbours& lists, const Filters& filters,
                             const Neighbourhood& wanted, const Places&... places) {
    Neighbours block;
    const std::size_t bytes = ListsAsTheyAre(lists).ids.size() * sizeof(AgentId) + 8 * lists.size();
    for (const std::size_t max_bytes : {bytes / 3 + 100, bytes * 4}) {
        const JoinedLists joined = join_blocks(frame, block, max_bytes, filters, wanted, places...);
        if (!joined.status) return AssertionFailure() << "in blocks: " << joined.status.message();
        if (!joined.well_cut) return AssertionFailure() << "blocks of " << max_bytes << " are not well cut";
        if (lists.size() != 0 && joined.all != ListsAsTheyAre(lists))
            return AssertionFailure() << "blocks of " << max_bytes << " have other lists";
    }
    return AssertionSuccess();
}

AssertionResult row_order_agrees(const Frame& frame, Neighbourhood wanted, const Filters& filters,
                                 const oracle::NeighbourLists& expected) {
    wanted.in_row_order = true;
    Neighbours lists;
    if (!wanted.radii.empty() && (wanted.either_reaches || wanted.half)) {
        if (by_id(frame, wanted, lists, filters) != Status{Code::bad_config})
            return AssertionFailure() << "in row order, where others reach: not refused";
        return AssertionSuccess();
    }
    if (const Status status = by_id(frame, wanted, lists, filters); !status)
        return AssertionFailure() << "in row order: " << status.message();
    if (lists.size() != frame.size() || lists.agents().size() != frame.size())
        return AssertionFailure() << "in row order: " << lists.size() << " lists";
    std::vector<bool> seen(expected.size());
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const AgentId id = lists.agents()[i];
        if (id >= seen.size() || seen[id]) return AssertionFailure() << "in row order: agent " << id;
        seen[id] = true;
        if (!same_list(lists[i], lists.squared_distances(i), expected[id], wanted))
            return differs("in row order", id, wanted, lists[i], expected[id]);
    }
    return blocks_agree(frame, lists, filters, wanted);
}

AssertionResult one_point_agrees(const Frame& frame, const Point& point, const Neighbourhood& wanted,
                                 const Filter& filter, const std::vector<Neighbour>& expected) {
    std::vector<Neighbour> room(expected.size() + 2), visited;
    const auto into = [&](std::span<Neighbour> out) {
        return wanted.in([&](const auto& kind) { return frame.neighbours(point, kind, out, filter); });
    };
    const Filled found = into(room);
    if (!found.status || found.total != expected.size() || found.written != expected.size())
        return AssertionFailure() << "one point into memory, with " << describe(wanted) << ": " << found.total
                                  << " and not " << expected.size();
    room.resize(expected.size());
    const Status status = wanted.in([&](const auto& kind) {
        return frame.for_each_neighbour(
            point, kind, [&](const Neighbour& one) { visited.push_back(one); }, filter);
    });
    if (!status || visited != room)
        return AssertionFailure() << "a visitor differs from one point into memory";
    std::vector<AgentId> ids;
    std::vector<float> distances;
    for (const Neighbour& one : room) {
        ids.push_back(one.id);
        distances.push_back(one.squared_distance);
    }
    Neighbourhood all = wanted;
    all.distances = true;
    if (!same_list(ids, distances, expected, all)) return differs("one point", 0, wanted, ids, expected);
    std::vector<Neighbour> half(expected.size() / 2);
    const Filled some = into(half);
    if (some.total != expected.size() || some.written != half.size() ||
        !std::equal(half.begin(), half.end(), room.begin()))
        return AssertionFailure() << "one point into too little memory";
    return AssertionSuccess();
}

AssertionResult agents_agree(const Frame& frame, oracle::NeighbourLists expected, const Neighbourhood& wanted,
                             const Filters& filters) {
    expected.resize(frame.id_bound());
    Neighbours lists;
    if (const Status status = by_id(frame, wanted, lists, filters); !status)
        return AssertionFailure() << "by id: " << status.message() << " at " << status.index;
    if (lists.size() != expected.size()) return AssertionFailure() << lists.size() << " lists";
    for (std::size_t i = 0; i < lists.size(); ++i)
        if (!same_list(lists[i], lists.squared_distances(i), expected[i], wanted))
            return differs("by id", i, wanted, lists[i], expected[i]);
    if (wanted.radii.empty() || !(wanted.half || wanted.either_reaches))
        if (AssertionResult blocks = blocks_agree(frame, lists, filters, wanted); !blocks) return blocks;
    if (AssertionResult rows = row_order_agrees(frame, wanted, filters, expected); !rows) return rows;
    if (wanted.max_count != 0) return AssertionSuccess();
    std::vector<std::uint32_t> counts(expected.size() + 2, 77);
    if (const Status status = frame.count_neighbours(wanted.within(), counts, filters); !status)
        return AssertionFailure() << "counts: " << status.message();
    return counts_agree(counts, expected, wanted);
}

AssertionResult points_agree(const Frame& frame, const oracle::NeighbourLists& expected,
                             const std::vector<Point>& points, const Neighbourhood& wanted,
                             const Filters& filters) {
    Neighbours lists;
    const auto find = [&](const auto& kind) { return frame.neighbours(points, kind, lists, filters); };
    if (const Status status = wanted.in(find); !status)
        return AssertionFailure() << "points: " << status.message() << " at " << status.index;
    if (lists.size() != points.size()) return AssertionFailure() << lists.size() << " lists of points";
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (!same_list(lists[i], lists.squared_distances(i), expected[i], wanted))
            return differs("points", i, wanted, lists[i], expected[i]);
        if (i % 7 != 0) continue;
        Neighbourhood one = wanted;
        if (!wanted.radii.empty()) one.radii = std::span<const float>(wanted.radii).subspan(i, 1);
        if (AssertionResult single = one_point_agrees(frame, points[i], one, filters[i], expected[i]);
            !single)
            return single << ", point " << i;
    }
    if (AssertionResult blocks = blocks_agree(frame, lists, filters, wanted, points); !blocks) return blocks;
    if (wanted.max_count != 0) return AssertionSuccess();
    std::vector<std::uint32_t> counts(points.size(), 77);
    if (const Status status = frame.count_neighbours(points, wanted.within(), counts, filters); !status)
        return AssertionFailure() << "counts of points: " << status.message();
    return counts_agree(counts, expected, wanted);
}

AssertionResult nearest_agrees(std::span<const Frame> frames, const oracle::BruteForceFrame& twin,
                               const Point& point, const Filter& filter) {
    const Neighbour expected = oracle::nearest(twin, point, filter);
    for (const Frame& frame : frames) {
        const NearestNeighbour nearest = frame.nearest(point, filter);
        if (!nearest.status || nearest.is_static || nearest.neighbour != expected)
            return AssertionFailure()
                   << "the nearest is " << nearest.neighbour.id << " and not " << expected.id;
    }
    return AssertionSuccess();
}

}  // namespace

RandomNeighbourhood::RandomNeighbourhood(Random& random, std::span<const Box> agents, std::size_t numbers,
                                         bool symmetric) {
    wanted_.max_count =
        random.one_in(2) ? 0 : static_cast<std::uint32_t>(1 + random.below(random.one_in(3) ? 64 : 9));
    wanted_.radius = random_radius(random, agents, wanted_.max_count != 0);
    if (wanted_.max_count != 0 && random.one_in(2)) wanted_.radius = infinite;
    if (random.one_in(3)) wanted_.agents_as = AgentsAs::boxes;
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

Neighbourhood RandomNeighbourhood::wanted() const {
    Neighbourhood wanted = wanted_;
    wanted.radii = radii_;
    if (radii_.empty() && wanted.radius != wanted.radius) wanted.radius = 1;
    return wanted;
}

AssertionResult agents_agree(std::span<const Frame> frames, const oracle::BruteForceFrame& twin,
                             const Neighbourhood& wanted, const Filters& filters) {
    const oracle::NeighbourLists expected = oracle::neighbours(twin, wanted, filters);
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (AssertionResult one = agents_agree(frames[i], expected, wanted, filters); !one)
            return one << ", frame " << i;
    return AssertionSuccess();
}

AssertionResult points_agree(std::span<const Frame> frames, const oracle::BruteForceFrame& twin,
                             const std::vector<Point>& points, const Neighbourhood& wanted,
                             const Filters& filters) {
    const oracle::NeighbourLists expected = oracle::neighbours(twin, points, wanted, filters);
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (AssertionResult one = points_agree(frames[i], expected, points, wanted, filters); !one)
            return one << ", frame " << i;
    for (std::size_t i = 0; i < points.size(); i += 5)
        if (AssertionResult one = nearest_agrees(frames, twin, points[i], filters[i]); !one)
            return one << ", point " << i;
    return AssertionSuccess();
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

ListsAsTheyAre::ListsAsTheyAre(const Neighbours& lists)
    : offsets(lists.offsets().begin(), lists.offsets().end()),
      ids(lists.ids().begin(), lists.ids().end()),
      agents(lists.agents().begin(), lists.agents().end()),
      distances(lists.squared_distances().begin(), lists.squared_distances().end()) {}

}  // namespace throng::test
