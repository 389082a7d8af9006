// A batch of the agents of a frame, in the frame where they look, as `AgentSearch` takes it.
#pragma once

#include "engine/src/neighbours/centres/centre_frames.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "throng/labels.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::detail {

// For agents among themselves, each is left out of its own list by its place, so the agents of the centre
// frame search there. In row order the agents of the frame do, and a filter leaves each out.
class AgentsToLook {
public:
    AgentsToLook(const FrameState& sites, const FrameState& asked, const Neighbourhood& wanted,
                 const Filters& filters) noexcept
        : needs_filter_(&sites == &asked && wanted.in_row_order &&
                        (!wanted.with_self || filters.each_leaves_out_itself())),
          where_(needs_filter_ && !may_leave_out(filters) ? WhereToLook(asked)
                                                          : where_to_look(sites, asked, wanted)),
          sites_(&sites == &asked && !wanted.in_row_order ? where_.frame() : sites),
          filters_(needs_filter_ && where_.is_among_centres() ? Filters::each_without_itself(filters[0])
                                                              : filters) {}

    const WhereToLook& where() const noexcept { return where_; }
    const FrameState& sites() const noexcept { return sites_; }
    const Filters& filters() const noexcept { return filters_; }

private:
    // Whether the filters can leave out each agent, too.
    static bool may_leave_out(const Filters& filters) noexcept {
        return filters.one_for_all() && (filters.each_leaves_out_itself() || filters[0].self == no_agent);
    }
    static WhereToLook where_to_look(const FrameState& sites, const FrameState& asked,
                                     const Neighbourhood& wanted) noexcept {
        const auto site_at = [&](std::size_t i, const auto& add) {
            (void)AgentSites(sites).each({i, i + 1}, false, [&](const simd::Queriers& one) {
                add(Point{one.x[0], one.y[0]}, one.number[0]);
                return true;
            });
        };
        return {asked, wanted, [&] { return SampledSites(sites.agents, wanted, site_at); }};
    }

    const bool needs_filter_;
    const WhereToLook where_;
    const FrameState& sites_;
    const Filters filters_;
};

}  // namespace throng::detail
