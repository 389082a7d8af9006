#include "cluster/src/queries/around.hpp"

#include "throng/queries/neighbours.hpp"

namespace throng::cluster::detail {

namespace {

// `with_radii(radii)` is what is wanted; there may be no radii if there is no place.
template <class WithRadii>
void find_around(Batch& batch, throng::NeighbourLists& lists, const WithRadii& with_radii) noexcept {
    ClusterState& state = batch.state;
    const std::size_t count = batch.inquiry.asked();
    throng::detail::Buffer<Point> points(state.memory);
    throng::detail::Buffer<float> radii(state.memory);
    lists.clear();
    if (!state.trouble.ok() || !state.need(points.resize(count) && radii.resize(count))) return;
    for (std::size_t q = 0; q < count; ++q) {
        const Query query(batch.inquiry.query(q));
        points[q] = {query.numbers[0], query.numbers[1]};
        radii[q] = query.numbers[2];
    }
    state.fail(state.now.frame.neighbours(
        std::span<const Point>(points.data(), count), with_radii(std::span<const float>(radii.data(), count)),
        lists, Filters::of(std::span<const Filter>(batch.local_filters.data(), count))));
}

}  // namespace

void find_within(Batch& batch, AgentsAs agents_as, throng::NeighbourLists& lists) noexcept {
    find_around(batch, lists, [&](std::span<const float> radii) {
        return Within{.radius = 0, .radii = radii, .agents_as = agents_as, .distances = true};
    });
}

void find_nearest(Batch& batch, std::uint32_t count, AgentsAs agents_as,
                  throng::NeighbourLists& lists) noexcept {
    find_around(batch, lists, [&](std::span<const float> radii) {
        return Nearest{.count = count, .max_radii = radii, .agents_as = agents_as, .distances = true};
    });
}

}  // namespace throng::cluster::detail
