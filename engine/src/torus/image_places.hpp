// Places around which neighbours are looked for, and their images in a world that wraps around.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/centres/agents_to_look.hpp"
#include "engine/src/neighbours/point_search.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/torus/moves.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

// A radius within which this squared distance is.
inline float radius_of(float squared) noexcept {
    float radius = std::sqrt(squared);
    while (radius * radius < squared) radius = std::nextafter(radius, std::numeric_limits<float>::infinity());
    return radius;
}

inline float radius_at(const Neighbourhood& wanted, std::size_t number) noexcept {
    return wanted.radii.empty() ? wanted.radius : wanted.radii[number];
}

// Lists around places that are legal, and of which one more than the most may be wanted.
inline Status search_around(const FrameState& frame, const Executor& executor, const Points& places,
                            const Neighbourhood& wanted, const Filters& filters,
                            NeighbourLists& lists) noexcept {
    lists.clear();
    ListResult result(lists, wanted);
    if (!result.make_empty(places.size())) return {Code::out_of_memory};
    const WhereToLook where = where_to_look(places, frame, wanted);
    PointSearch search(where.frame(), executor, wanted, {where.frame(), filters});
    return result.finish(where.in_order(search.lists(places, result), executor, result));
}

// The images of places, and how far each looks.
class ImagePlaces {
public:
    ImagePlaces(const Torus& torus, const Neighbourhood& wanted, TorusSpace& space) noexcept
        : torus_(torus), space_(space) {
        const bool wide = wanted.agents_as != AgentsAs::centres;
        reach_x_ = wide ? torus.reach_x() : Torus::slack(torus.period.x);
        reach_y_ = wide ? torus.reach_y() : Torus::slack(torus.period.y);
        has_all_ = wide && (torus.has_wide || torus.has_high);
        space_.points.images.clear();
        space_.owners.clear();
        space_.radii.clear();
    }
    // Returns false if there is no memory.
    [[nodiscard]] bool add(std::uint32_t owner, const Point& at, float radius) noexcept {
        const Moves moves = moves_of(at, radius);
        repeats_ |= moves.repeats();
        return moves.each([&](int k, int l) {
            return space_.points.images.push_back(moved(at, k, l, torus_.period)) &&
                   space_.owners.push_back(owner) && space_.radii.push_back(radius);
        });
    }
    Moves moves_of(const Point& at, float radius) const noexcept {
        const double x{at.x}, y{at.y}, r{radius};
        Torus torus = torus_;
        torus.has_wide = torus.has_high = has_all_;
        return {torus, Extent{x - r, y - r, x + r, y + r, reach_x_, reach_y_, true, finds_all(r, torus_)}};
    }
    // How far from a seam a place may be and have an image.
    double strip_x(float radius) const noexcept { return double{radius} + reach_x_; }
    double strip_y(float radius) const noexcept { return double{radius} + reach_y_; }

    std::span<const std::uint32_t> owners() const noexcept {
        return {space_.owners.data(), space_.owners.size()};
    }
    bool repeats() const noexcept { return repeats_; }
    Points points() const noexcept {
        return std::span<const Point>(space_.points.images.data(), space_.points.images.size());
    }
    // What is looked for around them.
    Neighbourhood wanted_around(const Neighbourhood& wanted) const noexcept {
        Neighbourhood around = wanted;
        around.radii = std::span<const float>(space_.radii.data(), space_.radii.size());
        around.half = around.either_reaches = around.in_row_order = around.with_self = false;
        return around;
    }

private:
    const Torus& torus_;
    TorusSpace& space_;
    double reach_x_, reach_y_;
    bool has_all_;
    bool repeats_ = false;
};

// What was found for a list so far may be all: then none of its images looks further than its last.
inline float radius_left(const NeighbourLists& lists, std::size_t list, const Neighbourhood& wanted,
                         float radius) noexcept {
    if (!wanted.is_nearest || lists[list].size() < wanted.max_count) return radius;
    return std::min(radius, radius_of(lists.squared_distances(list).back()));
}

}  // namespace throng::detail
