// The neighbours of points, and of all agents, for a transcript: of a frame, or of its twin.
#pragma once

#include "fuzz/transcript.hpp"
#include "oracle/neighbours.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

using oracle::Neighbourhood;

// Lists with at least one neighbour, each with its number.
struct NumberedList {
    std::size_t number;
    std::vector<AgentId> ids;
};
struct ManyLists {
    Status status;
    std::vector<NumberedList> lists;
};

inline ManyLists numbered(Status status, const NeighbourLists& lists) {
    ManyLists many{status, {}};
    for (std::size_t i = 0; i < lists.size(); ++i)
        if (!lists[i].empty()) many.lists.push_back({i, {lists[i].begin(), lists[i].end()}});
    return many;
}
inline ManyLists numbered(const oracle::NeighbourLists& lists) {
    ManyLists many;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (lists[i].empty()) continue;
        many.lists.push_back({i, {}});
        for (const Neighbour& one : lists[i]) many.lists.back().ids.push_back(one.id);
    }
    return many;
}
inline ManyLists neighbours_of(const Frame& frame, const std::vector<Point>& points,
                               const Neighbourhood& wanted) {
    NeighbourLists lists;
    const Status status = wanted.in([&](const auto& kind) { return frame.neighbours(points, kind, lists); });
    return numbered(status, lists);
}
inline ManyLists neighbours_of(const Frame& frame, const Neighbourhood& wanted, const Filters& filters = {}) {
    NeighbourLists lists;
    const Status status = wanted.in([&](const auto& kind) { return frame.neighbours(kind, lists, filters); });
    return numbered(status, lists);
}
// In blocks, of a few lists each. The twin has no blocks.
template <class... Places>
ManyLists streamed_neighbours(const Frame& frame, const Neighbourhood& wanted, const Places&... places) {
    NeighbourLists block;
    ManyLists many;
    const auto add = [&](std::size_t first, const NeighbourLists& some) {
        for (NumberedList& list : numbered({}, some).lists)
            many.lists.push_back({first + list.number, std::move(list.ids)});
    };
    many.status = wanted.in([&](const auto& kind) {
        return frame.for_each_answer(places..., kind, block, add, {.max_bytes = 300});
    });
    return many;
}
template <class... Places>
ManyLists streamed_neighbours(const oracle::BruteForceFrame& frame, const Neighbourhood& wanted,
                              const Places&... places) {
    return numbered(oracle::neighbours(frame, places..., wanted));
}
inline ManyLists neighbours_of(const oracle::BruteForceFrame& frame, const std::vector<Point>& points,
                               const Neighbourhood& wanted) {
    return numbered(oracle::neighbours(frame, points, wanted));
}
inline ManyLists neighbours_of(const oracle::BruteForceFrame& frame, const Neighbourhood& wanted,
                               const Filters& filters = {}) {
    return numbered(oracle::neighbours(frame, wanted, filters));
}

inline Neighbour nearest_to(const Frame& frame, const Point& point) { return frame.nearest(point).neighbour; }
inline Neighbour nearest_to(const oracle::BruteForceFrame& frame, const Point& point) {
    return oracle::nearest(frame, point);
}

inline void note_lists(const ManyLists& many, const char* what, bool in_given_order, Transcript& out) {
    out.note(what, many.status);
    out.note("lists with neighbours", many.lists.size());
    for (const NumberedList& list : many.lists) {
        out.note("the number of a list", list.number);
        if (in_given_order)
            for (const AgentId id : list.ids) out.note(what, id);
        else
            out.note(what, list.ids);
    }
}

// The corners of boxes, and how wide the first of them is; what is not finite is left out.
inline std::vector<Point> corners_of(const Boxes& boxes, float& radius) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box box = boxes[i];
        if (!std::isfinite(box.min_x) || !std::isfinite(box.max_y)) continue;
        points.push_back({box.min_x, box.max_y});
        const float width = std::abs(box.max_x - box.min_x);
        if (points.size() == 1 && std::isfinite(width)) radius = width;
    }
    return points;
}

// Around these corners.
template <class AnyFrame>
void ask_neighbours(const AnyFrame& frame, const Boxes& boxes, Transcript& out) {
    float radius = 1;
    const std::vector<Point> points = corners_of(boxes, radius);
    note_lists(neighbours_of(frame, points, {.radius = radius}), "neighbours of points", false, out);
    note_lists(neighbours_of(frame, points, {.max_count = 3}), "the nearest to points", true, out);
    for (const Point& point : points) out.note("the nearest to a point", nearest_to(frame, point).id);
    if (points.empty()) return;
    note_lists(neighbours_of(frame, {.radius = radius, .half = true}), "neighbours", false, out);
    note_lists(neighbours_of(frame, {.radius = 4 * radius, .max_count = 2}), "the nearest", true, out);
    const Neighbourhood half{.radius = radius, .half = true}, nearest{.max_count = 3};
    note_lists(streamed_neighbours(frame, half), "neighbours in blocks", false, out);
    note_lists(streamed_neighbours(frame, nearest, points), "the nearest in blocks", true, out);
}

}  // namespace throng::fuzz
