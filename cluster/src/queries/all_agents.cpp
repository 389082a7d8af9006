// All agents at once: pairs and neighbours within the reach of the ghosts need no message.
#include <algorithm>
#include <tuple>

#include "cluster/src/inquiries/homes.hpp"
#include "cluster/src/inquiries/lists_inside.hpp"
#include "cluster/src/queries/find_pairs.hpp"
#include "cluster/src/queries/ghosts_alone.hpp"
#include "cluster/src/queries/nearest.hpp"
#include "cluster/src/queries/shared.hpp"
#include "cluster/src/world/cluster_state.hpp"
#include "throng/cluster/cluster_engine.hpp"

namespace throng::cluster {

namespace {

using detail::ClusterState;
using detail::World;

// Whether this rank lists a pair of an agent of its own and a ghost: its agent has the lower id or, if one of
// the two is a giant, is the other one.
bool lists_pair_with_ghost(const World& world, const Pair& pair) noexcept {
    const AgentId mine = std::min(pair.a, pair.b), ghost = std::max(pair.a, pair.b);
    const bool is_giant = world.sizes.is_giant(world.agents.boxes[mine]);
    if (is_giant != world.sizes.is_giant(world.agents.boxes[ghost])) return !is_giant;
    return world.global(mine) < world.global(ghost);
}

Status refused_options(const throng::detail::Neighbourhood& wanted, const Filter& filter) noexcept {
    if (wanted.radii.size() != 0) return {Code::bad_config, Argument::radii};
    if (wanted.half) return {Code::bad_config, Argument::half};
    if (wanted.either_reaches) return {Code::bad_config, Argument::either_reaches};
    if (wanted.in_row_order) return {Code::bad_config, Argument::in_row_order};
    if (filter.self != no_agent) return {Code::bad_config, Argument::filters};
    if (wanted.is_nearest && (wanted.max_count == 0 || wanted.max_count > Nearest::count_limit))
        return {Code::bad_config, Argument::count};
    if (!(wanted.radius >= 0))
        return {wanted.radius < 0 ? Code::inverted : Code::not_finite, Argument::radii};
    if (!wanted.is_nearest && wanted.radius > std::numeric_limits<float>::max())
        return {Code::not_finite, Argument::radii};
    return {};
}

ClusterStatus beyond_reach(const ClusterState& state, Argument which) noexcept {
    ClusterStatus status = state.trouble_here(Trouble::beyond_reach);
    status.status = Status(Code::bad_config, which);
    return status;
}

// Begins a call that is collective where agents stay with their hosts, and of each rank alone otherwise.
// Where they stay, each rank finds some for others, so all must want the same.
ClusterStatus begin_at_home(ClusterState& state, const ClusterStatus& bad, std::uint64_t shared) noexcept {
    state.trouble = {};
    return state.config.agents_stay ? state.begin(bad, shared).fault : bad;
}

detail::KnownNearest known_nearest(const ClusterState& state, std::size_t place) noexcept {
    return {state.neighbour_lists[place], state.neighbour_lists.squared_distances(place)};
}

// The lists of owned agents, from those that the frame has made for all.
bool write_owned(const ClusterState& state, bool distances, Lists& lists) noexcept {
    const World& world = state.now;
    const throng::NeighbourLists& all = state.neighbour_lists;
    std::size_t total = 0, at = 0;
    for (std::size_t e = 0; e < world.owned; ++e) total += all[e].size();
    detail::ListsInside to(lists);
    if (!to.offsets.resize(world.owned + 1) || !to.ids.resize(total) ||
        !to.numbers.resize(distances ? total : 0))
        return false;
    for (std::size_t e = 0; e < world.owned; ++e) {
        to.offsets[e] = at;
        if (distances) std::copy_n(all.squared_distances(e).begin(), all[e].size(), to.numbers.begin() + at);
        if (world.has_ghosts())
            for (detail::ById each(world, all[e], all.squared_distances(e)); !each.ended(); each.next())
                to.ids[at++] = each.id();
        else
            for (const AgentId other : all[e]) to.ids[at++] = world.global(other);
    }
    to.offsets[world.owned] = total;
    return true;
}

// The same for the nearest, some of which other ranks found.
bool write_nearest(const ClusterState& state, const detail::NearestSearch& search, Lists& lists) noexcept {
    const World& world = state.now;
    std::size_t most = search.found(), at = 0;
    for (std::size_t e = 0; e < world.owned; ++e) most += state.neighbour_lists[e].size();
    detail::ListsInside to(lists);
    if (!to.offsets.resize(world.owned + 1) || !to.ids.resize(most) || !to.numbers.resize(most)) return false;
    for (std::size_t e = 0; e < world.owned; ++e) {
        to.offsets[e] = at;
        search.list(e, known_nearest(state, e), [&](GlobalId id, float squared_distance) {
            to.ids[at] = id;
            to.numbers[at++] = squared_distance;
        });
    }
    to.offsets[world.owned] = at;
    return to.ids.resize(at) && to.numbers.resize(at);
}

}  // namespace

void PairList::sort() noexcept {
    for (Pair& pair : places_)
        if (ids_[pair.b] < ids_[pair.a]) std::swap(pair.a, pair.b);
    std::sort(places_.begin(), places_.end(), [ids = ids_](const Pair& one, const Pair& other) {
        return std::tie(ids[one.a], ids[one.b]) < std::tie(ids[other.a], ids[other.b]);
    });
    std::sort(apart_.begin(), apart_.end(), [](const ClusterPair& one, const ClusterPair& other) {
        return std::tie(one.a, one.b) < std::tie(other.a, other.b);
    });
}

ClusterStatus ClusterEngine::pairs(PairList& list, const PairQuery& wanted) noexcept {
    list.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    ClusterState& state = *state_;
    const World& world = state.now;
    ClusterStatus bad;
    if (wanted.with != nullptr)  // ids of another frame are not the cluster's
        bad = detail::refusal({Code::bad_config, Argument::options}, rank());
    else if (const Status options = Frame().count_pairs(wanted).status; !options.ok())
        bad = detail::refusal(options, rank());
    else if (double{wanted.within} > world.pairs_within)
        bad = beyond_reach(state, Argument::options);
    if (const ClusterStatus refused = begin_at_home(state, bad, detail::shared_pairs(wanted)); !refused.ok())
        return refused;
    list.ids_ = world.agents.ids.data();
    detail::find_pairs(state, list.places_,
                       [&](std::span<Pair> room) { return world.frame.pairs(room, wanted); });
    if (world.has_ghosts())
        detail::leave_out_from(static_cast<std::uint32_t>(world.owned), list.places_,
                               [&](const Pair& pair) { return lists_pair_with_ghost(world, pair); });
    if (state.trouble.ok()) state.pair_count = list.size();
    return state.config.agents_stay ? detail::bring_home(state, list) : state.trouble;
}

ClusterStatus ClusterEngine::neighbours(const Within& wanted, Lists& lists, const Filter& filter) noexcept {
    lists.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    ClusterState& state = *state_;
    ClusterStatus bad;
    if (const Status options = refused_options(wanted, filter); !options.ok())
        bad = detail::refusal(options, rank());
    else if (double{wanted.radius} > state.now.neighbours_within)
        bad = beyond_reach(state, Argument::radii);
    if (const ClusterStatus refused = begin_at_home(state, bad, detail::shared_neighbours(wanted, filter));
        !refused.ok())
        return refused;
    Within within = wanted;
    within.distances = wanted.distances || state.config.agents_stay || state.now.has_ghosts();
    state.fail(state.now.frame.neighbours(within, state.neighbour_lists, filter));
    if (state.trouble.ok() &&
        !state.need(write_owned(state, wanted.distances || state.config.agents_stay, lists)))
        lists.clear();
    return state.config.agents_stay ? detail::bring_home(state, lists, wanted.distances) : state.trouble;
}

ClusterStatus ClusterEngine::neighbours(const Nearest& wanted, Lists& lists, const Filter& filter) noexcept {
    lists.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    ClusterState& state = *state_;
    state.trouble = {};
    state.fail(refused_options(wanted, filter));
    Nearest nearest = wanted;
    nearest.distances = true;
    if (state.trouble.ok()) state.fail(state.now.frame.neighbours(nearest, state.neighbour_lists, filter));
    detail::NearestSearch search(state, wanted.count, wanted.agents_as,
                                 state.config.agents_stay ? detail::shared_neighbours(wanted, filter) : 0);
    const auto circle = [&](std::size_t e) {
        const Point at = state.plane.place(state.now.agents.boxes[e]);
        return Circle{at.x, at.y, wanted.max_radius, wanted.agents_as};
    };
    const auto known = [&](std::size_t e) { return known_nearest(state, e); };
    const auto fill = [&](std::size_t e, detail::Query& query) {
        query.set_filter(filter);
        if (!wanted.with_self) query.leave_out(state.now.agents.ids[e]);
        if (state.now.extras.heights) query.share_heights(state.now.agents.heights[e]);
    };
    const ClusterStatus failed = search.run(state.now.owned, circle, known, fill);
    if (!failed.ok()) return failed;
    if (state.trouble.ok() && !state.need(write_nearest(state, search, lists))) lists.clear();
    if (state.config.agents_stay) return detail::bring_home(state, lists, true);
    const ClusterStatus status = detail::agree(state.ranks, state.trouble, state.asking);
    if (!status.ok()) lists.clear();
    return status;
}

}  // namespace throng::cluster
