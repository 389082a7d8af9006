// The number by which distances are compared, and its bounds for the points of a node. A difference of
// doubles grows with either operand, however rounded, so no bound passes over a point that would be found.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "throng/compiler.hpp"
#include "throng/structures/point_tree.hpp"

namespace throng::structures::detail {

template <Metric metric>
struct Measure {
    static constexpr bool wraps = false;
    // The place at which a query is looked for.
    static DoublePoint place(const DoublePoint& p) noexcept { return p; }
    static double of(double dx, double dy) noexcept {
        if constexpr (metric == Metric::euclidean) return dx * dx + dy * dy;
        if constexpr (metric == Metric::manhattan) return std::abs(dx) + std::abs(dy);
        return larger(std::abs(dx), std::abs(dy));
    }
    static double distance(double measure) noexcept {
        return metric == Metric::euclidean ? std::sqrt(measure) : measure;
    }
    // For a radius. Below zero it finds nothing.
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
    // The same for two bounds.
    static double least(const PointBounds& b, const PointBounds& from) noexcept {
        return of(outside(b.min_x - from.max_x, b.max_x - from.min_x),
                  outside(b.min_y - from.max_y, b.max_y - from.min_y));
    }
    static double most(const PointBounds& b, const PointBounds& from) noexcept {
        return of(farthest(b.min_x - from.max_x, b.max_x - from.min_x),
                  farthest(b.min_y - from.max_y, b.max_y - from.min_y));
    }

protected:
    static double larger(double a, double b) noexcept { return a > b ? a : b; }

private:
    // Zero for a number below zero. It is made from the sign: a compiler would make a branch of a comparison,
    // which takes as long as half of a search.
    static double not_below_zero(double value) noexcept {
        const auto bits = throng::detail::bits_as<std::int64_t>(value);
        return throng::detail::bits_as<double>(bits & ~(bits >> 63));
    }
    static double outside(double low, double high) noexcept { return not_below_zero(larger(low, -high)); }
    static double farthest(double low, double high) noexcept { return larger(high, -low); }
};

// The same in a plane that wraps around, where the shorter way counts. Two places in it differ by less than
// once around. So a way grows with the difference, up to half around, where the other way becomes the shorter
// one.
template <Metric metric>
class MeasureAround : public Measure<metric> {
    using Flat = Measure<metric>;

public:
    static constexpr bool wraps = true;
    // Zero in a direction in which it does not wrap around.
    explicit MeasureAround(const DoublePoint& around) noexcept : x_(around.x), y_(around.y) {}

    DoublePoint place(const DoublePoint& p) const noexcept { return {x_.place(p.x), y_.place(p.y)}; }
    double of(double dx, double dy) const noexcept { return Flat::of(x_.way(dx), y_.way(dy)); }
    double least(const PointBounds& b, double x, double y) const noexcept {
        return least(b, PointBounds{x, y, x, y});
    }
    double most(const PointBounds& b, double x, double y) const noexcept {
        return most(b, PointBounds{x, y, x, y});
    }
    double least(const PointBounds& b, const PointBounds& from) const noexcept {
        return Flat::of(x_.least(b.min_x - from.max_x, b.max_x - from.min_x),
                        y_.least(b.min_y - from.max_y, b.max_y - from.min_y));
    }
    double most(const PointBounds& b, const PointBounds& from) const noexcept {
        return Flat::of(x_.most(b.min_x - from.max_x, b.max_x - from.min_x),
                        y_.most(b.min_y - from.max_y, b.max_y - from.min_y));
    }

private:
    struct Axis {
        explicit Axis(double its_size) noexcept
            : size(its_size), half(size > 0 ? size / 2 : std::numeric_limits<double>::infinity()) {}
        // By the operations of SciPy, also for ways, so that no bit differs.
        double place(double at) const noexcept {
            if (size == 0 || (at >= 0 && at < size)) return at;
            double there = at - std::floor(at / size) * size;
            if (there >= size) there -= size;
            if (there < 0) there += size;
            return there >= 0 && there < size ? there : 0;
        }
        double way(double difference) const noexcept {
            return difference + (difference < -half ? size : difference > half ? -size : 0);
        }
        // Of the differences from `low` to `high`.
        double least(double low, double high) const noexcept {
            if (low <= 0 && high >= 0) return 0;
            const double a = std::abs(way(low)), b = std::abs(way(high));
            return a < b ? a : b;
        }
        double most(double low, double high) const noexcept {
            if ((low <= half && high >= half) || (low <= -half && high >= -half)) return half;
            return Flat::larger(std::abs(way(low)), std::abs(way(high)));
        }
        double size, half;
    };
    Axis x_, y_;
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

// And for a plane that may wrap around.
template <class Use>
auto with_measure(Metric metric, const DoublePoint& around, const Use& use) {
    if (around.x == 0 && around.y == 0) return with_measure(metric, use);
    switch (metric) {
    case Metric::manhattan: return use(MeasureAround<Metric::manhattan>(around));
    case Metric::chebyshev: return use(MeasureAround<Metric::chebyshev>(around));
    default: return use(MeasureAround<Metric::euclidean>(around));
    }
}

}  // namespace throng::structures::detail
