// What a frame knows of a world that wraps around: its periods, and how far its agents reach over a seam.
#pragma once

#include <algorithm>

#include "base/fold.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

struct Torus {
    Period period;
    // The widest and the highest agent that is narrower, or lower, than the period; and whether there is one
    // that is not.
    float width = 0, height = 0;
    bool has_wide = false, has_high = false;

    bool wraps() const noexcept { return period.wraps(); }
    // Takes account of a folded box.
    void add(const Box& box) noexcept {
        add(box.max_x - box.min_x, period.x, width, has_wide);
        add(box.max_y - box.min_y, period.y, height, has_high);
    }
    void add(const Torus& other) noexcept {
        width = std::max(width, other.width);
        height = std::max(height, other.height);
        has_wide |= other.has_wide;
        has_high |= other.has_high;
    }
    // How far an agent may reach beyond [0, period], with room for rounding.
    double reach_x() const noexcept { return 0.5 * double{width} + slack(period.x); }
    double reach_y() const noexcept { return 0.5 * double{height} + slack(period.y); }
    // The squares of distances below 1e-22 are zero, as if things that near touched.
    static double slack(float period) noexcept { return double{period} * 0x1p-18 + 0x1p-62; }

private:
    static void add(float size, float period, float& largest, bool& has_all) noexcept {
        if (period == 0) return;
        // A box that covers everything has twice the period.
        if (size > 1.5f * period)
            has_all = true;
        else if (size > largest)
            largest = size;
    }
};

}  // namespace throng::detail
