// What is compared of a distance, and its bounds for the points of a node. A difference of doubles grows with
// either operand however it is rounded, so no bound passes by a point that would be found.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "throng/compiler.hpp"
#include "throng/structures/point_tree.hpp"

namespace throng::structures::detail {

template <Metric metric>
struct Measure {
    static double of(double dx, double dy) noexcept {
        if constexpr (metric == Metric::euclidean) return dx * dx + dy * dy;
        if constexpr (metric == Metric::manhattan) return std::abs(dx) + std::abs(dy);
        return larger(std::abs(dx), std::abs(dy));
    }
    static double distance(double measure) noexcept {
        return metric == Metric::euclidean ? std::sqrt(measure) : measure;
    }
    // Of a radius. Below zero, nothing is.
    static double limit(double radius) noexcept {
        if (!(radius >= 0)) return -1;
        return metric == Metric::euclidean ? radius * radius : radius;
    }
    // Of the nearest place in bounds, and of the farthest.
    static double least(const PointBounds& b, double x, double y) noexcept {
        return of(outside(b.min_x - x, b.max_x - x), outside(b.min_y - y, b.max_y - y));
    }
    // How far outside of bounds a place is, on each axis.
    static DoublePoint gaps(const PointBounds& b, double x, double y) noexcept {
        return {outside(b.min_x - x, b.max_x - x), outside(b.min_y - y, b.max_y - y)};
    }
    static double most(const PointBounds& b, double x, double y) noexcept {
        return of(farthest(b.min_x - x, b.max_x - x), farthest(b.min_y - y, b.max_y - y));
    }
    // The same of two bounds.
    static double least(const PointBounds& b, const PointBounds& from) noexcept {
        return of(outside(b.min_x - from.max_x, b.max_x - from.min_x),
                  outside(b.min_y - from.max_y, b.max_y - from.min_y));
    }
    static double most(const PointBounds& b, const PointBounds& from) noexcept {
        return of(farthest(b.min_x - from.max_x, b.max_x - from.min_x),
                  farthest(b.min_y - from.max_y, b.max_y - from.min_y));
    }

private:
    static double larger(double a, double b) noexcept { return a > b ? a : b; }
    // Of a number below zero, zero: by its sign, since a compiler would make a branch of a comparison, which
    // takes as long as half of a search.
    static double not_below_zero(double value) noexcept {
        const auto bits = throng::detail::bits_as<std::int64_t>(value);
        return throng::detail::bits_as<double>(bits & ~(bits >> 63));
    }
    static double outside(double low, double high) noexcept { return not_below_zero(larger(low, -high)); }
    static double farthest(double low, double high) noexcept { return larger(high, -low); }
};

// Calls use(Measure<metric>{}).
template <class Use>
auto with_measure(Metric metric, const Use& use) {
    switch (metric) {
    case Metric::manhattan: return use(Measure<Metric::manhattan>{});
    case Metric::chebyshev: return use(Measure<Metric::chebyshev>{});
    default: return use(Measure<Metric::euclidean>{});
    }
}

}  // namespace throng::structures::detail
