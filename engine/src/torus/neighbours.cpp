// Neighbours of points in a world that wraps around: those of the frame as it lies, and what is found around
// images of the points whose circles reach over a seam. Of the nearest that is the circle of those found so
// far.

#include <algorithm>
#include <span>

#include "base/fold.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/grown_lists.hpp"
#include "engine/src/torus/image_places.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// What was found around images, as answers that are added.
bool take_lists(const NeighbourLists& lists, std::span<const std::uint32_t> owners,
                Buffer<AddedAnswer>& added) noexcept {
    const std::span<const AgentId> ids = lists.ids();
    const std::span<const float> distances = lists.squared_distances();
    if (!resize_amply(added, ids.size())) return false;
    std::uint32_t number = 0;
    for (std::size_t i = 0, at = 0; i < owners.size(); ++i) {
        if (i != 0 && owners[i - 1] != owners[i]) number = 0;
        for (std::size_t k = 0; k < lists[i].size(); ++k, ++at)
            added[at] = {owners[i], number++, ids[at], distances.empty() ? 0 : distances[at]};
    }
    return true;
}

}  // namespace

// The points where they are in the one world there is. What is not legal stays as it is.
bool FrameCalls::fold_points(const Points& points, TorusSpace& space) const noexcept {
    Buffer<Point>& there = space.points.folded;
    if (!resize_amply(there, points.size())) return false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Box at = folded(points.boxes(), i, points.boxes()[i], state_->torus.period);
        there[i] = {at.min_x, at.min_y};
    }
    return true;
}

Status FrameCalls::lists_around(const Points& points, const Neighbourhood& wanted, NeighbourLists& lists,
                                const Filters& filters) const noexcept {
    lists.clear();
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    if (const Code bad = points.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (!fold_points(points, *space)) return {Code::out_of_memory};
    const Neighbourhood asked = with_distances(wanted);
    const std::span<const Point> there(space->points.folded.data(), points.size());
    Status status = unrolled().find_lists(Points(there), asked, lists, filters);
    if (status.ok()) status = add_images(asked, lists, filters, *space);
    if (!status.ok()) lists.clear();
    if (!wanted.distances) lists.distances_.clear();
    return status;
}

// The lists are those of the points that were folded.
Status FrameCalls::add_images(const Neighbourhood& wanted, NeighbourLists& lists, const Filters& filters,
                              TorusSpace& space) const noexcept {
    ImagePlaces images(state_->torus, wanted, space);
    for (std::size_t i = 0; i < lists.size(); ++i)
        if (!images.add(static_cast<std::uint32_t>(i), space.points.folded[i],
                        radius_left(lists, i, wanted, radius_at(wanted, i))))
            return {Code::out_of_memory};
    if (images.owners().empty()) return {};
    Filters their_filters;
    if (!filters_for(filters, images.owners(), space.filters, their_filters)) return {Code::out_of_memory};
    if (const Status bad = search_around(*state_, executor_, images.points(), images.wanted_around(wanted),
                                         their_filters, space.lists);
        !bad.ok())
        return bad;
    Buffer<float>* const distances = wanted.distances ? &lists.distances_ : nullptr;
    const FlatLists flat_lists{lists.offsets_, lists.answers_, distances, wanted.max_count, images.repeats()};
    return {take_lists(space.lists, images.owners(), space.added) && add_to_lists(flat_lists, space)
                ? Code::ok
                : Code::out_of_memory};
}

// --- Counts and single places -------------------------------------------------------------------------

// `lists(made)` makes the lists.
template <class Lists>
Status FrameCalls::count_lists(std::span<std::uint32_t> counts, const Lists& lists) const noexcept {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    if (const Status bad = lists(space->made); !bad.ok()) return bad;
    for (std::size_t i = 0; i < space->made.size(); ++i)
        counts[i] = static_cast<std::uint32_t>(space->made[i].size());
    return {};
}

Status FrameCalls::count_around(const Points& points, const Neighbourhood& wanted,
                                std::span<std::uint32_t> counts, const Filters& filters) const noexcept {
    return count_lists(
        counts, [&](NeighbourLists& made) noexcept { return lists_around(points, wanted, made, filters); });
}
Status FrameCalls::count_around(const Frame& others, const Neighbourhood& wanted,
                                std::span<std::uint32_t> counts, const Filters& filters) const noexcept {
    Neighbourhood by_id = wanted;
    by_id.in_row_order = false;
    return count_lists(
        counts, [&](NeighbourLists& made) noexcept { return lists_around(others, by_id, made, filters); });
}

// One point, on this thread.
Status FrameCalls::visit_around(const Point& point, const Neighbourhood& wanted, const Filter& filter,
                                NeighbourVisitor visitor) const {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    Neighbourhood asked = wanted;
    asked.distances = true;
    const Frame here = frame().on(serial_executor());
    const Status status = here.lists_around(std::span(&point, 1), asked, space->made, Filters(filter));
    const std::span<const AgentId> ids = space->made.ids();
    const std::span<const float> distances = space->made.squared_distances();
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (const Neighbour one{ids[i], distances[i]}; !visitor(&one, 1)) break;
    return status;
}

Filled FrameCalls::list_around(const Point& point, const Neighbourhood& wanted, std::span<Neighbour> out,
                               const Filter& filter) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    std::uint64_t total = 0;
    const auto take = [&](const Neighbour& one) noexcept {
        if (total < out.size()) out[static_cast<std::size_t>(total)] = one;
        ++total;
    };
    const Status status = visit_around(point, wanted, filter, any_visitor<Neighbour>(take));
    return status.ok() ? filled(total, out.size()) : Filled{.status = status};
}

}  // namespace throng
