#include "cluster/src/queries/around.hpp"

#include "cluster/src/queries/ghosts_alone.hpp"
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
    if (state_.trouble.ok())
        state_.fail(frame.neighbours(std::span<const Point>(points_.data(), size()), wanted, lists,
                                     Filters::of(std::span<const Filter>(filters_.data(), size()))));
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
