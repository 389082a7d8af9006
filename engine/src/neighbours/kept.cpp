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
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include "base/blocks.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/centre_frames.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/torus/agent_images.hpp"
#include "throng/compiler.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// What is known of lists made for radius + skin.
struct KeptMargin {
    static constexpr double slack = 0x1p-20, tiny = 1e-18;

    float radius;
    double found;    // everything that near was found
    double allowed;  // how far an agent may have moved without a look at its neighbours

    KeptMargin(float wanted, float made) noexcept : radius(wanted), found(double{made} * (1 - slack) - tiny) {
        const double reached = double{wanted} * (1 + slack) + tiny;
        allowed = std::max(0.0, (found - reached) / (2 * (1 + slack)));
    }
    // `allowed` as the kernel wants it, not above it.
    simd::Margin margin() const noexcept {
        if (allowed == 0) return {0, 0};
        const int exponent = std::clamp(std::ilogb(allowed), -100, 100);
        const double scaled = std::ldexp(allowed, -exponent);
        return {std::ldexp(1.0f, -exponent), static_cast<float>(scaled * scaled * (1 - slack))};
    }
};

// The centre of an unused id.
inline constexpr Point no_centre{std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::infinity()};

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

// Calls use(ids, count) for agents that have moved beyond a margin, some at a time, until it returns false.
// Ids without an agent may be among them, since they have no distance.
template <class Use>
parallel::Ran each_strays(const FrameState& frame, const Executor& executor, const KeptMargin& margin,
                          const Point* now, const Point* was, const Use& use) noexcept {
    const simd::Margin moved = margin.margin();
    return parallel::for_ranges(executor, frame.id_bound, 4096, [&](parallel::Range range) {
        AgentId found[sites_at_once];
        for (std::size_t first = range.begin; first < range.end; first += sites_at_once) {
            const std::size_t ids = std::min<std::size_t>(sites_at_once, range.end - first);
            const std::size_t strays =
                frame.kernels->neighbours->strays(&now->x, &was->x, static_cast<std::uint32_t>(first),
                                                  static_cast<std::uint32_t>(ids), moved, found);
            if (strays != 0 && !use(found, strays)) return;
        }
    });
}

// Which neighbours within a radius are missing from lists made for it and a skin.
class Movement {
public:
    // Both have the centre of each agent by its id, and `no_centre` for other ids: those of the frame, and
    // those at the time when the lists were made.
    Movement(const FrameState& frame, const Executor& executor, const KeptMargin& margin, const Point* now,
             const Point* was) noexcept
        : frame_(frame),
          executor_(executor),
          margin_(margin),
          now_(now),
          was_(was),
          most_(margin.allowed == 0 ? 0 : frame.agents / most_in),
          space_(frame.store->spaces.batches) {}

    // Calls missed(a, b) for each agent b that is within the radius of a stray a and may not have been in its
    // list, by blocks. Once it returns false, or is_over, it looks no further. Without memory, `missed` lacks
    // some.
    template <class Missed>
    Status look(const Missed& missed) noexcept {
        if (!space_ || !resize_amply(space_->answers, most_)) return {Code::out_of_memory};
        if (const Status bad = find_strays(); !bad.ok()) return bad;
        if (is_over() || strays() == 0) return {};
        const WhereToLook where(frame_, Within{.radius = margin_.radius}, strays(),
                                [&](std::size_t i, const auto& add) { add(now_[space_->answers[i]], i); });
        searched_ = &where.frame();
        if (!put_in_row_order()) return {Code::out_of_memory};
        const parallel::Ran ran =
            parallel::for_ranges(executor_, strays(), min_in_a_block, [&](parallel::Range range) {
                const Lease<AnswerSpace> space(frame_.store->spaces.answers);
                if (!space || !look_around(range, *space, missed))
                    out_of_memory_.store(true, std::memory_order_relaxed);
            });
        return outcome(ran, out_of_memory_);
    }
    // Whether lists have to be made again: a look around all agents outside the margin would cost as much, or
    // there are agents with other ids, or `missed` wants no more.
    bool is_over() const noexcept { return is_over_.load(std::memory_order_relaxed); }

private:
    static constexpr std::size_t min_in_a_block = 4096;
    // Lists are made again if more than one agent in `most_in` has strayed.
    static constexpr std::size_t most_in = 16;

    std::size_t strays() const noexcept { return strays_.load(std::memory_order_relaxed); }

    Status find_strays() noexcept {
        const auto add = [&](AgentId* found, std::size_t count) {
            if (frame_.agents != frame_.id_bound) count = leave_out_unused(found, count);
            const std::size_t before = strays_.fetch_add(count, std::memory_order_relaxed);
            if (before + count <= most_)
                std::copy_n(found, count, space_->answers.data() + before);
            else
                is_over_.store(true, std::memory_order_relaxed);
            return !is_over();
        };
        return outcome(each_strays(frame_, executor_, margin_, now_, was_, add));
    }
    std::size_t leave_out_unused(AgentId* ids, std::size_t count) noexcept {
        std::size_t left = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const bool is = now_[ids[i]].x != no_centre.x, was = was_[ids[i]].x != no_centre.x;
            if (is != was) is_over_.store(true, std::memory_order_relaxed);
            ids[left] = ids[i];
            left += is && was;
        }
        return left;
    }
    // Strays of a row together, so that a look around one finds in the caches what others have brought there.
    bool put_in_row_order() noexcept {
        const std::size_t count = strays();
        const AgentId* const ids = space_->answers.data();
        if (!resize_amply(space_->row_of, most_) || !resize_amply(space_->starts, most_) ||
            !resize_amply(space_->counts, searched_->map.rows()))
            return false;
        std::fill(space_->counts.begin(), space_->counts.end(), 0u);
        for (std::size_t i = 0; i < count; ++i) {
            const Point& at = now_[ids[i]];
            const std::uint32_t row = searched_->map.row_of({at.x, at.y, at.x, at.y});
            space_->row_of[i] = static_cast<std::uint16_t>(row);
            ++space_->counts[row];
        }
        std::uint32_t begin = 0;
        for (std::uint32_t& start : space_->counts) begin += std::exchange(start, begin);
        for (std::size_t i = 0; i < count; ++i) space_->starts[space_->counts[space_->row_of[i]]++] = ids[i];
        return true;
    }
    // Both return false if there is no memory.
    template <class Missed>
    bool look_around(const parallel::Range& range, AnswerSpace& space, const Missed& missed) noexcept {
        alignas(64) float x[sites_at_once + simd::gap], y[sites_at_once + simd::gap];
        for (std::size_t first = range.begin; first < range.end && !is_over(); first += sites_at_once) {
            const auto count =
                static_cast<std::uint32_t>(std::min<std::size_t>(sites_at_once, range.end - first));
            const AgentId* const ids = space_->starts.data() + first;
            for (std::uint32_t i = 0; i < count; ++i) {
                x[i] = now_[ids[i]].x;
                y[i] = now_[ids[i]].y;
            }
            std::fill_n(x + count, simd::gap, 0.0f);
            std::fill_n(y + count, simd::gap, 0.0f);
            if (!look_around({x, y, ids, nullptr, count}, space)) return false;
            const Buffer<AgentId>& pairs = space.streams[0];
            for (std::size_t i = 0; i < pairs.size(); i += 2)
                if (!missed(pairs[i], pairs[i + 1])) is_over_.store(true, std::memory_order_relaxed);
        }
        return true;
    }
    // Leaves the pairs in the first stream.
    bool look_around(const simd::Queriers& strays, AnswerSpace& space) noexcept {
        KeepLists keep(&space.streams[0], &out_of_memory_);
        simd::ListSink sink{};
        if (!keep.open(sink, 0)) return false;
        std::uint32_t done = 0;
        if (margin_.radius * margin_.radius < std::numeric_limits<float>::max())
            done = frame_.kernels->neighbours->meet_others(searched_->view, strays, margin_.radius,
                                                           {&was_->x, margin_.found, margin_.allowed}, sink);
        if (!keep.close_amply(sink)) return false;
        return done == strays.count ||
               search_around(space, {strays.x + done, strays.y + done, strays.number + done, nullptr,
                                     strays.count - done});
    }
    // The same for any strays, behind the pairs so far.
    bool search_around(AnswerSpace& space, const simd::Queriers& strays) noexcept {
        const simd::NeighbourQuery query{.radius = margin_.radius};
        Buffer<AgentId>& pairs = space.streams[0];
        return each_neighbour(
            *searched_, strays, query, 1, space, out_of_memory_, [&](std::uint32_t i, std::size_t at) {
                const AgentId stray = strays.number[i], other = space.streams[1][at];
                return was_found(stray, other) || (pairs.push_back(stray) && pairs.push_back(other));
            });
    }
    // Whether the lists of these two surely have each other.
    bool was_found(AgentId a, AgentId b) const noexcept {
        const double dx = double{was_[a].x} - was_[b].x, dy = double{was_[a].y} - was_[b].y;
        return dx * dx + dy * dy <= margin_.found * margin_.found;
    }

    const FrameState& frame_;
    const FrameState* searched_ = nullptr;  // for the neighbours of strays
    const Executor& executor_;
    const KeptMargin margin_;
    const Point *const now_, *const was_;
    const std::size_t most_;  // agents to look around
    const Lease<BatchSpace> space_;
    std::atomic<std::size_t> strays_{0};
    std::atomic<bool> is_over_{false}, out_of_memory_{false};
};

// Neighbours that lists lack, and that are put behind these lists.
class MissingNeighbours {
public:
    // Gathers at most `most` pairs, in `entries`, which has room for twice as many. For each, b belongs into
    // the list of a.
    MissingNeighbours(const NeighbourLists& lists, const simd::GhostIds& ghosts, bool half, std::size_t most,
                      Buffer<Pair>& entries) noexcept
        : lists_(lists), ghosts_(ghosts), half_(half), most_(most), entries_(entries) {
        entries_.clear();
    }

    // For two agents that are neighbours. Returns false if they are one pair too many; from any thread.
    bool note(AgentId a, AgentId b) noexcept {
        if (half_ && b < a) std::swap(a, b);
        if (ghosts_.has(a)) std::swap(a, b);
        if (ghosts_.has(a)) return true;  // neither has a list
        const auto list = lists_[a];
        if (std::find(list.begin(), list.end(), b) != list.end()) return true;
        const std::lock_guard lock(mutex_);
        if (++pairs_ > most_) return false;
        (void)entries_.push_back({a, b});
        if (!half_ && !ghosts_.has(b)) (void)entries_.push_back({b, a});
        return true;
    }
    std::size_t pairs() const noexcept { return pairs_; }
    // Writes them into the lists with these offsets and ids. Returns false if there is no memory for all.
    bool add(Buffer<std::uint64_t>& offsets, Buffer<AgentId>& ids) noexcept {
        if (pairs_ == 0) return true;
        // If two both look around themselves, each finds the other.
        const auto rank = [](const Pair& entry) { return std::uint64_t{entry.a} << 32 | entry.b; };
        Pair* const first = entries_.begin();
        std::sort(first, entries_.end(), [&](const Pair& a, const Pair& b) { return rank(a) < rank(b); });
        const auto last = std::unique(first, entries_.end(),
                                      [&](const Pair& a, const Pair& b) { return rank(a) == rank(b); });
        const auto count = static_cast<std::size_t>(last - first);
        const std::size_t had = ids.size(), lists = offsets.size() - 1;
        if (!resize_amply(ids, had + count)) return false;
        for (std::size_t k = count, end = had; k-- > 0;) {
            const auto begin = static_cast<std::size_t>(offsets[first[k].a + std::size_t{1}]);
            std::memmove(ids.data() + begin + k + 1, ids.data() + begin, (end - begin) * sizeof(AgentId));
            ids[begin + k] = first[k].b;
            end = begin;
        }
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t up_to = k + 1 < count ? first[k + 1].a : lists;
            for (std::size_t list = first[k].a; list < up_to; ++list) offsets[list + 1] += k + 1;
        }
        return true;
    }

private:
    const NeighbourLists& lists_;
    const simd::GhostIds& ghosts_;
    const bool half_;
    const std::size_t most_;
    Buffer<Pair>& entries_;
    std::mutex mutex_;
    std::size_t pairs_ = 0;
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
    const auto look = [&](const AgentId* strays, std::size_t count) {
        const bool some_left = std::any_of(strays, strays + count, has_left);
        if (some_left) one_left.store(true, std::memory_order_relaxed);
        return !some_left;
    };
    const parallel::Ran ran = each_strays(frame, executor, margin, now, was, look);
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
