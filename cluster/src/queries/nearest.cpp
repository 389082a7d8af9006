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
    const bool is_full = known.ids.size() == count_;
    const float radius =
        is_full ? radius_of(known.squared_distances[count_ - 1], circle.radius) : circle.radius;
    const Point at = state.plane.folded(Point{circle.x, circle.y});
    const Box place{at.x, at.y, at.x, at.y};
    const double wide = World::widened(double{radius}) + state.now.rounding;
    // No ghost reaches further into this part than half its size.
    if (is_full && state.now.has_ghosts() && !keeps(mine, place, wide + state.now.sizes.largest))
        state.need(tied_.push_back({static_cast<std::uint32_t>(e), radius}));
    if (!keeps(mine, place, wide - state.now.margin()))
        state.need(far_.push_back({static_cast<std::uint32_t>(e), radius}));
}

std::span<const int> NearestSearch::others_that_may_know(const Query& query) noexcept {
    const std::span<const int> ranks = elsewhere_.touched_by(query);
    int* const all = elsewhere_.state.touched.data();
    int* const end = std::remove(all, all + ranks.size(), elsewhere_.state.rank());
    return {all, end};
}

void NearestSearch::take_ghosts(Around& tied) noexcept {
    ClusterState& state = elsewhere_.state;
    if (tied.size() == 0) return;
    tied.find_nearest_ghosts(count_, agents_as_, ghosts_);
    for (std::size_t k = 0; state.trouble.ok() && k < tied.size(); ++k)
        for (std::size_t i = 0; i < ghosts_[k].size(); ++i)
            state.need(elsewhere_.inquiry.found.push_back(
                {state.now.ghost(ghosts_[k][i]), ghosts_.squared_distances(k)[i], tied_[k].place}));
}

void NearestSearch::answer() noexcept {
    elsewhere_.read_heads();
    Around asked(elsewhere_.state);
    asked.add_all(elsewhere_);
    asked.find_nearest(count_, agents_as_, theirs_);
    ghosts_.clear();
    const World& world = elsewhere_.state.now;
    if (world.has_ghosts()) asked.find_nearest_ghosts(count_, agents_as_, ghosts_);
    elsewhere_.inquiry.answer([&](std::size_t q, const auto& answer) {
        const std::uint32_t place = number_of(elsewhere_, q);
        for (std::size_t k = 0; k < theirs_[q].size(); ++k)
            answer({world.global(theirs_[q][k]), theirs_.squared_distances(q)[k], place});
        for (std::size_t k = 0; world.has_ghosts() && k < ghosts_[q].size(); ++k)
            answer({world.ghost(ghosts_[q][k]), ghosts_.squared_distances(q)[k], place});
    });
    std::sort(elsewhere_.inquiry.found.begin(), elsewhere_.inquiry.found.end());
}

}  // namespace throng::cluster::detail
