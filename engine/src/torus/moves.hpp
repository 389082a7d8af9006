// By how many periods a query is moved so that no agent is missed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/box_math.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "throng/agents_as.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// What a query may touch, and how far beyond [0, period) agents may reach to be touched.
struct Extent {
    double min_x, min_y, max_x, max_y;
    double reach_x, reach_y;
    // Whether only the nearest image of an agent decides; otherwise any may.
    bool nearest_decides;
    bool finds_all = false;  // agents anywhere, so each image finds them

    double width() const noexcept { return max_x - min_x; }
    double height() const noexcept { return max_y - min_y; }
};

// A radius whose square is too large for a float finds all, also together with radii of agents.
inline bool finds_all(double radius, const Torus& torus) noexcept {
    const double most = radius + double{torus.width} + double{torus.height};
    return most * most >= double{std::numeric_limits<float>::max()};
}

class AxisMoves {
public:
    static constexpr int most = 20;

    AxisMoves() = default;
    AxisMoves(double min, double max, float period, double reach, bool nearest_decides) noexcept {
        // Far from seams, as most are: without a division.
        if (period == 0 || (min > reach && max < double{period} - reach)) return;
        const double limit = nearest_decides ? 1 : most, one{period};
        first = static_cast<int>(std::clamp(std::ceil((-reach - max) / one), -limit, 0.0));
        last = static_cast<int>(std::clamp(std::floor((one + reach - min) / one), 0.0, limit));
    }
    bool alone() const noexcept { return first == last; }

    int first = 0, last = 0;
};

class Moves {
public:
    Moves() = default;
    Moves(const Torus& torus, const Extent& e) noexcept
        : x_(e.min_x, e.max_x, torus.period.x, e.reach_x, e.nearest_decides),
          y_(e.min_y, e.max_y, torus.period.y, e.reach_y, e.nearest_decides) {
        const auto twice = [](const AxisMoves& axis, double size, double reach, bool any, float period) {
            return !axis.alone() && (any || size + 2 * reach >= double{period});
        };
        repeats_ = e.finds_all || twice(x_, e.width(), e.reach_x, torus.has_wide, torus.period.x) ||
                   twice(y_, e.height(), e.reach_y, torus.has_high, torus.period.y);
    }

    // Whether the query itself finds all.
    bool alone() const noexcept { return x_.alone() && y_.alone(); }
    // Whether two images may find the same agent.
    bool repeats() const noexcept { return repeats_; }
    // Calls use(k, l) for the images, until it returns false: how many periods each is moved.
    template <class Use>
    bool each(const Use& use) const {
        for (int l = y_.first; l <= y_.last; ++l)
            for (int k = x_.first; k <= x_.last; ++k)
                if ((k != 0 || l != 0) && !use(k, l)) return false;
        return true;
    }

private:
    AxisMoves x_, y_;
    bool repeats_ = false;
};

// Whether that length needs more images than are made.
inline bool goes_around_too_often(double size, float period) noexcept {
    return period != 0 && !(size <= (AxisMoves::most - 4) * double{period});
}

// How a query is refused.
inline Status refusal(Code bad, std::size_t index) noexcept {
    return {bad, index, bad == Code::too_large ? Argument::boxes : Argument::any};
}

// An edge or a place, so many periods further: rounded once.
inline float moved(float at, int periods, float period) noexcept {
    return static_cast<float>(double{at} + periods * double{period});
}
inline Point moved(const Point& at, int k, int l, const Period& period) noexcept {
    return {moved(at.x, k, period.x), moved(at.y, l, period.y)};
}
inline Box moved(const Box& box, int k, int l, const Period& period) noexcept {
    return {moved(box.min_x, k, period.x), moved(box.min_y, l, period.y), moved(box.max_x, k, period.x),
            moved(box.max_y, l, period.y)};
}
inline Point folded(const Point& at, const Period& period) noexcept {
    const auto axis = [](float place, float around) {
        if (around == 0 || (place >= 0 && place < around)) return place;
        return static_cast<float>(folded(double{place}, around));
    };
    return {axis(at.x, period.x), axis(at.y, period.y)};
}

}  // namespace throng::detail
