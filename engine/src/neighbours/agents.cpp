// Neighbours of all agents of a frame: among themselves, or among the agents of another frame.

#include <algorithm>
#include <atomic>
#include <limits>

#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/neighbours/places.hpp"
#include "engine/src/neighbours/reaching.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr std::size_t fewest_in_a_block = 1024;

// The agents of one frame as places, and the frame that is searched: the same, or another.
class AgentSearch {
public:
    AgentSearch(const FrameState& places, const FrameState& searched, const Executor& executor,
                const Neighbourhood& wanted, const Filters& filters) noexcept
        : searched_(searched),
          executor_(executor),
          places_(places),
          wanted_(wanted),
          wanted_filters_(filters),
          query_(kernel_query(wanted)),
          filters_(searched, filters),
          leaves_out_(&places == &searched && !wanted.with_self),
          blocks_(parallel::blocks_for(executor, places.agents, fewest_in_a_block)) {}

    // The status of the lowest id with an illegal radius.
    Status check_radii(const Neighbourhood& wanted) const noexcept {
        if (wanted.radii.empty()) return {};
        constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
        std::atomic<std::size_t> first_bad{none};
        const bool ran = parallel::for_blocks(executor_, blocks_, [&](std::size_t b) {
            places_.each_piece(share(b), [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
                const AgentId* ids = RowArrays(row).id;
                for (std::uint32_t i = first; i < end; ++i)
                    if (check_radius(wanted.radii[ids[i]], wanted.most) != Code::ok)
                        parallel::lower(first_bad, ids[i]);
            });
        });
        if (!ran) return {Code::bad_executor};
        const std::size_t bad = first_bad.load(std::memory_order_relaxed);
        return bad == none ? Status{} : Status{check_radius(wanted.radii[bad], wanted.most), bad};
    }
    Status lists_by_id(ListResult& result) const noexcept {
        ListBatch batch(searched_, executor_, result);
        if (batch.space() == nullptr) return {Code::out_of_memory};
        const auto own = [&](std::size_t b, AnswerSpace&, simd::NeighbourOutput& output) {
            search(share(b), output);
            return true;
        };
        if (!others_reach()) return batch.lists_by_number(0, places_.id_bound(), blocks_, own);
        const Reaching reaching(searched_, wanted_, wanted_filters_, least_radius());
        return batch.lists_by_number(0, places_.id_bound(), blocks_, own,
                                     [&](std::size_t b, AnswerSpace& space, const auto& add) {
                                         return reaching.each_addition(share(b), space, add);
                                     });
    }
    Status lists_by_row(ListResult& result, Buffer<AgentId>& agents) const noexcept {
        if (!resize_amply(agents, places_.size())) return {Code::out_of_memory};
        ListBatch batch(searched_, executor_, result);
        if (batch.space() == nullptr) return {Code::out_of_memory};
        return batch.lists_in_turn(
            0, blocks_, [&](std::size_t b) { return share(b).size(); },
            [&](std::size_t b, simd::NeighbourOutput& output) {
                AgentId* to = agents.data() + share(b).begin;
                places_.each_piece(share(b),
                                   [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
                                       to = std::copy_n(RowArrays(row).id + first, end - first, to);
                                   });
                search(share(b), output);
                return true;
            });
    }
    Status count(std::span<std::uint32_t> counts) const noexcept {
        const bool ran = parallel::for_blocks(executor_, blocks_, [&](std::size_t b) {
            simd::NeighbourOutput output{};
            output.counts = counts.data();
            search(share(b), output);
        });
        if (!ran) return {Code::bad_executor};
        return others_reach() ? count_additions(counts) : Status{};
    }

private:
    // Whether an agent may be in the list of another one that does not see it.
    bool others_reach() const noexcept { return !wanted_.radii.empty() && (wanted_.either || wanted_.half); }
    float least_radius() const noexcept {
        float least = std::numeric_limits<float>::infinity();
        places_.each_piece({0, places_.size()},
                           [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
                               const AgentId* ids = RowArrays(row).id;
                               for (std::uint32_t i = first; i < end; ++i)
                                   least = std::min(least, wanted_.radii[ids[i]]);
                           });
        return least;
    }
    Status count_additions(std::span<std::uint32_t> counts) const noexcept {
        const Reaching reaching(searched_, wanted_, wanted_filters_, least_radius());
        std::atomic<bool> out_of_memory{false};
        const bool ran = parallel::for_blocks(executor_, blocks_, [&](std::size_t b) {
            const Lease<AnswerSpace> space(searched_.store->answer_spaces);
            const auto add = [&](AgentId to, AgentId, float) {
                std::atomic_ref(counts[to]).fetch_add(1, std::memory_order_relaxed);
                return true;
            };
            if (!space || !reaching.each_addition(share(b), *space, add))
                out_of_memory.store(true, std::memory_order_relaxed);
        });
        if (!ran) return {Code::bad_executor};
        return {out_of_memory.load(std::memory_order_relaxed) ? Code::out_of_memory : Code::ok};
    }
    parallel::Range share(std::size_t block) const noexcept {
        return parallel::range_of(places_.size(), blocks_, block);
    }
    void search(const parallel::Range& range, simd::NeighbourOutput& output) const noexcept {
        std::uint64_t* const ends = output.ends;
        std::size_t done = 0;
        (void)places_.each(range, leaves_out_, [&](const simd::Queriers& some) {
            if (ends != nullptr) output.ends = ends + done;
            searched_.kernels->neighbours->around(searched_.view, filters_.filters, some, query_, output);
            done += some.count;
            return output.sinks == nullptr || !output.sinks->stopped;
        });
    }

    const FrameState& searched_;
    const Executor& executor_;
    const AgentPlaces places_;
    const Neighbourhood& wanted_;
    const Filters& wanted_filters_;
    const simd::NeighbourQuery query_;
    const FilterBatch filters_;
    const bool leaves_out_;
    const std::size_t blocks_;
};

// The checks of every call, in one order.
Status check_all(const FrameState* places, From from, const Neighbourhood& wanted,
                 const Filters& filters) noexcept {
    const std::size_t ids = places == nullptr ? 0 : places->id_bound;
    if (const Status bad = check(wanted, from, ids); !bad.ok()) return bad;
    return check(filters, from, ids);
}

bool start_lists(std::size_t lists, Buffer<std::uint64_t>& offsets) noexcept {
    if (!resize_amply(offsets, lists + 1)) return false;
    offsets[0] = 0;
    return true;
}

Status make_lists(const FrameState& places, const FrameState& searched, const Executor& executor,
                  const Neighbourhood& wanted, const Filters& filters, ListResult& result,
                  Buffer<AgentId>& agents) noexcept {
    const AgentSearch search(places, searched, executor, wanted, filters);
    if (const Status bad = search.check_radii(wanted); !bad.ok()) return bad;
    const std::size_t lists = wanted.in_row_order ? places.agents : places.id_bound;
    if (!start_lists(lists, result.offsets)) return {Code::out_of_memory};
    const Status status =
        wanted.in_row_order ? search.lists_by_row(result, agents) : search.lists_by_id(result);
    if (!status.ok()) return status;
    return {result.finish() ? Code::ok : Code::out_of_memory};
}

// Lists without any neighbours.
bool empty_lists(const FrameState& places, Buffer<std::uint64_t>& offsets) noexcept {
    if (!resize_amply(offsets, places.id_bound + 1)) return false;
    std::fill(offsets.begin(), offsets.end(), 0u);
    return true;
}

}  // namespace

std::size_t Frame::id_bound() const noexcept { return state_ == nullptr ? 0 : state_->id_bound; }

Status Frame::neighbours(const Neighbourhood& wanted, Neighbours& lists,
                         const Filters& filters) const noexcept {
    return neighbours_in(*this, wanted, lists, filters);
}

Status Frame::neighbours_in(const Frame& others, const Neighbourhood& wanted, Neighbours& lists,
                            const Filters& filters) const noexcept {
    lists.clear();
    const From from = others.state_ == state_ ? From::agents : From::other_agents;
    if (const Status bad = check_all(state_, from, wanted, filters); !bad.ok()) return bad;
    if (!status().ok() || !others.status().ok()) return status().ok() ? others.status() : status();
    if (state_ == nullptr) return {};
    Status status;
    if (others.state_ == nullptr) {
        status = {empty_lists(*state_, lists.offsets_) ? Code::ok : Code::out_of_memory};
    } else {
        ListResult result{lists.offsets_, lists.ids_, wanted.distances ? &lists.distances_ : nullptr};
        status = make_lists(*state_, *others.state_, executor_, wanted, filters, result, lists.agents_);
    }
    if (!status.ok()) lists.clear();
    return status;
}

Status Frame::count_neighbours(const Neighbourhood& wanted, std::span<std::uint32_t> counts,
                               const Filters& filters) const noexcept {
    if (const Status bad = check_all(state_, From::agents, wanted, filters); !bad.ok()) return bad;
    if (wanted.most != 0) return {Code::bad_config};
    if (counts.size() < id_bound()) return {Code::size_mismatch};
    if (counts.data() == nullptr && !counts.empty()) return {Code::null_view};
    if (state_ == nullptr) return status();
    const AgentSearch search(*state_, *state_, executor_, wanted, filters);
    if (const Status bad = search.check_radii(wanted); !bad.ok()) return bad;
    if (state_->agents != counts.size()) std::fill(counts.begin(), counts.end(), 0u);
    return search.count(counts);
}

}  // namespace throng
