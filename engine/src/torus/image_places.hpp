// Places around which neighbours are looked for, and their images in a world that wraps around.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>

#include "base/kernels.hpp"
#include "engine/src/frame/frame_reader.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/query/query_batch.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/torus/added_lists.hpp"
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
//
// One agent that is large beside the world would let all places look across it. A few of them are set apart:
// places look as far as the others reach, and for each of the large ones they are asked where it lies.
class PlaceMoves {
public:
    PlaceMoves(const Torus& torus, const Neighbourhood& wanted) noexcept
        : torus_(torus), as_(wanted.agents_as) {
        const bool as_boxes = as_ == AgentsAs::boxes;
        torus_.has_wide = torus_.has_high = as_boxes && (torus.has_wide || torus.has_high);
        reach_as(torus);
        furthest_x_ = reach_x, furthest_y_ = reach_y;
    }
    // Sets those of some frames apart, or of none that are null.
    void set_apart(std::initializer_list<const FrameState*> frames) noexcept {
        Torus others{torus_.period};
        const auto is_large = [&](float half, float period) { return period != 0 && share * half > period; };
        if (as_ == AgentsAs::centres || !(is_large(static_cast<float>(reach_x), period().x) ||
                                          is_large(static_cast<float>(reach_y), period().y)))
            return;
        std::size_t count = 0;
        for (const FrameState* const frame : frames) {
            if (frame == nullptr) continue;
            (void)for_each_agent(serial_executor(), *frame,
                                 [&](AgentId, const simd::Row& row, std::size_t i) {
                                     const Box box = RowArrays(row).box(i);
                                     const float x = half_of(box, box.max_x - box.min_x, period().x),
                                                 y = half_of(box, box.max_y - box.min_y, period().y);
                                     if (!is_large(x, period().x) && !is_large(y, period().y))
                                         others.add(box);
                                     else if (count++ < most_large)
                                         large_[count - 1] = box;
                                 });
        }
        if (count > most_large) return;
        large_count_ = count;
        reach_as(others);
    }
    bool has_large() const noexcept { return large_count_ != 0; }

    // None if the world does not wrap around.
    Moves of(const Point& at, float radius) const noexcept { return of(at, radius, reach_x, reach_y); }
    // Calls use(k, l) for the images that touch a large agent which the place itself does not touch.
    template <class Use>
    void each_to_large(const Point& at, float radius, const Use& use) const noexcept {
        const double slack = Torus::slack(period().x) + Torus::slack(period().y) + double{radius} * 0x1p-18;
        for (std::size_t i = 0; i < large_count_; ++i) {
            const Box& box = large_[i];
            if (touches(at, box, -slack)) continue;
            (void)of(at, radius, furthest_x_, furthest_y_).each([&](int k, int l) {
                if (touches(moved(at, k, l, period()), box, double{radius} + slack)) use(k, l);
                return true;
            });
        }
    }
    const Period& period() const noexcept { return torus_.period; }

    double reach_x, reach_y;

private:
    static constexpr std::size_t most_large = 8;
    static constexpr float share = 16;

    void reach_as(const Torus& torus) noexcept {
        const Torus none{torus.period};
        const Torus& those = as_ == AgentsAs::centres ? none : torus;
        reach_x = as_ == AgentsAs::circles ? those.circles_x() : those.reach_x();
        reach_y = as_ == AgentsAs::circles ? those.circles_y() : those.reach_y();
    }
    // A box that covers everything in a direction is found without a move in it.
    float half_of(const Box& box, float size, float period) const noexcept {
        if (as_ == AgentsAs::circles) return Torus::circle_in(box);
        return size > 1.5f * period ? 0 : 0.5f * size;
    }
    Moves of(const Point& at, float radius, double far_x, double far_y) const noexcept {
        if (!torus_.wraps()) return {};
        const double x{at.x}, y{at.y}, r{radius};
        Moves moves(torus_, Extent{x - r, y - r, x + r, y + r, far_x, far_y, true, finds_all(r, torus_)});
        if (!moves.alone()) moves.leave_out_behind(at, torus_.period);
        return moves;
    }
    bool touches(const Point& at, const Box& box, double by) const noexcept {
        if (as_ == AgentsAs::boxes)
            return at.x >= box.min_x - by && at.x <= box.max_x + by && at.y >= box.min_y - by &&
                   at.y <= box.max_y + by;
        const Point centre = box.centre();
        const double x = double{at.x} - double{centre.x}, y = double{at.y} - double{centre.y},
                     reach = double{Torus::circle_in(box)} + by;
        return reach >= 0 && x * x + y * y <= reach * reach;
    }

    Torus torus_;
    const AgentsAs as_;
    double furthest_x_, furthest_y_;  // the reach of all, also of those that are set apart
    std::size_t large_count_ = 0;
    Unwritten<Box, most_large> large_;
};

// The images of places, and how far each looks.
class ImagePlaces {
public:
    ImagePlaces(const PlaceMoves& moves, const Neighbourhood& wanted, TorusSpace& space) noexcept
        : moves_(moves), wanted_(wanted), space_(space) {
        space_.lists.clear();
        space_.imaged.clear();
    }
    // Returns false if there is no memory.
    [[nodiscard]] bool add(std::uint32_t owner, const Point& at, float radius) noexcept {
        const Moves moves = moves_.of(at, radius);
        if (moves.alone() && !moves_.has_large()) return true;
        ImagedPlace place{at, radius, owner, 0};
        const auto add = [&](int k, int l) {
            place.moves |= 1u << (3 * l + k + 4);
            return true;
        };
        (void)moves.each(add);
        moves_.each_to_large(at, radius, add);
        if (place.moves == 0) return true;
        images_ += static_cast<std::size_t>(std::popcount(place.moves));
        all_moves_ |= place.moves;
        repeats_ |= moves.repeats() || moves_.has_large();
        return space_.imaged.push_back(place);
    }
    // Makes the images of the places that were added, of so many that were looked at. Those by one move come
    // together, in the order of their places: so neighbours among them are neighbours in the world, if places
    // are. Returns false if there is no memory.
    [[nodiscard]] bool make(std::size_t places) noexcept {
        are_dense_ = images_ >= places;
        if (!resize_amply(space_.boxes, images_) || !resize_amply(space_.owners, images_) ||
            !resize_amply(space_.radii, images_))
            return false;
        std::size_t i = 0;
        for (int move = 0; move < 9; ++move) {
            if ((all_moves_ >> move & 1) == 0) continue;
            for (const ImagedPlace& place : space_.imaged) {
                if ((place.moves >> move & 1) == 0) continue;
                const Point there = moved(place.at, move % 3 - 1, move / 3 - 1, moves_.period());
                space_.boxes[i] = {there.x, there.y, there.x, there.y};
                space_.owners[i] = place.owner;
                space_.radii[i++] = place.radius;
            }
        }
        return true;
    }
    // How far from a seam a place with an image may be.
    double strip_x(float radius) const noexcept { return strip(radius, moves_.reach_x, moves_.period().x); }
    double strip_y(float radius) const noexcept { return strip(radius, moves_.reach_y, moves_.period().y); }

    std::span<const std::uint32_t> owners() const noexcept { return {space_.owners.data(), images_}; }
    bool repeats() const noexcept { return repeats_; }
    // Puts what the lists of the space found around the images behind what the owners' lists have. Returns
    // false if there is no memory; then the lists are void.
    [[nodiscard]] bool put(const ListResult& lists) const noexcept {
        const NeighbourLists& found = space_.lists;
        return add_to_lists(
            {lists.offsets, lists.ids, lists.distances, lists.max_count, repeats_},
            {found.offsets().data(), found.ids().data(), found.squared_distances().data()}, {0, images_},
            [&](std::size_t i) { return space_.owners[i]; }, space_);
    }
    QueryBatch places() const noexcept {
        return {reinterpret_cast<const simd::Query*>(space_.boxes.data()), nullptr, images_};
    }
    // What is looked for around them. With one radius for all, searches share what they look at. That pays
    // for the nearest, and for others if they are dense, as in a narrow world.
    Neighbourhood wanted_around() const noexcept {
        Neighbourhood around = wanted_;
        around.half = around.either_reaches = around.in_row_order = around.with_self = false;
        if (!wanted_.radii.empty() || !(wanted_.is_nearest || are_dense_))
            around.radii = std::span<const float>(space_.radii.data(), images_);
        return around;
    }
    // For the nearest, if one radius is for all: what is further away from each does not matter.
    const float* far_enough() const noexcept {
        return wanted_.is_nearest && wanted_.radii.empty() ? space_.radii.data() : nullptr;
    }

private:
    double strip(float radius, double reach, float period) const noexcept {
        return moves_.has_large() ? double{period} : double{radius} + reach;
    }

    const PlaceMoves& moves_;
    const Neighbourhood& wanted_;
    TorusSpace& space_;
    std::size_t images_ = 0;
    std::uint32_t all_moves_ = 0;
    bool repeats_ = false, are_dense_ = false;
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
