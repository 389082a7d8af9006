// The nearest agents of each owned one. The local frame knows all agents that are within the margin of this
// rank's part, so a list whose farthest agent is no further than that is right already. Of the others, the
// ranks are asked whose parts a list's farthest agent might be in: none beyond can have a nearer one.
//
//     query   the element, its id and its place, how far to look
//     answer     the element, how many, and the id and the squared distance of each
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "cluster/src/partition/domain.hpp"
#include "cluster/src/queries/homes.hpp"
#include "cluster/src/queries/inquiry.hpp"
#include "cluster/src/queries/lists_inside.hpp"
#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

namespace {

struct NearestQuery {
    GlobalId id;
    Point place;
    float radius;
    std::uint32_t element;
};

constexpr std::size_t query_words = words_of<NearestQuery>();

// A radius that reaches what is at this squared distance.
float radius_of(float squared_distance, float most) noexcept {
    const double root = World::widened(std::sqrt(double{squared_distance}));
    return root < double{most} ? std::nextafterf(static_cast<float>(root), most) : most;
}

class NearestSearch {
public:
    NearestSearch(ClusterState& state, const Nearest& wanted, const Filter& filter) noexcept
        : state_(state),
          wanted_(wanted),
          filter_(filter),
          queries_(state.memory),
          inquiry_(state),
          points_(state.memory),
          radii_(state.memory),
          filters_(state.memory) {
        wanted_.distances = true;
    }

    ClusterStatus run(Lists& lists) noexcept {
        state_.trouble = {};
        state_.fail(state_.now.frame.neighbours(wanted_, state_.neighbour_lists, filter_));
        if (state_.trouble.ok()) list_queries();
        Summary mine;
        mine.fault = state_.trouble;
        mine.flags = queries_.size();
        const Summary all = sum_up(state_.ranks, mine, state_.report);
        if (!all.fault.ok()) return all.fault;
        const bool asked = all.flags != 0;
        if (asked) {
            ask();
            answer();
        }
        if (state_.trouble.ok() && !state_.need(write(lists))) lists.clear();
        if (state_.config.agents_stay) return bring_home(state_, lists, true);
        return asked ? inquiry_.end() : state_.trouble;
    }

private:
    void list_queries() noexcept;
    void ask() noexcept;
    bool ask_local() noexcept;
    NearestQuery query(std::size_t q) const noexcept {
        NearestQuery asked;
        get(inquiry_.query(q), asked);
        return asked;
    }
    void answer() noexcept;
    bool write(Lists& lists) noexcept;
    float radius_for(AgentId local) const noexcept;

    ClusterState& state_;
    Nearest wanted_;
    const Filter filter_;
    throng::detail::Buffer<NearestQuery> queries_;
    Inquiry inquiry_;
    throng::detail::Buffer<Point> points_;
    throng::detail::Buffer<float> radii_;
    throng::detail::Buffer<Filter> filters_;
    throng::NeighbourLists theirs_;
};

// How far the nearest of an agent may be, as this rank knows.
float NearestSearch::radius_for(AgentId local) const noexcept {
    const std::span<const float> known = state_.neighbour_lists.squared_distances(local);
    if (known.size() < wanted_.count) return wanted_.max_radius;
    return radius_of(known[known.size() - 1], wanted_.max_radius);
}

void NearestSearch::list_queries() noexcept {
    const World& world = state_.now;
    const Box mine = state_.partition.domains()[static_cast<std::size_t>(state_.rank())];
    const double margin = world.margin();
    if (state_.ranks.size() == 1) return;
    for (std::size_t e = 0; e < world.owned; ++e) {
        const Point centre = world.agents.boxes[e].centre();
        const float radius = radius_for(world.local(e));
        const double far = World::widened(double{radius}) - margin;
        if (keeps(mine, {centre.x, centre.y, centre.x, centre.y}, far)) continue;
        const NearestQuery query{world.agents.ids[e], centre, radius, static_cast<std::uint32_t>(e)};
        if (!state_.need(queries_.push_back(query))) return;
    }
}

void NearestSearch::ask() noexcept {
    ClusterState& state = state_;
    inquiry_.ask(
        queries_.size(), query_words,
        [&](std::size_t q) {
            const Point at = queries_[q].place;
            std::span<const int> ranks =
                state.partition.touched({at.x, at.y, at.x, at.y}, World::widened(double{queries_[q].radius}),
                                        {state.touched.data(), state.touched.size()});
            int* const others =
                std::remove(state.touched.begin(), state.touched.begin() + ranks.size(), state.rank());
            return ranks.first(static_cast<std::size_t>(others - state.touched.begin()));
        },
        [&](std::size_t q, Word* at) { put(at, queries_[q]); });
}

// What others asked, of the local frame. It leaves out the agent that asks, if it is a ghost here.
bool NearestSearch::ask_local() noexcept {
    const World& world = state_.now;
    const std::size_t count = inquiry_.asked();
    if (!state_.trouble.ok()) return false;
    if (!state_.need(points_.resize(count) && radii_.resize(count) && filters_.resize(count))) return false;
    for (std::size_t q = 0; q < count; ++q) {
        const NearestQuery asked = query(q);
        points_[q] = asked.place;
        radii_[q] = asked.radius;
        filters_[q] = filter_;
        if (!wanted_.with_self) filters_[q].self = world.find(asked.id);
    }
    Nearest nearest;
    nearest.count = wanted_.count;
    nearest.max_radii = std::span<const float>(radii_.data(), count);
    nearest.agents_as = wanted_.agents_as;
    nearest.distances = true;
    state_.fail(world.frame.neighbours(std::span<const Point>(points_.data(), count), nearest, theirs_,
                                       Filters::of(std::span<const Filter>(filters_.data(), count))));
    return state_.trouble.ok();
}

void NearestSearch::answer() noexcept {
    (void)ask_local();
    inquiry_.answer([&](std::size_t q, const auto& answer) {
        for (std::size_t k = 0; k < theirs_[q].size(); ++k)
            answer({state_.now.global(theirs_[q][k]), theirs_.squared_distances(q)[k], query(q).element});
    });
}

// The nearest of what is known here and what others found, of which some are the same.
bool NearestSearch::write(Lists& lists) noexcept {
    const World& world = state_.now;
    std::size_t known = 0;
    for (std::size_t e = 0; e < world.owned; ++e) known += state_.neighbour_lists[world.local(e)].size();
    ListsInside to(lists);
    const throng::detail::Buffer<Found>& found = inquiry_.found;
    const std::size_t most = known + found.size();
    if (!to.offsets.resize(world.owned + 1) || !to.ids.resize(most) || !to.numbers.resize(most)) return false;
    throng::detail::Buffer<Found> both(state_.memory);
    std::sort(inquiry_.found.begin(), inquiry_.found.end());
    std::size_t at = 0, next = 0;
    for (std::size_t e = 0; e < world.owned; ++e) {
        to.offsets[e] = at;
        const AgentId local = world.local(e);
        const std::span<const AgentId> ids = state_.neighbour_lists[local];
        const std::span<const float> distances = state_.neighbour_lists.squared_distances(local);
        both.clear();
        if (!both.reserve(ids.size() + found.size() - next)) return false;
        for (std::size_t k = 0; k < ids.size(); ++k)
            (void)both.push_back({world.global(ids[k]), distances[k], static_cast<std::uint32_t>(e)});
        const std::size_t here = both.size();
        for (; next < found.size() && found[next].query == e; ++next) (void)both.push_back(found[next]);
        std::inplace_merge(both.begin(), both.begin() + here, both.end());
        std::size_t taken = 0;
        for (std::size_t k = 0; k < both.size() && taken < wanted_.count; ++k) {
            if (k != 0 && both[k].id == both[k - 1].id) continue;
            to.ids[at] = both[k].id;
            to.numbers[at++] = both[k].number;
            ++taken;
        }
    }
    to.offsets[world.owned] = at;
    return to.ids.resize(at) && to.numbers.resize(at);
}

}  // namespace

ClusterStatus ClusterState::nearest(const Nearest& wanted, const Filter& filter, Lists& lists) noexcept {
    return NearestSearch(*this, wanted, filter).run(lists);
}

}  // namespace throng::cluster::detail
