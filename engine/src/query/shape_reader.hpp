// Shapes as the kernels read them.
#pragma once

#include <cstddef>

#include "base/legal.hpp"
#include "simd/query_kernels.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// How many edges it takes.
inline std::size_t edges_of(const Shape& shape) noexcept {
    if (shape.kind() != Shape::Kind::polygon) return 0;
    const std::size_t corners = shape.polygon().corners().size();
    return corners <= ConvexPolygon::max_corners ? corners : 0;
}
// Reads a shape if it is legal; the query refers to the edges.
Code read_shape(const Shape& shape, simd::ShapeQuery& query, simd::PolygonEdge* edges) noexcept;
// The same for all shapes of a batch, with their bounds. The status names the first illegal one.
Status read_shapes(const Shapes& shapes, simd::ShapeQuery* queries, simd::Query* bounds,
                   simd::PolygonEdge* edges) noexcept;
// The status of the first illegal shape, or query.
Status check(const Shapes& shapes) noexcept;
inline Status check(const BoxesOrShapes& queries) noexcept {
    return queries.visit([](const auto& all) { return check(all); });
}

}  // namespace throng::detail
