// Neighbours of all agents of a frame, as the host calls for them.

#include <algorithm>

#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

Status detail::make_lists(const FrameState& places, const FrameState& searched, const Executor& executor,
                          const Neighbourhood& wanted, const Filters& filters, ListResult& result) noexcept {
    const AgentSearch search(places, searched, executor, wanted, filters);
    if (const Status bad = search.check_radii(wanted); !bad.ok()) return bad;
    return result.finish(wanted.in_row_order ? search.lists_by_row(result) : search.lists_by_id(result));
}

namespace {

// The checks of every call, in one order.
Status check_all(const FrameState* places, From from, const Neighbourhood& wanted,
                 const Filters& filters) noexcept {
    const std::size_t ids = places == nullptr ? 0 : places->id_bound;
    if (const Status bad = check(wanted, from, ids); !bad.ok()) return bad;
    return check(filters, from, ids);
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
    ListResult result(lists, wanted);
    Status status;
    if (others.state_ == nullptr) {
        const std::size_t count = wanted.in_row_order ? state_->agents : state_->id_bound;
        status = AgentSearch(*state_, *state_, executor_, wanted, filters).check_radii(wanted);
        if (status.ok()) status = empty_lists(*state_, wanted, {0, count}, result);
    } else {
        status = make_lists(*state_, *others.state_, executor_, wanted, filters, result);
    }
    if (!status.ok()) lists.clear();
    return status;
}

Status Frame::count_neighbours(const Neighbourhood& wanted, std::span<std::uint32_t> counts,
                               const Filters& filters) const noexcept {
    return count_neighbours_in(*this, wanted, counts, filters);
}

Status Frame::count_neighbours_in(const Frame& others, const Neighbourhood& wanted,
                                  std::span<std::uint32_t> counts, const Filters& filters) const noexcept {
    const From from = others.state_ == state_ ? From::agents : From::other_agents;
    if (const Status bad = check_all(state_, from, wanted, filters); !bad.ok()) return bad;
    if (wanted.max_count != 0) return {Code::bad_config, Argument::max_count};
    if (counts.size() < id_bound()) return {Code::size_mismatch, Argument::output};
    if (counts.data() == nullptr && !counts.empty()) return {Code::null_view, Argument::output};
    if (state_ == nullptr) return status();
    const AgentSearch search(*state_, *others.state_, executor_, wanted, filters);
    if (const Status bad = search.check_radii(wanted); !bad.ok()) return bad;
    if (state_->agents != counts.size()) std::fill(counts.begin(), counts.end(), 0u);
    return search.count(counts);
}

}  // namespace throng
