// Neighbours of all agents of a frame, and of any points, as the host calls for them.

#include <algorithm>

#include "base/box_check.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/centres/agents_to_look.hpp"
#include "engine/src/neighbours/point_search.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

// --- Of agents ---------------------------------------------------------------------------------------------

Status detail::make_lists(const FrameState& sites, const FrameState& searched, const Executor& executor,
                          const Neighbourhood& wanted, const Filters& filters, ListResult& result) noexcept {
    if (const Status bad = check_radii_of_agents(sites, searched, executor, wanted, filters); !bad.ok())
        return bad;
    const AgentsToLook look(sites, searched, wanted, filters);
    const AgentSearch search(look.sites(), look.where().frame(), executor, wanted, look.filters());
    const Status made = wanted.in_row_order ? search.lists_by_row(result) : search.lists_by_id(result);
    return result.finish(look.where().in_order(made, executor, result));
}

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

Status FrameCalls::find_lists(const Frame& others, const Neighbourhood& wanted, NeighbourLists& lists,
                              const Filters& filters) const noexcept {
    lists.clear();
    const From from = others.state_ == state_ ? From::agents : From::other_agents;
    if (wraps_ && wraps_like(others)) return lists_around(others, wanted, lists, filters);
    if (const Status bad = check_search(state_, from, wanted, filters); !bad.ok()) return bad;
    if (!failure_.ok() || !others.status().ok()) return failure_.ok() ? others.status() : failure_;
    if (state_ == nullptr) return {};
    if (!wraps_like(others)) return {Code::bad_config, Argument::period};
    ListResult result(lists, wanted);
    Status status;
    if (others.state_ == nullptr) {
        const std::size_t count = wanted.in_row_order ? lists_in_row_order(*state_) : state_->id_bound;
        status = AgentSearch(*state_, *state_, executor_, wanted, filters).check_radii();
        if (status.ok()) status = empty_lists(*state_, wanted, {0, count}, result);
    } else {
        status = make_lists(*state_, *others.state_, executor_, wanted, filters, result);
    }
    if (!status.ok()) lists.clear();
    return status;
}

Status Frame::neighbours(const Within& wanted, NeighbourLists& lists, const Filters& filters) const noexcept {
    return find_lists(*this, wanted, lists, filters);
}
Status Frame::neighbours(const Nearest& wanted, NeighbourLists& lists,
                         const Filters& filters) const noexcept {
    return find_lists(*this, wanted, lists, filters);
}
Status Frame::neighbours_in(const Frame& others, const Within& wanted, NeighbourLists& lists,
                            const Filters& filters) const noexcept {
    return find_lists(others, wanted, lists, filters);
}
Status Frame::neighbours_in(const Frame& others, const Nearest& wanted, NeighbourLists& lists,
                            const Filters& filters) const noexcept {
    return find_lists(others, wanted, lists, filters);
}

Status Frame::count_neighbours(const Within& wanted, std::span<std::uint32_t> counts,
                               const Filters& filters) const noexcept {
    return count_neighbours_in(*this, wanted, counts, filters);
}
Status FrameCalls::count_neighbours_in(const Frame& others, const Neighbourhood& wanted,
                                       std::span<std::uint32_t> counts,
                                       const Filters& filters) const noexcept {
    const From from = others.state_ == state_ ? From::agents : From::other_agents;
    if (const Status bad = check_search(state_, from, wanted, filters); !bad.ok()) return bad;
    if (counts.size() < frame().id_bound()) return {Code::size_mismatch, Argument::output};
    if (counts.data() == nullptr && !counts.empty()) return {Code::null_view, Argument::output};
    if (state_ == nullptr) return failure_;
    if (!wraps_like(others)) return {Code::bad_config, Argument::period};
    if (wraps_) return count_around(others, wanted, counts, filters);
    const FrameState &sites = *state_, &searched = *others.state_;
    if (const Status bad = check_radii_of_agents(sites, searched, executor_, wanted, filters); !bad.ok())
        return bad;
    counts = counts.first(state_->id_bound);
    if (state_->agents - state_->ghost_count != counts.size()) std::fill(counts.begin(), counts.end(), 0u);
    const AgentsToLook look(sites, searched, wanted, filters);
    return AgentSearch(look.sites(), look.where().frame(), executor_, wanted, look.filters()).count(counts);
}

// --- Of points ---------------------------------------------------------------------------------------------

namespace {

Status check_radii(const Neighbourhood& wanted) noexcept {
    for (std::size_t i = 0; i < wanted.radii.size(); ++i)
        if (const Code bad = check_radius(wanted.radii[i], wanted.is_nearest); bad != Code::ok)
            return {bad, i, Argument::radii};
    return {};
}
// Points are boxes that are legal if they are finite.
Status check_points(const Points& points) noexcept {
    const Status bad = check(points.boxes());
    return bad.ok() ? bad : Status{Code::not_finite, bad.index, Argument::boxes};
}

}  // namespace

Status detail::check_sites(const Points& points, const Neighbourhood& wanted) noexcept {
    if (const Status bad = check_points(points); !bad.ok()) return bad;
    return check_radii(wanted);
}

Status detail::check_call(const Frame& frame, const Points& points, const Neighbourhood& wanted,
                          const Filters& filters, bool and_sites) noexcept {
    if (const Code bad = points.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Status bad = check(wanted, From::points, points.size()); !bad.ok()) return bad;
    if (const Status bad = check(filters, From::points, points.size()); !bad.ok()) return bad;
    if (!frame.status().ok()) return frame.status();
    return and_sites ? check_sites(points, wanted) : Status{};
}

Status FrameCalls::find_lists(const Points& points, const Neighbourhood& wanted, NeighbourLists& lists,
                              const Filters& filters) const noexcept {
    if (wraps_) return lists_around(points, wanted, lists, filters);
    lists.clear();
    if (const Status bad = check_call(frame(), points, wanted, filters); !bad.ok()) return bad;
    ListResult result(lists, wanted);
    Status status{result.make_empty(points.size()) ? Code::ok : Code::out_of_memory};
    if (status.ok() && state_ != nullptr) {
        const WhereToLook where = where_to_look(points, *state_, wanted);
        PointSearch search(where.frame(), executor_, wanted, {where.frame(), filters});
        status = result.finish(where.in_order(search.lists(points, result), executor_, result));
    }
    if (!status.ok()) lists.clear();
    return status;
}

Status Frame::neighbours(const Points& points, const Within& wanted, NeighbourLists& lists,
                         const Filters& filters) const noexcept {
    return find_lists(points, wanted, lists, filters);
}
Status Frame::neighbours(const Points& points, const Nearest& wanted, NeighbourLists& lists,
                         const Filters& filters) const noexcept {
    return find_lists(points, wanted, lists, filters);
}

Status Frame::count_neighbours(const Points& points, const Within& within, std::span<std::uint32_t> counts,
                               const Filters& filters) const noexcept {
    const Neighbourhood wanted = within;
    if (counts.size() < points.size()) return {Code::size_mismatch, Argument::output};
    if (counts.data() == nullptr && !counts.empty()) return {Code::null_view, Argument::output};
    if (const Status bad = check_call(*this, points, wanted, filters); !bad.ok()) return bad;
    if (state_ == nullptr) {
        std::fill_n(counts.begin(), points.size(), 0u);
        return {};
    }
    if (wraps_) return count_around(points, wanted, counts, filters);
    const FrameState& frame = where_to_look(points, *state_, wanted).frame();
    return PointSearch(frame, executor_, wanted, {frame, filters}).count(points, counts.data());
}

}  // namespace throng
