// The plane that is cut into parts, and what becomes of it where the world wraps around. Agents stay as the
// host gave them, wherever that is; the local engine, which has the same period, folds them and finds what
// is across a seam. So the cluster only has to know to which parts a place and a box belong:
//
// - the owner of an agent has the place of its folded centre, which lies in [0, period];
// - parts end at the seams, but a part that goes all the way around has no edges in that direction;
// - a box reaches parts across a seam too.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/fold.hpp"
#include "cluster/src/partition/domain.hpp"
#include "throng/boxes.hpp"
#include "throng/engine.hpp"
#include "throng/geometry.hpp"

namespace throng::cluster::detail {

// An interval of one axis, which a seam may cut in two.
struct Interval {
    double min, max;
};
struct CutInterval {
    Interval parts[2];
    int count;
};

class Plane {
public:
    explicit Plane(const EngineConfig& config) noexcept : period_{config.period_x, config.period_y} {}

    bool wraps() const noexcept { return period_.wraps(); }
    const throng::detail::Period& period() const noexcept { return period_; }
    // How far an agent may be off after it is folded, and moved by a period.
    double rounding() const noexcept { return largest_period() * 0x1p-21; }
    // The same for queries, which are moved by up to twenty.
    double rounding_of_queries() const noexcept { return largest_period() * 0x1p-15; }

    // As the local engine has it.
    Box folded(const Box& box) const noexcept { return wraps() ? throng::detail::folded(box, period_) : box; }
    // The edges of a folded box are rounded, so that its centre may be a float beyond a seam.
    Point place(const Box& box) const noexcept {
        const Point centre = folded(box).centre();
        return {inside(centre.x, period_.x), inside(centre.y, period_.y)};
    }
    Point folded(const Point& at) const noexcept {
        return {folded(at.x, period_.x), folded(at.y, period_.y)};
    }
    // A box of a view as the local engine is to fold it: doubles are folded before they are rounded.
    Box box_of(const Boxes& boxes, std::size_t i) const noexcept {
        return wraps() ? throng::detail::folded_as_given(boxes, i, boxes[i], period_) : boxes[i];
    }

    // The part of a rank, from what lies between cuts.
    Box part(Box between) const noexcept {
        end_at_seams(between.min_x, between.max_x, period_.x);
        end_at_seams(between.min_y, between.max_y, period_.y);
        return between.min_x <= between.max_x && between.min_y <= between.max_y ? between : no_box;
    }
    // How far apart two parts are, by the nearest way, on the axis on which they are further apart.
    double gap(const Box& one, const Box& other) const noexcept {
        return std::max({gap(one.min_x, one.max_x, other.min_x, other.max_x, period_.x),
                         gap(one.min_y, one.max_y, other.min_y, other.max_y, period_.y), 0.0});
    }
    // What a box that is widened by a margin takes of each axis.
    CutInterval along_x(const Box& box, double margin) const noexcept {
        return cut(box.min_x - margin, box.max_x + margin, period_.x);
    }
    CutInterval along_y(const Box& box, double margin) const noexcept {
        return cut(box.min_y - margin, box.max_y + margin, period_.y);
    }
    // An agent may be on several ranks, and of those that have it one answers a query: the rank whose part
    // holds the lower corner of what the agent's box and the query's bounds share. Where several images of
    // the bounds touch the agent, the first one counts.
    bool answers(const Box& part, const Box& bounds, const Box& agent) const noexcept {
        const Box there = folded(agent);
        return holds(part, {corner(there.min_x, bounds.min_x, bounds.max_x, period_.x),
                            corner(there.min_y, bounds.min_y, bounds.max_y, period_.y)});
    }

private:
    double largest_period() const noexcept { return std::max(double{period_.x}, double{period_.y}); }
    static float inside(float at, float period) noexcept {
        return period == 0 ? at : std::clamp(at, 0.0f, period);
    }
    static float folded(float at, float period) noexcept {
        return period == 0 ? at : static_cast<float>(throng::detail::folded(double{at}, period));
    }
    static void end_at_seams(float& min, float& max, float period) noexcept {
        constexpr float most = std::numeric_limits<float>::max();
        if (period == 0) return;
        const bool goes_around = min <= 0 && max >= period;
        min = goes_around ? -most : std::max(min, 0.0f);
        max = goes_around ? most : std::min(max, period);
    }
    static double gap(double min, double max, double other_min, double other_max, double period) noexcept {
        const double gap = std::max(min - other_max, other_min - max);
        if (period == 0 || gap <= 0) return gap;
        return std::min({gap, min + period - other_max, other_min + period - max});
    }
    static CutInterval cut(double min, double max, double period) noexcept {
        constexpr double most = std::numeric_limits<double>::max();
        if (period == 0) return {{{min, max}, {}}, 1};
        if (!(max - min < period)) return {{{-most, most}, {}}, 1};
        const double low = throng::detail::folded(min, static_cast<float>(period)), high = low + (max - min);
        if (high < period) return {{{low, high}, {}}, 1};
        return {{{low, most}, {-most, high - period}}, 2};
    }
    float corner(float agent, float min, float max, float period) const noexcept {
        if (period == 0) return std::max(agent, min);
        // Wide enough to touch all that the engine finds, whatever is rounded.
        const double more = double{period} * 0x1p-16, low = min - more, high = max + more;
        const double image = low + std::ceil((agent - high) / double{period}) * double{period};
        return static_cast<float>(throng::detail::folded(std::max(double{agent}, image), period));
    }

    throng::detail::Period period_;
};

}  // namespace throng::cluster::detail
