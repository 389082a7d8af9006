// The kernels for queries with other shapes than boxes: circles, convex polygons, and segments with a width.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/query_kernels.hpp"
#include "simd/types.hpp"
#include "throng/agents_as.hpp"

namespace throng::simd {

// All bounds here are those of engine/src/query/query_batch.cpp.
struct CircleQuery {
    Query bounds;
    float x, y, radius;
};

// An edge of a polygon, from a corner in a direction; the polygon is to its left. The direction is zero if
// two corners are the same.
struct PolygonEdge {
    float x, y, unit_x, unit_y;
};

// Any shape. What it finds overlaps its bounds.
struct alignas(64) ShapeQuery {
    enum class Kind : std::uint8_t { circle, polygon, segment };

    CircleQuery circle;  // the bounds of any shape; the start of a segment, and its radius
    Kind kind;
    AgentsAs agents_as;            // for a circle
    float to_x, to_y;              // the end of a segment
    float unit_x, unit_y, length;  // from its start to its end; the direction is zero if it is a point
    std::uint32_t edge_count;      // of a polygon; without edges, it is its bounds
    const PolygonEdge* edges;
};

// A batch: in the order of some records, whose ids are the numbers of their queries, or without records in
// the caller's order.
struct ShapeBatch {
    const ShapeQuery* shapes;
    const Record* order;
    std::size_t count;
};

struct ShapeKernels {
    // With an order, the answers to query n go to streams[n >> shift], after a header with its number and the
    // count of its ids. With `ends`, they go to the first stream, and `ends` gets the number of its ids after
    // each query.
    void (*find)(const View&, const LabelFilters&, const ShapeBatch&, IdSink* streams, std::uint32_t shift,
                 std::uint64_t* ends);
    // The answer to query n goes to answers[n]: how many agents, or 1 if there is any.
    void (*count)(const View&, const LabelFilters&, const ShapeBatch&, std::uint32_t* answers);
    void (*any)(const View&, const LabelFilters&, const ShapeBatch&, std::uint8_t* answers);
};

}  // namespace throng::simd
