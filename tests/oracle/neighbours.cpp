#include "oracle/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace throng::oracle {
namespace {

struct Agents {
    explicit Agents(const BruteForceFrame& frame)
        : ids(frame.ids()),
          boxes(frame.boxes()),
          labels(frame.labels()),
          heights(frame.heights()),
          ghosts(frame.ghosts()) {}
    bool admitted_by(const Filter& filter, std::size_t j) const {
        return filter.admits(ids[j], labels[j], heights[j]);
    }

    std::vector<AgentId> ids;
    std::vector<Box> boxes;
    std::vector<Label> labels;
    std::vector<Band> heights;
    std::vector<bool> ghosts;
};

float outside(float at, float min, float max) { return at < min ? min - at : at > max ? at - max : 0.0f; }

// To the nearest image.
float distance_around(const Point& from, const Box& to, AgentsAs agents_as, const Around& around) {
    float least = squared_distance(from, to, agents_as);
    each_move(around, 1, [&](int k, int l) {
        least = std::min(least, squared_distance(moved(from, k, l, around), to, agents_as));
    });
    return least;
}

float radius_of(const Neighbourhood& wanted, std::size_t number) {
    return wanted.radii.empty() ? wanted.radius : wanted.radii[number];
}

void arrange(std::vector<Neighbour>& list, const Neighbourhood& wanted) {
    if (wanted.max_count == 0) return;
    const auto end =
        list.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(list.size(), wanted.max_count));
    std::partial_sort(list.begin(), end, list.end(), [](const Neighbour& a, const Neighbour& b) {
        return std::tuple(a.squared_distance, a.id) < std::tuple(b.squared_distance, b.id);
    });
    list.erase(end, list.end());
}

// Whether an agent of the same frame belongs into the list of the owned agent `id`, but for filters.
bool belongs(const Neighbourhood& wanted, AgentId id, AgentId other, bool is_ghost, float distance) {
    if (wanted.half ? other <= id && !is_ghost : other == id && !wanted.with_self) return false;
    const float own = radius_of(wanted, id), others = radius_of(wanted, other);
    return distance <= own * own || ((wanted.either_reaches || wanted.half) && distance <= others * others);
}

}  // namespace

Point centre_of(const Box& box) {
    return {0.5f * box.min_x + 0.5f * box.max_x, 0.5f * box.min_y + 0.5f * box.max_y};
}

float squared_distance(const Point& from, const Box& to, AgentsAs agents_as) {
    if (agents_as == AgentsAs::circles) {
        const float to_centre = std::sqrt(squared_distance(from, to, AgentsAs::centres));
        const float width = 0.5f * to.max_x - 0.5f * to.min_x, height = 0.5f * to.max_y - 0.5f * to.min_y;
        const float to_edge = std::max(to_centre - std::min(width, height), 0.0f);
        const float square = to_edge * to_edge;
        return std::max(square, squared_distance(from, to, AgentsAs::boxes));
    }
    const Point centre = centre_of(to);
    const float dx = agents_as == AgentsAs::boxes ? outside(from.x, to.min_x, to.max_x) : centre.x - from.x;
    const float dy = agents_as == AgentsAs::boxes ? outside(from.y, to.min_y, to.max_y) : centre.y - from.y;
    const float xx = dx * dx, yy = dy * dy;
    return xx + yy;
}

NeighbourLists neighbours(const BruteForceFrame& frame, const Neighbourhood& wanted, const Filters& filters) {
    const Agents all(frame);
    NeighbourLists lists(all.ids.empty() ? 0 : all.ids.back() + std::size_t{1});
    for (std::size_t i = 0; i < all.ids.size(); ++i) {
        if (all.ghosts[i]) continue;
        const AgentId id = all.ids[i];
        const Point centre = centre_of(all.boxes[i]);
        for (std::size_t j = 0; j < all.ids.size(); ++j) {
            const float distance = distance_around(centre, all.boxes[j], wanted.agents_as, frame.around());
            if (belongs(wanted, id, all.ids[j], all.ghosts[j], distance) && all.admitted_by(filters[id], j) &&
                all.heights[i].overlaps(all.heights[j]))
                lists[id].push_back({all.ids[j], distance});
        }
        arrange(lists[id], wanted);
    }
    return lists;
}

namespace {

// Around one place within the period: the agents that share a height with it.
std::vector<Neighbour> neighbours_at(const Point& place, float radius, const Agents& all,
                                     const Neighbourhood& wanted, const Filter& filter, const Around& around,
                                     const Band& height = {}) {
    std::vector<Neighbour> list;
    for (std::size_t j = 0; j < all.ids.size(); ++j) {
        const float distance = distance_around(place, all.boxes[j], wanted.agents_as, around);
        if (distance <= radius * radius && all.admitted_by(filter, j) && height.overlaps(all.heights[j]))
            list.push_back({all.ids[j], distance});
    }
    arrange(list, wanted);
    return list;
}

}  // namespace

NeighbourLists neighbours_in(const BruteForceFrame& frame, const BruteForceFrame& others,
                             const Neighbourhood& wanted, const Filters& filters) {
    const Agents places(frame), all(others);
    NeighbourLists lists(places.ids.empty() ? 0 : places.ids.back() + std::size_t{1});
    for (std::size_t i = 0; i < places.ids.size(); ++i) {
        if (places.ghosts[i]) continue;
        const AgentId id = places.ids[i];
        lists[id] = neighbours_at(centre_of(places.boxes[i]), radius_of(wanted, id), all, wanted, filters[id],
                                  others.around(), places.heights[i]);
    }
    return lists;
}

NeighbourLists neighbours(const BruteForceFrame& frame, const std::vector<Point>& points,
                          const Neighbourhood& wanted, const Filters& filters) {
    const Agents all(frame);
    NeighbourLists lists(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        lists[i] = neighbours_at(folded(points[i], frame.around()), radius_of(wanted, i), all, wanted,
                                 filters[i], frame.around());
    return lists;
}

Neighbour nearest(const BruteForceFrame& frame, const Point& point, const Filter& filter) {
    const Agents all(frame);
    Neighbour nearest;
    const Point from = folded(point, frame.around());
    for (std::size_t j = 0; j < all.ids.size(); ++j) {
        const float distance = distance_around(from, all.boxes[j], AgentsAs::centres, frame.around());
        if ((distance < nearest.squared_distance || !nearest.found()) && all.admitted_by(filter, j))
            nearest = {all.ids[j], distance};
    }
    return nearest;
}

namespace {

void keep_nearest(std::vector<Neighbour>& agents, std::vector<Neighbour>& elements, std::size_t max_count) {
    std::vector<std::tuple<float, bool, AgentId>> all;
    for (const Neighbour& one : agents) all.emplace_back(one.squared_distance, false, one.id);
    for (const Neighbour& one : elements) all.emplace_back(one.squared_distance, true, one.id);
    std::sort(all.begin(), all.end());
    all.resize(std::min(all.size(), max_count));
    agents.clear();
    elements.clear();
    for (const auto& [distance, is_element, id] : all)
        (is_element ? elements : agents).push_back({id, distance});
}

}  // namespace

BothLists nearest_of_both(BothLists lists, const Neighbourhood& wanted) {
    for (std::size_t i = 0; wanted.max_count != 0 && i < lists.agents.size(); ++i)
        keep_nearest(lists.agents[i], lists.elements[i], wanted.max_count);
    return lists;
}

}  // namespace throng::oracle
