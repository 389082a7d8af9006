// PointPlaces: points in doubles, found by an engine in floats. Each point gets a place, scaled and rounded
// to floats. An engine lists candidates around the places of queries. These calls measure the candidates in
// doubles and keep what is exactly right. For many queries in an even world this is several times as fast as
// a PointTree.
//
//     using namespace throng::structures;
//     PointPlaces places;
//     throng::Status status = PointPlaces::of(stations, places);
//     status = places.put(stations, floats, outside);                      // for the engine
//     status = engine.update(throng::Boxes::points(floats, &throng::Point::x, &throng::Point::y, 0));
//     status = places.put(riders, floats, outside);                        // and the same for queries
//     status = engine.frame().neighbours(floats, {.count = 4, .distances = true}, candidates);
//     status = places.nearest({stations, riders, candidates}, {.count = 3}, distances, ids, open);
//
// The middle of the points is at 0, and the farthest is between 1/2 and 1. What lies outside of -2 to 2 has
// no place. A place is at most 2.2 * 2^-24 from where it would be exactly. So all within r are found within r
// + 2^-22 of a query's place, with another 2^-22 of that for what the engine rounds.
//
// A PointTree answers what floats leave open: queries that are outside, radii that are too small beside the
// width of all points, and queries for the nearest that are marked as open.
#pragma once

#include <cstdint>
#include <span>

#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/status.hpp"
#include "throng/structures/point_tree.hpp"

namespace throng::structures {

// Points, queries, and the lists of an engine with the points' places around the places of the queries, with
// distances.
struct PointCandidates {
    std::span<const DoublePoint> points, queries;
    const NeighbourLists& lists;
};

struct THRONG_API PointPlaces {
    double centre_x = 0, centre_y = 0, scale = 1;

    // For these points. Refuses the first that is not finite.
    static Status of(std::span<const DoublePoint> points, PointPlaces& places) noexcept;
    // The places of points. outside[i] is 1 for a point without a place, which is put at 0, and otherwise 0.
    Status put(std::span<const DoublePoint> points, std::span<Point> places,
               std::span<std::uint8_t> outside) const noexcept;
    // The radius with which an engine finds all candidates, or 0 if floats are too coarse for it: if it is
    // less than 2^-16 of all points' width, or NaN.
    float reach(double radius, Metric metric) const noexcept;

    // The nearest among candidates, as PointTree::nearest gives them. Ask the engine for one more than
    // wanted, within the reach of `below`. open[q] is 1 if another point may be nearer, and otherwise 0.
    Status nearest(const PointCandidates& candidates, const NearestPoints& wanted,
                   std::span<double> distances, std::span<std::int64_t> ids,
                   std::span<std::uint8_t> open) const noexcept;
    // The points within a radius; ask the engine for its reach.
    Status find(const PointCandidates& candidates, const PointsWithin& wanted,
                PointLists& lists) const noexcept;
    // The pairs within a radius, from lists of agents with `half`, in row order, for its reach.
    Status find_pairs(std::span<const DoublePoint> points, const NeighbourLists& lists, double radius,
                      Metric metric, PointPairs& pairs) const noexcept;
};

}  // namespace throng::structures
