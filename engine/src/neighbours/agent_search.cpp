#include "engine/src/neighbours/agent_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/blocks.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/torus/agent_images.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

namespace {

// Whether ghosts have all ids from the lowest one on.
bool are_last(const simd::GhostIds& ghosts, std::size_t id_bound) noexcept {
    return ghosts.is_range() && ghosts.bound == id_bound;
}

// For agents with radii of their own, where either one's radius may reach the other: finds agents that only
// the other's radius reaches. Each agent searches with its own radius. If it finds an agent that does not see
// it, it is an addition to that agent's list.
class Reaching {
public:
    // `least` is the least radius of all: an agent with that radius sees only agents that see it.
    Reaching(const FrameState& frame, const Neighbourhood& wanted, const Filters& filters,
             float least) noexcept
        : frame_(frame), sites_(frame, false, true), wanted_(wanted), filters_(filters), least_(least) {}

    // Calls add(to, id, squared distance) for the additions to other lists by the agents of a range, ghosts
    // too, in their order, until it returns false. Returns false if there is no memory.
    template <class Add>
    bool each_addition(const parallel::Range& range, AnswerSpace& space, const Add& add) const noexcept {
        std::atomic<bool> out_of_memory{false};
        bool more = true;
        sites_.each_piece(range, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            const AgentId* ids = RowArrays(row).id;
            while (more && first < end) {
                // Neighbours that reach further than the least radius.
                while (first < end && !(wanted_.radii[ids[first]] > least_)) ++first;
                std::uint32_t last = first;
                while (last < end && last - first < sites_at_once && wanted_.radii[ids[last]] > least_)
                    ++last;
                more = first == last || search(row, first, last, space, out_of_memory, add);
                first = last;
            }
        });
        return more;
    }

private:
    template <class Add>
    bool search(const simd::Row& row, std::uint32_t first, std::uint32_t end, AnswerSpace& space,
                std::atomic<bool>& out_of_memory, const Add& add) const noexcept {
        const simd::NeighbourQuery query{.radii = wanted_.radii.data(), .distances = true};
        const AgentId* ids = RowArrays(row).id + first;
        AgentSites::Centres centres;
        const simd::Queriers some = sites_.queriers(row, first, end - first, true, centres);
        return each_neighbour(
            frame_, some, query, 0, space, out_of_memory, [&](std::uint32_t i, std::size_t at) {
                const AgentId other = space.streams[0][at];
                const float distance = space.distances[0][at];
                return !belongs(row, first + i, other, distance) || add(other, ids[i], distance);
            });
    }
    // Whether agent i of a row belongs into the list of another one, which does not see it.
    bool belongs(const simd::Row& row, std::uint32_t i, AgentId other, float distance) const noexcept {
        const AgentId id = RowArrays(row).id[i];
        const float radius = wanted_.radii[other];
        if (distance <= radius * radius || (wanted_.half && id < other) || frame_.ghosts.has(other))
            return false;
        const Traits traits = traits_in(row, frame_.extras, i);
        return filters_[other].admits(id, traits.label, traits.height);
    }

    const FrameState& frame_;
    const AgentSites sites_;
    const Neighbourhood& wanted_;
    const Filters& filters_;
    const float least_;
};

// The agents of one frame as sites, or a range of them in row order, and the frame that is searched: the
// same, or another. Ghosts search nothing, but they count among the sites.
class AgentSearch {
public:
    AgentSearch(const FrameState& sites, const FrameState& searched, const Executor& executor,
                const Neighbourhood& wanted, const Filters& filters, AtHeights at_heights = AtHeights::own,
                const parallel::Range* range = nullptr, const float* far_enough = nullptr) noexcept
        : searched_(searched),
          executor_(executor),
          stop_(executor),
          by_height_(at_heights == AtHeights::own && may_leave_out(sites, searched)),
          sites_(sites, true, by_height_),
          ghosts_(sites.ghosts),
          has_ghosts_(!ghosts_.empty()),
          halves_(are_halved(sites, wanted)),
          wanted_(searched_as(wanted, halves_)),
          wanted_filters_(filters),
          query_(kernel_query(wanted_, far_enough)),
          leaves_out_(&sites == &searched && (!wanted.with_self || filters.each_leaves_out_itself())),
          own_filters_(without_self(filters, leaves_out_)),
          filters_(searched, own_filters_),
          range_(range == nullptr ? parallel::Range{0, sites.agents} : *range),
          blocks_(blocks_of_range()) {}

    // Whether some agents of the two frames may share no height.
    static bool may_leave_out(const FrameState& sites, const FrameState& searched) noexcept {
        simd::SharedHeights all = sites.view.shared_heights;
        all.add(searched.view.shared_heights);
        return sites.has_heights() && searched.has_heights() && !all.are_any();
    }
    Status check_radii() const noexcept {
        constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
        std::atomic<std::size_t> first_bad{none};
        const AgentSites sites = others_reach() ? sites_.with_ghosts() : sites_;
        const parallel::Ran ran = parallel::for_blocks(executor_, blocks_, [&](std::size_t b) {
            sites.each_piece(share(b), [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
                const AgentId* ids = RowArrays(row).id;
                for (std::uint32_t i = first; i < end; ++i)
                    if (check_radius(wanted_.radii[ids[i]], wanted_.is_nearest) != Code::ok)
                        parallel::lower(first_bad, ids[i]);
            });
        });
        if (!ran) return outcome(ran);
        const std::size_t bad = first_bad.load(std::memory_order_relaxed);
        return bad == none
                   ? Status{}
                   : Status{check_radius(wanted_.radii[bad], wanted_.is_nearest), bad, Argument::radii};
    }
    // By id or in row order, as wanted.
    Status lists(ListResult& result) const noexcept {
        const bool by_row = wanted_.in_row_order;
        const Lease<BatchSpace> space(searched_.store->spaces.batches);
        if (!space) return {Code::out_of_memory};
        ListBatch batch(searched_, executor_, *space, result, searches_among_ghosts());
        const Status status = by_row ? find_by_row(batch, result) : find_by_id(batch, result);
        if (status.ok() && halves_)
            keep_of_lists(result, result.found, [&](std::size_t i, AgentId other, float) {
                return is_in_half(by_row ? result.agents[i] : static_cast<AgentId>(i), other, ghosts_);
            });
        return outcome(stop_, status);
    }
    // Not of lists that are halved.
    Status count(std::span<std::uint32_t> counts) const noexcept { return outcome(stop_, count_all(counts)); }

private:
    Status find_by_id(ListBatch& batch, ListResult& result) const noexcept {
        if (!result.start(sites_.id_bound())) return {Code::out_of_memory};
        const auto own = [&](std::size_t b, AnswerSpace&, simd::NeighbourOutput& output) {
            search(share(b), output);
            return true;
        };
        const std::uint32_t* ranks = nullptr;
        if (all_are_full() &&
            (are_last() || (ranks = batch.ranks_among(ghosts_, sites_.id_bound())) != nullptr))
            return batch.lists_in_spots(
                sites_.id_bound() - sites_.ghosts(), sites_.id_bound(), blocks_,
                [&](std::size_t b, simd::NeighbourOutput& output) { search(share(b), output, ranks); },
                ranks);
        if (are_pairs())
            return batch.lists_of_pairs(
                sites_.id_bound(), blocks_,
                [&](std::size_t b, simd::NeighbourOutput& output) { find_pairs(share(b), output); });
        if (!others_reach()) return batch.lists_by_number(0, sites_.id_bound(), blocks_, own);
        const Reaching reaching(searched_, wanted_, wanted_filters_, min_radius());
        return batch.lists_by_number(0, sites_.id_bound(), blocks_, own,
                                     [&](std::size_t b, AnswerSpace& space, const auto& add) {
                                         return reaching.each_addition(share(b), space, add);
                                     });
    }
    Status find_by_row(ListBatch& batch, ListResult& result) const noexcept {
        if (!has_ghosts_)
            return find_by_row(batch, result, [&](std::size_t b) {
                return (b == blocks_ ? range_.end : share(b).begin) - range_.begin;
            });
        // Blocks have as many lists as owned agents.
        const Lease<AnswerSpace> space(searched_.store->spaces.answers);
        if (!space || !resize_amply(space->ends, blocks_ + 1)) return {Code::out_of_memory};
        std::uint64_t* const firsts = space->ends.data();
        const parallel::Ran ran = parallel::for_blocks(
            executor_, blocks_, [&](std::size_t b) { firsts[b + 1] = sites_.wanted_in(share(b)); });
        if (!ran) return outcome(ran);
        firsts[0] = 0;
        for (std::size_t b = 0; b < blocks_; ++b) firsts[b + 1] += firsts[b];
        return find_by_row(batch, result, [=](std::size_t b) { return static_cast<std::size_t>(firsts[b]); });
    }
    // `first_of(b)` is the number of the first list of block b, or of all lists.
    template <class FirstOf>
    Status find_by_row(ListBatch& batch, ListResult& result, const FirstOf& first_of) const noexcept {
        if (!result.start(first_of(blocks_)) || !resize_amply(result.agents, first_of(blocks_)))
            return {Code::out_of_memory};
        return batch.lists_in_turn(0, blocks_, first_of, [&](std::size_t b, simd::NeighbourOutput& output) {
            AgentId* const agents = result.agents.data() + first_of(b);
            if (search_among_ghosts(share(b), output, agents)) return;
            sites_.ids(share(b), agents);
            search_all(share(b), output);
        });
    }
    static Neighbourhood searched_as(Neighbourhood wanted, bool halves) noexcept {
        wanted.half = wanted.half && !halves;
        wanted.either_reaches = wanted.either_reaches || (halves && !wanted.radii.empty());
        return wanted;
    }
    Status count_all(std::span<std::uint32_t> counts) const noexcept {
        const Status status = count_with_ghosts(counts);
        if (has_ghosts_) clear_counts_of_ghosts(counts);
        return status;
    }
    // Some ghosts may be counted around as well.
    Status count_with_ghosts(std::span<std::uint32_t> counts) const noexcept {
        // Many counts are written to lines that are in no near cache, unless they go through streams. Lack of
        // memory for these is no failure.
        if (counts.size() >= many && !others_reach()) {
            NeighbourLists none;
            ListResult no_lists(none, Within{});
            if (const Lease<BatchSpace> space(searched_.store->spaces.batches); space) {
                ListBatch batch(searched_, executor_, *space, no_lists);
                const Status status = batch.counts_by_number(
                    counts, blocks_,
                    [&](std::size_t b, simd::NeighbourOutput& output) { search(share(b), output); });
                if (status.code != Code::out_of_memory) return status;
            }
        }
        const parallel::Ran ran = parallel::for_blocks(executor_, blocks_, [&](std::size_t b) {
            simd::NeighbourOutput output{};
            output.counts = counts.data();
            search(share(b), output);
        });
        if (!ran) return outcome(ran);
        return others_reach() ? count_additions(counts) : Status{};
    }

    static constexpr std::size_t min_in_a_block = 1024, many = std::size_t{1} << 18, sample = 16;

    // More blocks if a search finds very much and the host may end it: the thread that asks the host may have
    // no block left, while others end theirs.
    std::size_t blocks_of_range() const noexcept {
        constexpr std::uint64_t found_in_a_block = std::uint64_t{1} << 24;
        const std::size_t usual = parallel::blocks_for(executor_, range_.size(), min_in_a_block);
        if (executor_.cancelled == nullptr || usual == 1) return usual;
        const std::size_t most = range_.size() / min_in_a_block;
        const std::uint64_t wanted = found_by_some() * (range_.size() / sample) / found_in_a_block;
        return std::max(usual, static_cast<std::size_t>(std::min<std::uint64_t>(wanted, most)));
    }
    // Whether each id has an agent, and each list as many ids as wanted; and lists are so short that spots
    // can be fetched early, or so few that their spots are in a near cache.
    bool all_are_full() const noexcept {
        constexpr std::uint32_t few = 8;
        return (range_.size() < many || wanted_.max_count <= few) && wanted_.max_count != 0 &&
               (are_last() || searches_among_ghosts()) && !has_radii() && std::isinf(wanted_.radius) &&
               range_.size() == sites_.id_bound() && are_found(wanted_.max_count + (leaves_out_ ? 1u : 0u));
    }
    bool are_found(std::uint32_t count) const noexcept {
        if (!by_height_) return are_admitted(count);
        return leaves_out_ && filters_.filters.are_unfiltered() && are_on_storeys(count);
    }
    // Whether each agent is on a storey where all share a height, with at least `count` agents.
    bool are_on_storeys(std::uint32_t count) const noexcept {
        const simd::View& all = searched_.view;
        if (all.storeys == nullptr || !all.storeys->between_is_empty || all.node_count != 0 ||
            all.islands != nullptr)
            return false;
        for (std::uint32_t layer = 1; layer < searched_.map.layers(0); ++layer) {
            const simd::View& storey = all.storeys->views[layer];
            std::uint64_t agents = 0;
            for (std::uint32_t r = 0; r < storey.grid.rows; ++r) agents += storey.rows[r].common();
            if (agents != 0 && (agents < count || !storey.shared_heights.are_any())) return false;
        }
        return true;
    }
    // Whether no ghost has an id below one of an owned agent.
    bool are_last() const noexcept { return !has_ghosts_ || detail::are_last(ghosts_, sites_.id_bound()); }
    // Whether each search finds `count` agents, perhaps with itself. With one filter one search tells.
    bool are_admitted(std::uint32_t count) const noexcept {
        if (searched_.agents < count || filters_.filters.are_unfiltered()) return searched_.agents >= count;
        if (!filters_.filters.are_one_for_all() || count > simd::count_limit) return false;
        simd::NeighbourQuery query = query_;
        query.max_count = count;
        query.distances = false;
        const float middle[1 + simd::gap] = {};
        return found_around(middle, middle, query, filters_.filters) == count;
    }
    // A vector may be read from the place.
    std::uint32_t found_around(const float* x, const float* y, const simd::NeighbourQuery& query,
                               const simd::LabelFilters& filters) const noexcept {
        std::uint32_t found = 0;
        const std::uint32_t number = 0;
        simd::NeighbourOutput output{};
        output.counts = &found;
        search_sites(searched_, filters, {x, y, &number, nullptr, 1}, query, output);
        return found;
    }
    // If searches leave out their own agent, a filter need not, and is then one for all.
    static Filters without_self(const Filters& filters, bool leaves_out) noexcept {
        if (!leaves_out || !filters.each_leaves_out_itself()) return filters;
        Filter one = filters[0];
        one.self = no_agent;
        return one;
    }
    // Whether half lists are made from pairs that are found once, which pays for short lists. It takes a part
    // without distances, filters and further grids.
    bool are_pairs() const noexcept {
        return wanted_.half && !has_ghosts_ && !wanted_.distances && !by_height_ && wanted_.radii.empty() &&
               searched_.view.is_all && filters_.filters.are_unfiltered() &&
               wanted_.radius * wanted_.radius < std::numeric_limits<float>::max() && lists_are_short();
    }
    bool lists_are_short() const noexcept {
        constexpr std::uint32_t few = 12;
        return sites_.size() != 0 && found_by_some() <= (few + 1) * sample;
    }
    // How many neighbours some agents have, spread evenly over all agents: most of them are in crowded rows.
    std::uint64_t found_by_some() const noexcept {
        std::uint64_t found = 0;
        for (std::size_t s = 0; s < sample && sites_.size() != 0; ++s) {
            const std::size_t at = (2 * s + 1) * sites_.size() / (2 * sample);
            sites_.each_piece({at, at + 1}, [&](const simd::Row& row, std::uint32_t first, std::uint32_t) {
                AgentSites::Centres centres;
                (void)sites_.queriers(row, first, 1, false, centres);
                found += found_around(centres.x, centres.y, query_, {});
            });
        }
        return found;
    }
    void find_pairs(const parallel::Range& range, simd::NeighbourOutput& output) const noexcept {
        sites_.each_piece(range, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            if (stop_.is_wanted()) {
                output.sinks->stopped = true;
                return;
            }
            const auto number = static_cast<std::uint32_t>(&row - searched_.view.rows);
            searched_.kernels->neighbours->pairs(searched_.view, {number, first, end}, wanted_.radius,
                                                 output);
        });
    }
    // Whether sites differ in how far they look.
    bool has_radii() const noexcept { return !wanted_.radii.empty() || query_.far_enough != nullptr; }
    // Whether an agent may be in the list of another one that it does not see.
    bool others_reach() const noexcept {
        return !wanted_.radii.empty() && (wanted_.either_reaches || wanted_.half);
    }
    float min_radius() const noexcept {
        float least = std::numeric_limits<float>::infinity();
        sites_.with_ghosts().each_piece({0, sites_.size()},
                                        [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
                                            const AgentId* ids = RowArrays(row).id;
                                            for (std::uint32_t i = first; i < end; ++i)
                                                least = std::min(least, wanted_.radii[ids[i]]);
                                        });
        return least;
    }
    Status count_additions(std::span<std::uint32_t> counts) const noexcept {
        const Reaching reaching(searched_, wanted_, wanted_filters_, min_radius());
        return with_spaces(searched_.store->spaces.answers, executor_, blocks_,
                           [&](std::size_t b, AnswerSpace& space) {
                               const auto add = [&](AgentId to, AgentId, float) {
                                   parallel::atomically(counts[to]).fetch_add(1u, std::memory_order_relaxed);
                                   return true;
                               };
                               return reaching.each_addition(share(b), space, add);
                           });
    }
    parallel::Range share(std::size_t block) const noexcept {
        const parallel::Range part = parallel::range_of(range_.size(), blocks_, block);
        return {range_.begin + part.begin, range_.begin + part.end};
    }
    void search(const parallel::Range& range, simd::NeighbourOutput& output,
                const std::uint32_t* ranks = nullptr) const noexcept {
        if (!search_among_ghosts(range, output, nullptr, ranks)) search_all(range, output);
    }
    void search_all(const parallel::Range& range, simd::NeighbourOutput& output) const noexcept {
        std::uint64_t* const ends = output.ends;
        std::size_t done = 0;
        (void)sites_.each(range, leaves_out_, [&](const simd::Queriers& queriers) {
            if (ends != nullptr) output.ends = ends + done;
            done += queriers.count;
            return look(queriers, output);
        });
    }
    bool searches_among_ghosts() const noexcept {
        return has_ghosts_ && !has_radii() && filters_.filters.are_one_for_all();
    }
    // The same with a few ghosts between the agents. Returns false if that is not possible; with `ranks` it
    // is. With `ends` in the output it writes the agents.
    bool search_among_ghosts(const parallel::Range& range, simd::NeighbourOutput& output, AgentId* agents,
                             const std::uint32_t* ranks = nullptr) const noexcept {
        if (!searches_among_ghosts()) return false;
        const bool counts = output.counts != nullptr, drops = !counts && output.spots == nullptr;
        const std::uint32_t shift = output.ends == nullptr ? output.shift : ListBatch::shift_to_ghosts;
        const std::uint32_t of_lists = output.ends == nullptr ? output.nowhere : 1u << shift;
        const std::uint32_t nowhere = counts ? simd::no_id : of_lists;
        if (drops && (nowhere == simd::no_id || sites_.id_bound() > nowhere)) return false;
        std::uint64_t *ends = output.ends, *own_ends = nullptr;
        LateLease<AnswerSpace> lease(searched_.store->spaces.answers);
        if (drops) {
            AnswerSpace* const space = lease.get();
            const bool distances = output.sinks->distances != nullptr;
            if (space == nullptr || !make_ready_among_ghosts(*space, distances)) return false;
            open_dropped(output.sinks[nowhere >> shift], *space, distances);
            own_ends = space->ends.data();
        }
        output.shift = shift;
        output.nowhere = nowhere;
        output.ends = ends == nullptr ? nullptr : own_ends;
        (void)sites_.each_with_few_ghosts(
            range, leaves_out_, nowhere, ranks, [&](const simd::Queriers& some) {
                if (!look(some, output)) return false;
                for (std::uint32_t i = 0; ends != nullptr && i < some.count; ++i) {
                    const AgentId id = some.number[i];
                    *ends = own_ends[i];
                    *agents = id;
                    ends += id != nowhere;
                    agents += id != nowhere;
                }
                return true;
            });
        return true;
    }
    // Ghosts have no counts, though some were counted around.
    void clear_counts_of_ghosts(std::span<std::uint32_t> counts) const noexcept {
        if (ghosts_.is_range())
            return (void)std::fill(counts.begin() + ghosts_.lowest, counts.begin() + ghosts_.bound, 0u);
        sites_.with_ghosts().each_piece({0, sites_.size()},
                                        [&](const simd::Row& row, std::uint32_t i, std::uint32_t end) {
                                            for (const AgentId* ids = RowArrays(row).id; i < end; ++i)
                                                if (ghosts_.has(ids[i])) counts[ids[i]] = 0;
                                        });
    }
    // Returns whether to go on.
    bool look(const simd::Queriers& queriers, simd::NeighbourOutput& output) const noexcept {
        if (stop_.is_wanted()) {
            if (output.sinks != nullptr) output.sinks->stopped = true;
            return false;
        }
        search_sites(searched_, filters_.filters, queriers, query_, output);
        return output.sinks == nullptr || !output.sinks->stopped;
    }

    const FrameState& searched_;
    const Executor& executor_;
    const parallel::Stop stop_;
    const bool by_height_;  // each finds only agents that share a height with it
    const AgentSites sites_;
    const simd::GhostIds& ghosts_;
    const bool has_ghosts_;
    const bool halves_;
    const Neighbourhood wanted_;
    const Filters& wanted_filters_;
    const simd::NeighbourQuery query_;
    const bool leaves_out_;
    const Filters own_filters_;
    const FilterBatch filters_;
    const parallel::Range range_;
    const std::size_t blocks_;
};

}  // namespace

bool are_halved(const FrameState& sites, const Neighbourhood& wanted) noexcept {
    return wanted.half && !sites.ghosts.empty() && !are_last(sites.ghosts, sites.id_bound);
}

// If one radius is for all, it was checked with the call, and no search is made for that.
Status check_radii_of_agents(const FrameState& sites, const FrameState& searched, const Executor& executor,
                             const Neighbourhood& wanted, const Filters& filters,
                             const parallel::Range* range) noexcept {
    if (wanted.radii.empty()) return {};
    return AgentSearch(sites, searched, executor, wanted, filters, AtHeights::own, range).check_radii();
}

Status lists_of_agents(const AgentsToLook& look, const Executor& executor, const Neighbourhood& wanted,
                       ListResult& result, AtHeights at_heights, const parallel::Range* range) noexcept {
    const AgentSearch search(look.sites(), look.where().frame(), executor, wanted, look.filters(), at_heights,
                             range, result.far_enough);
    return look.where().in_order(search.lists(result), executor, result);
}

Status make_lists(const FrameState& sites, const FrameState& searched, const Executor& executor,
                  const Neighbourhood& wanted, const Filters& filters, ListResult& result,
                  AtHeights at_heights) noexcept {
    if (const Status bad = check_radii_of_agents(sites, searched, executor, wanted, filters); !bad.ok())
        return bad;
    const AgentsToLook look(sites, searched, wanted, filters);
    return result.finish(lists_of_agents(look, executor, wanted, result, at_heights));
}

Status make_lists(const Frame& sites, const FrameState& searched, const Neighbourhood& wanted,
                  const Filters& filters, ListResult& result) noexcept {
    const Scope scope(sites);
    const Status status = make_lists(scope.agents(), searched, scope.executor(), wanted, filters, result);
    if (!status.ok() || !scope.wraps()) return status;
    return add_images_of_agents(sites, searched, scope.executor(), wanted, filters, result);
}

}  // namespace throng::detail

// --- The host's calls --------------------------------------------------------------------------------------

namespace throng {

using namespace detail;

namespace {

// The checks of every call, in one order.
Status check_search(const FrameState* sites, From from, const Neighbourhood& wanted,
                    const Filters& filters) noexcept {
    const std::size_t ids = sites == nullptr ? 0 : sites->id_bound;
    if (const Status bad = check(wanted, from, ids); !bad.ok()) return bad;
    return check(filters, from, ids);
}

}  // namespace

std::size_t Frame::id_bound() const noexcept { return state_ == nullptr ? 0 : state_->id_bound; }

Status Frame::find_lists(const Frame& others, const Neighbourhood& wanted, NeighbourLists& lists,
                         const Filters& filters) const noexcept {
    lists.clear();
    const From from = others.state_ == state_ ? From::agents : From::other_agents;
    if (const Status bad = check_search(state_, from, wanted, filters); !bad.ok()) return bad;
    if (!failure_.ok() || !others.status().ok()) return failure_.ok() ? others.status() : failure_;
    if (state_ == nullptr) return {};
    if (!wraps_like(others)) return {Code::bad_config, Argument::period};
    const Neighbourhood asked = wraps_ ? with_distances(wanted) : wanted;
    ListResult result(lists, asked);
    Status status;
    if (others.state_ == nullptr) {
        const std::size_t count = wanted.in_row_order ? lists_in_row_order(*state_) : state_->id_bound;
        status = check_radii_of_agents(*state_, *state_, executor_, wanted, filters);
        if (status.ok()) status = empty_lists(*state_, wanted, {0, count}, result);
    } else {
        status = make_lists(*this, *others.state_, asked, filters, result);
    }
    if (!status.ok()) lists.clear();
    if (status.ok() && wraps_) result.keep_first(result.size(), wanted.distances);
    return status;
}

Status Frame::count_neighbours(const Within& wanted, std::span<std::uint32_t> counts,
                               const Filters& filters) const noexcept {
    return count_neighbours_in(*this, wanted, counts, filters);
}
Status Frame::count_neighbours_in(const Frame& others, const Neighbourhood& wanted,
                                  std::span<std::uint32_t> counts, const Filters& filters) const noexcept {
    const From from = others.state_ == state_ ? From::agents : From::other_agents;
    if (const Status bad = check_output(counts, id_bound()); !bad.ok()) return bad;
    if (const Status bad = check_search(state_, from, wanted, filters); !bad.ok()) return bad;
    if (state_ == nullptr) return failure_;
    if (!wraps_like(others)) return {Code::bad_config, Argument::period};
    if (wraps_ || are_halved(*state_, wanted)) {
        const Lease<TorusSpace> space(state_->store->spaces.torus);
        if (!space) return {Code::out_of_memory};
        // In row order, where lists that others add to are not made.
        Neighbourhood listed = wanted;
        listed.in_row_order = wanted.radii.empty() || !(wanted.half || wanted.either_reaches);
        NeighbourLists& lists = space->made;
        if (const Status bad = find_lists(others, listed, lists, filters); !bad.ok()) return bad;
        std::fill_n(counts.begin(), id_bound(), 0u);
        for (std::size_t i = 0; i < lists.size(); ++i)
            counts[listed.in_row_order ? lists.agents()[i] : i] = static_cast<std::uint32_t>(lists[i].size());
        return {};
    }
    const FrameState &sites = *state_, &searched = *others.state_;
    if (const Status bad = check_radii_of_agents(sites, searched, executor_, wanted, filters); !bad.ok())
        return bad;
    counts = counts.first(state_->id_bound);
    if (state_->agents - state_->ghost_count != counts.size()) std::fill(counts.begin(), counts.end(), 0u);
    const AgentsToLook look(sites, searched, wanted, filters);
    return AgentSearch(look.sites(), look.where().frame(), executor_, wanted, look.filters()).count(counts);
}

}  // namespace throng
