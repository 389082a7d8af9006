// Places around which neighbours are looked for, and their images in a world that wraps around.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/query/query_batch.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/torus/each_once.hpp"
#include "engine/src/torus/moves.hpp"

namespace throng::detail {

// A radius that contains this squared distance. A root is rounded once, and a branch on how is as good as
// random.
inline float radius_of(float squared) noexcept {
    constexpr float more = 1 + 2 * std::numeric_limits<float>::epsilon();
    return std::sqrt(squared) * more;
}

inline float radius_at(const Neighbourhood& wanted, std::size_t number) noexcept {
    return wanted.radii.empty() ? wanted.radius : wanted.radii[number];
}

// The images of a place that looks so far.
class PlaceMoves {
public:
    PlaceMoves(const Torus& torus, const Neighbourhood& wanted) noexcept : torus_(torus) {
        const bool wide = wanted.agents_as != AgentsAs::centres;
        reach_x = wide ? torus.reach_x() : Torus::slack(torus.period.x);
        reach_y = wide ? torus.reach_y() : Torus::slack(torus.period.y);
        torus_.has_wide = torus_.has_high = wide && (torus.has_wide || torus.has_high);
        // The circle in a box that covers everything in one direction does not.
        if (wanted.agents_as == AgentsAs::circles) {
            if (torus.has_wide) reach_x = torus.period.x;
            if (torus.has_high) reach_y = torus.period.y;
        }
    }
    // None if the world does not wrap around.
    Moves of(const Point& at, float radius) const noexcept {
        if (!torus_.wraps()) return {};
        const double x{at.x}, y{at.y}, r{radius};
        return {torus_, Extent{x - r, y - r, x + r, y + r, reach_x, reach_y, true, finds_all(r, torus_)}};
    }
    const Period& period() const noexcept { return torus_.period; }

    double reach_x, reach_y;

private:
    Torus torus_;
};

// The images of places, and how far each looks.
class ImagePlaces {
public:
    ImagePlaces(const Torus& torus, const Neighbourhood& wanted, TorusSpace& space) noexcept
        : moves_(torus, wanted), space_(space) {
        space_.lists.clear();
        space_.boxes.clear();
        space_.owners.clear();
        space_.radii.clear();
    }
    // Returns false if there is no memory.
    [[nodiscard]] bool add(std::uint32_t owner, const Point& at, float radius) noexcept {
        const Moves moves = moves_.of(at, radius);
        repeats_ |= moves.repeats();
        return moves.each([&](int k, int l) {
            const Point there = moved(at, k, l, moves_.period());
            return space_.boxes.push_back({there.x, there.y, there.x, there.y}) &&
                   space_.owners.push_back(owner) && space_.radii.push_back(radius);
        });
    }
    // How far from a seam a place with an image may be.
    double strip_x(float radius) const noexcept { return double{radius} + moves_.reach_x; }
    double strip_y(float radius) const noexcept { return double{radius} + moves_.reach_y; }

    std::span<const std::uint32_t> owners() const noexcept {
        return {space_.owners.data(), space_.owners.size()};
    }
    bool repeats() const noexcept { return repeats_; }
    // Puts what the lists of the space found around the images behind what the owners' lists have, if
    // belongs(owner, id, squared distance). Returns false if there is no memory; then the lists are void.
    template <class Belongs>
    [[nodiscard]] bool put(const ListResult& lists, const Belongs& belongs) const noexcept {
        Buffer<AddedAnswer>& added = space_.added;
        const std::span<const float> distances = space_.lists.squared_distances();
        added.clear();
        std::uint32_t number = 0;
        for (std::size_t i = 0, at = 0; i < owners().size(); ++i) {
            const std::uint32_t owner = owners()[i];
            if (i != 0 && owners()[i - 1] != owner) number = 0;
            for (const AgentId id : space_.lists[i]) {
                const float distance = distances.empty() ? 0 : distances[at];
                ++at;
                if (belongs(owner, id, distance) && !added.push_back({owner, number++, id, distance}))
                    return false;
            }
        }
        return add_to_lists({lists.offsets, lists.ids, lists.distances, lists.max_count, repeats_}, space_);
    }
    QueryBatch places() const noexcept {
        return {reinterpret_cast<const simd::Query*>(space_.boxes.data()), nullptr, space_.boxes.size()};
    }
    // What is looked for around them.
    Neighbourhood wanted_around(const Neighbourhood& wanted) const noexcept {
        Neighbourhood around = wanted;
        around.radii = std::span<const float>(space_.radii.data(), space_.radii.size());
        around.half = around.either_reaches = around.in_row_order = around.with_self = false;
        return around;
    }

private:
    const PlaceMoves moves_;
    TorusSpace& space_;
    bool repeats_ = false;
};

// The answers so far may be all: then nothing further away than the last one is in the list of a site.
inline float radius_left(const ListResult& lists, std::size_t list, std::size_t site,
                         const Neighbourhood& wanted) noexcept {
    float radius = radius_at(wanted, site);
    if (lists.far_enough != nullptr) radius = std::min(radius, lists.far_enough[site]);
    if (!wanted.is_nearest || lists.length_of(list) < wanted.max_count) return radius;
    return std::min(radius, radius_of(lists.furthest_in(list)));
}

}  // namespace throng::detail
