// Queries about agents and walls together, neighbours in another frame, and radii of their own, for a
// transcript: of a frame, or of its twin.
#pragma once

#include "fuzz/ask_casts.hpp"
#include "fuzz/ask_neighbours.hpp"
#include "fuzz/transcript.hpp"
#include "oracle/neighbours.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

struct BothManyLists {
    ManyLists agents, elements;
};
template <class... Places>
BothManyLists neighbours_of_both(const Frame& frame, const Neighbourhood& wanted, const Places&... places) {
    NeighbourLists agents, elements;
    const Status status = wanted.in(
        [&](const auto& kind) { return frame.with_static().neighbours(places..., kind, agents, elements); });
    return {numbered(status, agents), numbered(status, elements)};
}
inline BothManyLists numbered(oracle::BothLists lists, const Neighbourhood& wanted) {
    const oracle::BothLists both = oracle::nearest_of_both(std::move(lists), wanted);
    return {numbered(both.agents), numbered(both.elements)};
}
inline BothManyLists neighbours_of_both(const oracle::BruteForceFrame& frame, const Neighbourhood& wanted) {
    return numbered(
        {oracle::neighbours(frame, wanted), oracle::neighbours_in(frame, frame.static_layer(), wanted)},
        wanted);
}
inline BothManyLists neighbours_of_both(const oracle::BruteForceFrame& frame, const Neighbourhood& wanted,
                                        const std::vector<Point>& points) {
    return numbered(
        {oracle::neighbours(frame, points, wanted), oracle::neighbours(frame.static_layer(), points, wanted)},
        wanted);
}

inline ManyLists neighbours_among(const Frame& frame, const Frame& others, const Neighbourhood& wanted) {
    NeighbourLists lists;
    const Status status =
        wanted.in([&](const auto& kind) { return frame.neighbours_in(others, kind, lists); });
    return numbered(status, lists);
}
inline ManyLists neighbours_among(const oracle::BruteForceFrame& frame, const oracle::BruteForceFrame& others,
                                  const Neighbourhood& wanted) {
    // In its own frame an agent is no neighbour of itself.
    const bool same = frame.number() == others.number();
    return numbered(same ? oracle::neighbours(frame, wanted) : oracle::neighbours_in(frame, others, wanted));
}

inline std::size_t lists_by_id(const Frame& frame) { return frame.id_bound(); }
inline std::size_t lists_by_id(const oracle::BruteForceFrame& frame) {
    return frame.size() == 0 ? 0 : frame.ids().back() + std::size_t{1};
}

// What is asked of the engine in one call is asked of two twins.
template <class AnyCastHits>
Status all_hits_of_both(const Frame& frame, const std::vector<Cast>& casts, AnyCastHits& hits) {
    return frame.with_static().all_hits(casts, hits);
}
template <class AnyCastHits>
Status all_hits_of_both(const oracle::BruteForceFrame& frame, const std::vector<Cast>& casts,
                        AnyCastHits& hits) {
    return oracle::all_hits_of_both(frame, frame.static_layer(), casts, hits);
}
template <class AnyHits>
Status overlaps_of_both(const Frame& frame, const Boxes& boxes, AnyHits& agents, AnyHits& elements) {
    return frame.with_static().overlaps(boxes, agents, elements);
}
template <class AnyHits>
Status overlaps_of_both(const oracle::BruteForceFrame& frame, const Boxes& boxes, AnyHits& agents,
                        AnyHits& elements) {
    const Status status = frame.overlaps(boxes, agents);
    return status ? frame.static_layer().overlaps(boxes, elements) : status;
}

inline void note_both(const BothManyLists& lists, const char* what, bool in_given_order, Transcript& out) {
    note_lists(lists.agents, what, in_given_order, out);
    note_lists(lists.elements, "and of walls", in_given_order, out);
}

template <class AnyHits, class AnyCastHits, class AnyFrame>
void ask_layered(const AnyFrame& frame, const AnyFrame& other, const Boxes& boxes, Transcript& out) {
    AnyHits agents, elements;
    out.note("overlaps of both", overlaps_of_both(frame, boxes, agents, elements));
    for (std::size_t i = 0; i < agents.size(); ++i) {
        out.note("agents", agents[i]);
        out.note("walls", elements[i]);
    }
    AnyCastHits hits;
    out.note("all hits of both", all_hits_of_both(frame, casts_of(boxes), hits));
    for (std::size_t i = 0; i < hits.size(); ++i) note_hits(hits[i], out);

    float radius = 1;
    const std::vector<Point> points = corners_of(boxes, radius);
    if (points.empty()) return;
    note_both(neighbours_of_both(frame, {.radius = radius}), "neighbours of both", false, out);
    note_both(neighbours_of_both(frame, {.max_count = 3}, points), "the nearest of both", true, out);
    note_lists(neighbours_among(frame, other, {.radius = radius}), "neighbours in another", false, out);
    // Without agents there are no radii.
    std::vector<float> radii(lists_by_id(frame));
    for (std::size_t i = 0; i < radii.size(); ++i)
        radii[i] = std::min(radius, 1e30f) * static_cast<float>(i % 4) / 2;
    note_both(neighbours_of_both(frame, {.radius = 0, .radii = radii, .agents_as = AgentsAs::boxes}),
              "own radii", false, out);
    note_lists(neighbours_of(frame, {.radius = 0, .radii = radii, .either_reaches = true}), "either reaches",
               false, out);
    note_lists(neighbours_of(frame, {.radius = 0, .radii = radii, .half = true}), "half of those", false,
               out);
}

}  // namespace throng::fuzz
