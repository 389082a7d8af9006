#include "cluster/src/queries/around.hpp"

#include <algorithm>

#include "cluster/src/queries/ghosts_alone.hpp"
#include "throng/engine.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::cluster::detail {

void Around::add_all(const Batch& batch) noexcept {
    for (std::size_t q = 0; state_.trouble.ok() && q < batch.inquiry.asked(); ++q) {
        const Query query(batch.inquiry.query(q));
        add({query.numbers[0], query.numbers[1], query.numbers[2]}, batch.local_filters[q]);
    }
}

template <class Wanted>
void Around::find(const Frame& frame, const Wanted& wanted, throng::NeighbourLists& lists) noexcept {
    lists.clear();
    const auto is_upside_down = [](const Filter& filter) {
        return filter.heights.min_z > filter.heights.max_z;
    };
    if (std::any_of(filters_.begin(), filters_.end(), is_upside_down))
        find_at_two_bands(frame, wanted, lists);
    else if (state_.trouble.ok())
        state_.fail(frame.neighbours(std::span<const Point>(points_.data(), size()), wanted, lists,
                                     Filters::of(std::span<const Filter>(filters_.data(), size()))));
}

// Places become agents of a frame of their own, since these have heights beside those of their filters. What
// shares a height with both bands begins below the end of the first, and ends above the begin of the second.
template <class Wanted>
void Around::find_at_two_bands(const Frame& frame, const Wanted& wanted,
                               throng::NeighbourLists& lists) noexcept {
    throng::detail::Buffer<Box> places(state_.memory);
    throng::detail::Buffer<Band> bands(state_.memory);
    throng::detail::Buffer<Filter> filters(state_.memory);
    if (!state_.trouble.ok() ||
        !state_.need(places.resize(size()) && bands.resize(size()) && filters.resize(size())))
        return;
    constexpr Band every_height;
    for (std::size_t k = 0; k < size(); ++k) {
        places[k] = {points_[k].x, points_[k].y, points_[k].x, points_[k].y};
        bands[k] = {every_height.min_z, filters_[k].heights.max_z};
        filters[k] = filters_[k];
        filters[k].heights.max_z = every_height.max_z;
    }
    Engine engine(config_beside(state_));
    state_.fail(engine.update(std::span<const Box>(places.data(), size()),
                              {.heights = Heights::of(std::span<const Band>(bands.data(), size()))}));
    if (state_.trouble.ok())
        state_.fail(engine.frame().neighbours_in(
            frame, wanted, lists, Filters::of(std::span<const Filter>(filters.data(), size()))));
}

void Around::find_within(AgentsAs agents_as, throng::NeighbourLists& lists) noexcept {
    find(state_.now.frame, Within{.radius = 0, .radii = radii(), .agents_as = agents_as, .distances = true},
         lists);
}

void Around::find_nearest(std::uint32_t count, AgentsAs agents_as, throng::NeighbourLists& lists) noexcept {
    find(state_.now.frame,
         Nearest{.count = count, .max_radii = radii(), .agents_as = agents_as, .distances = true}, lists);
}

void Around::find_nearest_ghosts(std::uint32_t count, AgentsAs agents_as,
                                 throng::NeighbourLists& lists) noexcept {
    for (Filter& filter : filters_) filter = as_of_ghosts(state_.now, filter);
    find(ghosts_alone(state_),
         Nearest{.count = count, .max_radii = radii(), .agents_as = agents_as, .distances = true}, lists);
}

}  // namespace throng::cluster::detail
