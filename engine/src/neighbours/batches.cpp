// Neighbours of all agents of a frame: the host's calls.

#include <algorithm>

#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/centre_frames.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/torus/agent_images.hpp"
#include "throng/frame.hpp"

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
        status = make_lists(*state_, *others.state_, executor_, asked, filters, result);
        if (status.ok() && wraps_)
            status = add_images_of_agents(*this, *others.state_, executor_, asked, filters, result);
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
        Neighbourhood by_id = wanted;
        by_id.in_row_order = false;
        if (const Status bad = find_lists(others, by_id, space->made, filters); !bad.ok()) return bad;
        for (std::size_t i = 0; i < space->made.size(); ++i)
            counts[i] = static_cast<std::uint32_t>(space->made[i].size());
        return {};
    }
    const FrameState &sites = *state_, &searched = *others.state_;
    if (const Status bad = check_radii_of_agents(sites, searched, executor_, wanted, filters); !bad.ok())
        return bad;
    counts = counts.first(state_->id_bound);
    if (state_->agents - state_->ghost_count != counts.size()) std::fill(counts.begin(), counts.end(), 0u);
    return counts_of_agents(AgentsToLook(sites, searched, wanted, filters), executor_, wanted, counts);
}

}  // namespace throng
