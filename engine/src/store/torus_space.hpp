// The work space of a call in a world that wraps around (engine/src/torus).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/kernels.hpp"
#include "simd/query_kernels.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/results.hpp"

namespace throng::detail {

// A moved shape. A polygon then has corners of its own.
struct MovedShape {
    Shape shape = Point{};
    std::uint32_t corners = 0;
    Unwritten<Point, ConvexPolygon::max_corners> corner;

    operator Shape() const noexcept {  // NOLINT(google-explicit-constructor): a batch reads it so
        if (corners == 0) return shape;
        ConvexPolygon polygon(std::span(corner.data(), corners));
        polygon.was_convex_ = true;
        return polygon;
    }
    static bool was_convex(const ConvexPolygon& polygon) noexcept { return polygon.was_convex_; }
};

// An addition by images to one of many lists, and its number among all additions, as found.
struct AddedAnswer {
    std::uint32_t list, number;
    AgentId id;
    float distance;
};

// Images of one kind of queries, and the queries themselves if some had to be folded.
template <class Query>
struct ImageSpace {
    explicit ImageSpace(MemoryResource* memory) noexcept : folded(memory), images(memory) {}
    Buffer<Query> folded, images;
};

struct TorusSpace {
    explicit TorusSpace(MemoryResource* memory) noexcept : host(memory) {}
    MemoryResource* const host;
    ImageSpace<Cast> casts{host};
    // Images of boxes or of the bounds of shapes, the shapes, and which queries may find an agent twice.
    Buffer<Box> boxes{host};
    Buffer<simd::ShapeQuery> shapes{host};
    Buffer<simd::PolygonEdge> edges{host};
    Buffer<std::uint32_t> repeating{host};
    // For each image: its query, its radius, and its filter.
    Buffer<std::uint32_t> owners{host};
    Buffer<float> radii{host};
    Buffer<Filter> filters{host};
    Buffer<std::uint32_t> places{host};  // in which list the answers of each query are
    Buffer<std::uint32_t> counts{host};
    Buffer<std::uint8_t> found{host};
    // The answers of images.
    Buffer<std::uint64_t> more_offsets{host};
    Buffer<AgentId> more_ids{host};
    OverlapLists hits{host};
    NeighbourLists lists{host};
    Buffer<CastHit> cast_hits{host};
    Buffer<AddedAnswer> added{host};
    Buffer<AddedAnswer> sorted{host};
    // Ids that were found before, ascending.
    Buffer<AgentId> seen{host};
    Buffer<Pair> pairs{host};
    NeighbourLists made{host};  // lists; a call gives a part of them
    Buffer<std::uint64_t> made_offsets{host};
    Buffer<AgentId> made_ids{host};
    Buffer<std::uint32_t>& answers(const std::uint32_t*) noexcept { return counts; }
    Buffer<std::uint8_t>& answers(const std::uint8_t*) noexcept { return found; }
    TorusSpace* next = nullptr;
};

}  // namespace throng::detail
