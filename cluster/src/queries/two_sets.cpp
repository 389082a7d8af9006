// The pairs of two clusters on the same ranks. The agents of the other cluster come as guests to the ranks
// where they may meet one of this. There the local frame finds their pairs, also with ghosts.
#include <algorithm>
#include <limits>

#include "cluster/src/inquiries/homes.hpp"
#include "cluster/src/inquiries/inquiry.hpp"
#include "cluster/src/inquiries/query.hpp"
#include "cluster/src/partition/domain.hpp"
#include "cluster/src/queries/find_pairs.hpp"
#include "cluster/src/queries/ghosts_alone.hpp"
#include "cluster/src/queries/shared.hpp"
#include "throng/cluster/cluster_engine.hpp"

namespace throng::cluster {

namespace detail {

namespace {

// The box that a guest may meet; no float is too small for it.
Box reach_of(const Box& box, float within) noexcept {
    constexpr float most = std::numeric_limits<float>::max();
    const double far = double{within};
    return {std::max(float_below(box.min_x - far), -most), std::max(float_below(box.min_y - far), -most),
            std::min(float_above(box.max_x + far), most), std::min(float_above(box.max_y + far), most)};
}

// Pairs across a seam are those of one engine, to the last bit, if the same agents of the two are moved:
// those of the frame that is asked. This starts from owned agents alone, so giants have to meet all guests
// where they are owned. Without seams they need not.
bool starts_from_owned(const ClusterState& state) noexcept { return state.plane.wraps(); }

// The agents that other ranks sent here, as a frame of their own, and the pairs of this rank's and theirs.
void take_guests(ClusterState& state, const Inquiry& inquiry, const Extras& extras,
                 throng::detail::Buffer<Pair>& pairs, const PairQuery& wanted) noexcept {
    state.spare.clear();
    if (!state.trouble.ok() || !state.need(state.spare.append(inquiry.queries(), extras))) return;
    const AgentTable& table = state.spare;
    state.fail(build_guests(state, table, extras, 0, table.size()));
    if (!state.trouble.ok()) return;
    const Frame guests = state.guests->frame(), &here = state.now.frame;
    PairQuery query = wanted;
    query.with = starts_from_owned(state) ? &guests : &here;
    find_pairs(state, pairs, [&](std::span<Pair> room) {
        return starts_from_owned(state) ? here.pairs(room, query) : guests.pairs(room, query);
    });
}

// Whether this rank lists a pair of the agent of that place and a guest.
bool lists_pair_with(const ClusterState& state, AgentId place, const Box& guests_reach) noexcept {
    const World& world = state.now;
    if (state.ranks.size() == 1 || starts_from_owned(state)) return true;
    const Box& box = world.agents.boxes[place];
    if (!world.sizes.is_giant(box)) return !world.is_ghost(place);
    return state.plane.answers(state.partition.domains()[static_cast<std::size_t>(state.rank())],
                               guests_reach, box);
}

// The pairs that this rank lists, from those of the guests' frame with its own.
void name_pairs(ClusterState& state, throng::detail::Buffer<Pair>& found,
                throng::detail::Buffer<ClusterPair>& named, float within) noexcept {
    if (state.trouble.ok() && state.need(named.reserve(found.size())))
        for (const Pair& pair : found) {
            const bool place_first = starts_from_owned(state);
            const AgentId place = place_first ? pair.a : pair.b, guest = place_first ? pair.b : pair.a;
            if (lists_pair_with(state, place, reach_of(state.spare.boxes[guest], within)))
                (void)named.push_back({state.now.global(place), state.spare.ids[guest], place,
                                       ClusterPair::no_place});  // there is room
        }
    found.clear();
}

}  // namespace

}  // namespace detail

ClusterStatus ClusterEngine::pairs_with(const ClusterEngine& other, PairList& list,
                                        const PairQuery& wanted) noexcept {
    list.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    detail::ClusterState& state = *state_;
    ClusterStatus bad = other.status();
    if (bad.ok() && !state.is_beside(*other.state_)) bad = state.trouble_here(Trouble::other_ranks);
    if (bad.ok() && state.plane.period() != other.state_->plane.period())
        bad = detail::refusal({Code::bad_config, Argument::period}, rank());
    if (bad.ok() && wanted.with != nullptr)
        bad = detail::refusal({Code::bad_config, Argument::options}, rank());
    if (const Status options = Frame().count_pairs(wanted).status; bad.ok() && !options.ok())
        bad = detail::refusal(options, rank());
    const ClusterStatus refused = state.begin(bad, detail::shared_pairs(wanted)).fault;
    if (!refused.ok()) return refused;
    const detail::World& guests = other.state_->now;
    detail::Inquiry inquiry(state);
    const detail::Extras extras = guests.extras.traits();
    const detail::Sizes& sizes = state.now.sizes;
    const double margin =
        state.now.rounding +
        detail::World::widened(detail::starts_from_owned(state) ? sizes.largest : sizes.common);
    inquiry.ask(
        guests.owned, extras.words(),
        [&](std::size_t i) {
            return state.partition.touched(detail::reach_of(guests.agents.boxes[i], wanted.within), margin,
                                           {state.touched.data(), state.touched.size()});
        },
        [&](std::size_t i, detail::Word* at) { guests.agents.pack(i, extras, at); });
    detail::take_guests(state, inquiry, extras, list.places_, wanted);
    detail::name_pairs(state, list.places_, list.apart_, wanted.within);
    if (state.config.agents_stay) return detail::bring_home(state, list);
    const ClusterStatus status = inquiry.end();
    if (!status.ok()) list.clear();
    return status;
}

}  // namespace throng::cluster
