// Lists of neighbours that are kept from frame to frame and completed.
//
// How it is known what they lack. Let R be the float `radius + skin` for which the lists were made, and r the
// radius. If two agents have each moved by at most m since then and are within r of each other now, then they
// were within r + 2m. So with 2m <= R - r they were in each other's lists. A search is only made around
// agents that have moved further than that m: what it finds within r, and was not near then, is added to the
// lists. That holds for real numbers. The searches compare rounded ones:
// - A squared distance of floats has five roundings, r * r has one, each of at most u = 2^-23 in any rounding
//   mode. So what is found is nearer than r (1 + 4u), and everything nearer than R (1 - 4u) was found.
//   `slack` is twice that.
// - Squares below the least normal float, 1.2e-38, lose digits or become zero, so what is nearer than 2.2e-19
//   may count as being at the same point. `tiny` is more than that.
// - If r * r is infinite, so is R * R, and the lists have all agents.
// - Centres are rounded, too, and each call compares those of its own rounding mode: centres that an update
//   wrote under another mode are not used. A change of mode moves centres like any other movement.
// - Movements are squared distances of floats too, so what counts as m or less is less than m (1 + 3u) +
//   1.6e-19, for which the same slack has room. Their limit is a little lower yet, since it is rounded
//   itself.
//
// In a world that wraps around, each coordinate of an image is rounded once more, by less than a period's
// 2^-23. Lists are kept there as long as all agents are within the margin, by the way to the nearest image.
// Otherwise they are made again: a search around one would have to look across the seams. Whether agents were
// near then is measured in double, where the difference of two floats has a square without overflow or
// underflow. If nothing moved at all, the lists are right for any skin.
//
// Lists at the agents' own heights lack agents at other heights. So an agent whose band has changed counts as
// one that has come from far away, as long as these lists are kept.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/outcome.hpp"
#include "engine/src/frame/centres.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/missing.hpp"
#include "engine/src/neighbours/movement.hpp"
#include "engine/src/torus/agent_images.hpp"
#include "throng/compiler.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

Code check_kept(const KeptNeighbourhood& wanted) noexcept {
    if (const Code bad = check_radius(wanted.radius); bad != Code::ok) return bad;
    if (const Code bad = check_radius(wanted.skin); bad != Code::ok) return bad;
    return check_radius(wanted.radius + wanted.skin);
}

bool make_room(Buffer<Point>& centres, std::size_t ids) noexcept {
    return reserve_amply(centres, ids + simd::gap) && centres.resize(ids);
}

// The centres of a frame's agents by id. If its update has not written them, they are gathered from the rows.
Status find_centres(const FrameState& frame, const Executor& executor, Buffer<Point>& gathered,
                    const Point*& centres) noexcept {
    frame.store->want_centres();
    if (frame.centres != nullptr && frame.centres->points.size() == frame.id_bound &&
        frame.centres->rounding == rounding_mode()) {
        centres = frame.centres->points.data();
        return {};
    }
    if (!make_room(gathered, frame.id_bound)) return {Code::out_of_memory};
    if (frame.agents != frame.id_bound) std::fill(gathered.begin(), gathered.end(), no_centre);
    const AgentSites sites(frame);
    const auto gather = [&](const simd::Queriers& queriers) {
        // Ids in the order of rows are all over the memory, so these are fetched early.
        constexpr std::uint32_t ahead = 32;
        for (std::uint32_t i = 0; i < queriers.count; ++i) {
            if (i + ahead < queriers.count) THRONG_PREFETCH(&gathered[queriers.number[i + ahead]], 1);
            gathered[queriers.number[i]] = {queriers.x[i], queriers.y[i]};
        }
        return true;
    };
    const parallel::Ran ran = parallel::for_ranges(
        executor, sites.size(), 4096, [&](parallel::Range range) { (void)sites.each(range, false, gather); });
    centres = gathered.data();
    return outcome(ran);
}

// Gathered centres are not needed again, and are taken as they are.
Status keep_centres(const Executor& executor, const Point* now, std::size_t ids, Buffer<Point>& gathered,
                    Buffer<Point>& kept) noexcept {
    if (now == gathered.data()) {
        gathered.swap(kept);
        return {};
    }
    if (!make_room(kept, ids)) return {Code::out_of_memory};
    const parallel::Ran ran = parallel::for_ranges(executor, ids, 65536, [&](parallel::Range range) {
        std::copy(now + range.begin, now + range.end, kept.data() + range.begin);
    });
    return outcome(ran);
}

// The bits of 32 ids that are ghosts.
std::uint32_t ghosts_of_word(const simd::GhostIds& ghosts, std::size_t word) noexcept {
    const auto first = static_cast<AgentId>(word * 32);
    if (!ghosts.is_range()) return ghosts.words[ghosts.word_of(first)];
    const auto all_below = [&](AgentId id) {
        return id < first + 32 ? (1u << (std::max(id, first) - first)) - 1 : ~0u;
    };
    return all_below(ghosts.bound) & ~all_below(ghosts.lowest);
}
bool are_same_ghosts(const simd::GhostIds& ghosts, const Buffer<std::uint32_t>& kept) noexcept {
    if (kept.size() != (ghosts.bound + std::size_t{31}) / 32) return false;
    for (std::size_t w = 0; w < kept.size(); ++w)
        if (kept[w] != ghosts_of_word(ghosts, w)) return false;
    return true;
}
bool remember_ghosts(const simd::GhostIds& ghosts, Buffer<std::uint32_t>& kept) noexcept {
    if (!resize_amply(kept, (ghosts.bound + std::size_t{31}) / 32)) return false;
    for (std::size_t w = 0; w < kept.size(); ++w) kept[w] = ghosts_of_word(ghosts, w);
    return true;
}

// The known bands of agents.
struct KeptBands {
    Buffer<Band>& by_id;
    std::size_t changed = 0;  // since they were noted before

    static constexpr Point far_away{0, std::numeric_limits<float>::infinity()};

    // Notes the bands of a frame with heights. Agents whose bands changed count as far away, if their place
    // was known.
    Status note(const FrameState& frame, const Executor& executor, Point* was) noexcept {
        const bool are_known = by_id.size() == frame.id_bound;
        if (!resize_amply(by_id, frame.id_bound)) return {Code::out_of_memory};
        if (!are_known) std::fill(by_id.begin(), by_id.end(), Band{});
        const AgentSites sites(frame, false, true);
        std::atomic<std::size_t> others{0};
        const auto compare = [&](const simd::Queriers& some) {
            std::size_t differ = 0;
            for (std::uint32_t i = 0; i < some.count; ++i) {
                const Band band{some.min_z[i], some.max_z[i]};
                Band& noted = by_id[some.number[i]];
                if (are_known && noted == band) continue;
                noted = band;
                ++differ;
                if (was != nullptr) was[some.number[i]] = far_away;
            }
            others.fetch_add(differ, std::memory_order_relaxed);
            return true;
        };
        const parallel::Ran ran =
            parallel::for_ranges(executor, sites.size(), 4096,
                                 [&](parallel::Range range) { (void)sites.each(range, false, compare); });
        changed += are_known ? others.load(std::memory_order_relaxed) : 0;
        return outcome(ran);
    }
    // Whether lists by band would be made again and again.
    bool change_often(const FrameState& frame) const noexcept { return changed > frame.agents / 16; }
};

// The old lists, and what was written to them since they were made.
struct Lists {
    const NeighbourLists& lists;
    Buffer<std::uint64_t>& offsets;
    Buffer<AgentId>& ids;
    const Point* centres;  // at the time when they were made
    std::size_t added;     // pairs
    const Band* bands;     // null if they are at every height
};

// Adds what the lists lack within the radius now. If `have_all` comes back false, nothing was added.
Status complete(Lists& had, const KeptNeighbourhood& wanted, const FrameState& frame,
                const Executor& executor, const Point* now, Buffer<Pair>& entries, bool& have_all) noexcept {
    // If more pairs are missing, lists are made again. New ones are also shorter, since they leave out agents
    // that went away.
    constexpr std::size_t agents_for_a_pair = 64;
    const std::size_t max_pairs = frame.agents / agents_for_a_pair;
    Movement movement(frame, executor, KeptMargin(wanted.radius, wanted.radius + wanted.skin), now,
                      had.centres);
    if (!reserve_amply(entries, 2 * max_pairs)) return {Code::out_of_memory};
    MissingNeighbours missing(had.lists, frame.ghosts, wanted.half,
                              max_pairs - std::min(max_pairs, had.added), entries);
    const Status bad = movement.look([&](AgentId a, AgentId b) {
        return (had.bands != nullptr && !had.bands[a].overlaps(had.bands[b])) || missing.note(a, b);
    });
    have_all = bad.ok() && !movement.is_over();
    if (!have_all) return bad;
    had.added += missing.pairs();
    return {missing.add(had.offsets, had.ids) ? Code::ok : Code::out_of_memory};
}

// Whether all agents of a world that wraps around are within the margin. Those that moved further, straight,
// may have crossed a seam.
Status all_stay(const KeptNeighbourhood& wanted, const FrameState& frame, const Executor& executor,
                const Point* now, const Point* was, bool& stay) noexcept {
    const Period period = frame.torus.period;
    KeptMargin margin(wanted.radius, wanted.radius + wanted.skin);
    margin.allowed = std::max(0.0, margin.allowed - (double{period.x} + double{period.y}) * 0x1p-20);
    const auto way = [](float from, float to, float around) {
        const double straight = std::abs(double{to} - double{from});
        return around == 0 ? straight : std::min(straight, std::abs(double{around} - straight));
    };
    const auto has_left = [&](AgentId id) {
        if (now[id] == was[id]) return false;  // or there is no agent
        const double x = way(was[id].x, now[id].x, period.x), y = way(was[id].y, now[id].y, period.y);
        return !(margin.allowed > 0 && x * x + y * y <= margin.allowed * margin.allowed);
    };
    std::atomic<bool> one_left{false};
    const auto look = [&](parallel::Range range) {
        AgentId found[sites_at_once];
        for (std::size_t first = range.begin; first < range.end; first += sites_at_once) {
            const std::size_t ids = std::min<std::size_t>(sites_at_once, range.end - first);
            const std::size_t strays =
                frame.kernels->neighbours->strays(&now->x, &was->x, static_cast<std::uint32_t>(first),
                                                  static_cast<std::uint32_t>(ids), margin.margin(), found);
            if (std::any_of(found, found + strays, has_left))
                return one_left.store(true, std::memory_order_relaxed);
        }
    };
    const parallel::Ran ran = parallel::for_ranges(executor, frame.id_bound, 4096, look);
    stay = !one_left.load(std::memory_order_relaxed);
    return outcome(ran);
}

}  // namespace

bool KeptNeighbours::fit(const Frame& frame) const noexcept {
    const FrameState& state = *frame.state_;
    const Period period = frame.wraps_ ? state.torus.period : Period{};
    return has_lists() && agents_ == state.agents && lists_.size() == state.id_bound &&
           (state.has_heights() || !by_band_) && period_ == Point{period.x, period.y} &&
           are_same_ghosts(state.ghosts, ghosts_);
}

// Old lists do not count any more. `changed` bands are known to be others.
Status KeptNeighbours::make(const Frame& frame, const Point* now, std::size_t changed) noexcept {
    const FrameState& state = *frame.state_;
    lists_.clear();
    // The floors of a plan may still be there when no agent has a height any more.
    by_band_ = state.has_heights() && (frame.wraps_ || state.map.has_storeys());
    if (by_band_) {
        KeptBands bands{bands_, changed};
        if (const Status bad = bands.note(state, frame.executor_, nullptr); !bad.ok()) return bad;
        by_band_ = frame.wraps_ || !bands.change_often(state);
    }
    const Within with_skin{.radius = wanted_.radius + wanted_.skin, .half = wanted_.half};
    ListResult result(lists_, with_skin);
    Status bad = make_lists(state, state, frame.executor_, with_skin, Filters(), result,
                            by_band_ ? AtHeights::own : AtHeights::every);
    if (bad.ok() && frame.wraps_)
        bad = add_images_of_agents(frame, state, frame.executor_, with_skin, Filters(), result);
    if (bad.ok()) bad = keep_centres(frame.executor_, now, state.id_bound, gathered_, centres_);
    if (bad.ok() && !remember_ghosts(state.ghosts, ghosts_)) bad = {Code::out_of_memory};
    if (!bad.ok()) return bad;
    period_ = frame.wraps_ ? Point{state.torus.period.x, state.torus.period.y} : Point{};
    agents_ = state.agents;
    added_ = 0;
    was_rebuilt_ = true;
    ++times_rebuilt_;
    return {};
}

Status KeptNeighbours::update(const Frame& frame) noexcept {
    was_rebuilt_ = false;
    const auto refuse = [&](Status why) {
        clear();
        return why;
    };
    if (const Code bad = check_kept(wanted_); bad != Code::ok) return refuse({bad, Argument::options});
    // An empty frame has no lists.
    if (frame.state_ == nullptr) return refuse(frame.status());
    const FrameState& state = *frame.state_;

    const Point* now = nullptr;
    if (const Status bad = find_centres(state, frame.executor_, gathered_, now); !bad.ok())
        return refuse(bad);
    KeptBands bands{bands_};
    if (fit(frame)) {
        if (by_band_)
            if (const Status bad = bands.note(state, frame.executor_, centres_.data()); !bad.ok())
                return refuse(bad);
        bool have_all = false;
        Lists had{lists_,          lists_.offsets_, lists_.answers_,
                  centres_.data(), added_,          by_band_ ? bands_.data() : nullptr};
        const Status bad = frame.wraps_
                               ? all_stay(wanted_, state, frame.executor_, now, had.centres, have_all)
                               : complete(had, wanted_, state, frame.executor_, now, entries_, have_all);
        if (!bad.ok()) return refuse(bad);
        added_ = had.added;
        if (have_all) return {};
    }
    const Status bad = make(frame, now, bands.changed);
    return bad.ok() ? bad : refuse(bad);
}

}  // namespace throng
