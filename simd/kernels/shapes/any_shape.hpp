// Any of the shapes, told apart when they are looked at: so the search is compiled once for all of them. Its
// tests are functions of their own, called once for a vector of agents.
#pragma once

#include "simd/kernels/shapes/circle_shape.hpp"
#include "simd/kernels/shapes/polygon_shape.hpp"
#include "simd/kernels/shapes/segment_shape.hpp"

namespace throng::simd {

template <class V>
class AnyShape {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Source = ShapeQuery;
    using Covered = ShapeRows<V, AnyShape>;

    // The shape must live as long as this.
    explicit AnyShape(const ShapeQuery& shape) : shape_(shape) {}
    const Query& bounds() const { return shape_.circle.bounds; }
    std::uint32_t overlap(const Arrays& a, std::size_t j) const { return overlap_of(shape_, a, j); }

    using Outline = ShapeOutline<AnyShape>;
    bool misses(const float* bounds) const { return misses_bounds(shape_, bounds); }
    bool covers(const float* bounds) const { return covers_bounds(shape_, bounds); }
    Interval touched(double low, double high) const { return touched_by(shape_, low, high); }
    Interval covered(double low, double high) const { return covered_by(shape_, low, high); }

private:
    template <class Use>
    static auto with(const ShapeQuery& q, const Use& use) {
        switch (q.kind) {
        case ShapeQuery::Kind::polygon: return use(PolygonShape<V>(q));
        case ShapeQuery::Kind::segment: return use(SegmentShape<V>(q));
        case ShapeQuery::Kind::circle: break;
        }
        switch (q.agents_as) {
        case AgentsAs::centres: return use(CircleShape<V, AgentsAs::centres>(q.circle));
        case AgentsAs::circles: return use(CircleShape<V, AgentsAs::circles>(q.circle));
        case AgentsAs::boxes: break;
        }
        return use(CircleShape<V, AgentsAs::boxes>(q.circle));
    }
    THRONG_KERNEL THRONG_NOINLINE static std::uint32_t overlap_of(const ShapeQuery& q, const Arrays& a,
                                                                  std::size_t j) {
        return with(q, [&](const auto& shape) { return shape.overlap(a, j); });
    }
    THRONG_KERNEL THRONG_NOINLINE static bool misses_bounds(const ShapeQuery& q, const float* bounds) {
        return with(q, [&](const auto& shape) { return shape.misses(bounds); });
    }
    THRONG_KERNEL THRONG_NOINLINE static bool covers_bounds(const ShapeQuery& q, const float* bounds) {
        return with(q, [&](const auto& shape) { return shape.covers(bounds); });
    }
    THRONG_KERNEL THRONG_NOINLINE static Interval touched_by(const ShapeQuery& q, double low, double high) {
        return with(q, [&](const auto& shape) { return shape.touched(low, high); });
    }
    THRONG_KERNEL THRONG_NOINLINE static Interval covered_by(const ShapeQuery& q, double low, double high) {
        return with(q, [&](const auto& shape) { return shape.covered(low, high); });
    }
    const ShapeQuery& shape_;
};

}  // namespace throng::simd
