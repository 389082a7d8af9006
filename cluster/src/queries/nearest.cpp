#include "cluster/src/queries/nearest.hpp"

#include <cmath>

#include "cluster/src/partition/domain.hpp"

namespace throng::cluster::detail {

namespace {

// A radius that reaches what is at this squared distance.
float radius_of(float squared_distance, float most) noexcept {
    const double root = World::widened(std::sqrt(double{squared_distance}));
    return root < double{most} ? std::nextafterf(static_cast<float>(root), most) : most;
}

}  // namespace

void NearestSearch::look_at(std::size_t e, const Circle& circle, const KnownNearest& known) noexcept {
    ClusterState& state = elsewhere_.state;
    if (state.ranks.size() == 1) return;
    const Box mine = state.partition.domains()[static_cast<std::size_t>(state.rank())];
    const float radius = known.ids.size() < count_
                             ? circle.radius
                             : radius_of(known.squared_distances[count_ - 1], circle.radius);
    const double beyond = World::widened(double{radius}) - state.now.margin();
    if (keeps(mine, {circle.x, circle.y, circle.x, circle.y}, beyond)) return;
    state.need(far_.push_back({static_cast<std::uint32_t>(e), radius}));
}

std::span<const int> NearestSearch::others_that_may_know(const Query& query) noexcept {
    const std::span<const int> ranks = elsewhere_.touched_by(query);
    int* const all = elsewhere_.state.touched.data();
    int* const end = std::remove(all, all + ranks.size(), elsewhere_.state.rank());
    return {all, end};
}

void NearestSearch::answer() noexcept {
    elsewhere_.read_heads();
    find_nearest(elsewhere_, count_, agents_as_, theirs_);
    elsewhere_.inquiry.answer([&](std::size_t q, const auto& answer) {
        for (std::size_t k = 0; k < theirs_[q].size(); ++k)
            answer({elsewhere_.state.now.global(theirs_[q][k]), theirs_.squared_distances(q)[k],
                    number_of(elsewhere_, q)});
    });
    std::sort(elsewhere_.inquiry.found.begin(), elsewhere_.inquiry.found.end());
}

}  // namespace throng::cluster::detail
