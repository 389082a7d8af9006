// Where searches by centres look: in the frame that the host asked, or in the frame of its centres
// (shape_frames.hpp). Answers are the same, to the last bit, and lists are put into the order of the frame.
// So a frame of centres changes only the time, and without memory there is none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/neighbours/shape_frames.hpp"
#include "engine/src/store/spaces.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

// The frame in which a batch or a single search looks: the one that the host asked, or the frame of its
// centres.
class WhereToLook {
public:
    // In that frame.
    explicit WhereToLook(const FrameState& asked) noexcept : asked_(asked) {}
    // For one search: the frame of centres if there is one, or if enough was looked at by now for it to pay.
    WhereToLook(const FrameState& asked, const Neighbourhood& wanted) noexcept;
    // For a batch of `sites` sites, some of which tell how much each search has to look at. site_at(i, add)
    // calls add(point, number) for site i.
    template <class SiteAt>
    WhereToLook(const FrameState& asked, const Neighbourhood& wanted, std::size_t sites,
                const SiteAt& site_at) noexcept
        : asked_(asked) {
        if (wanted.agents_as != AgentsAs::centres || !may_have_wide_boxes(asked)) return;
        Sample sample{sites};
        const std::size_t some = sites < Sample::most ? sites : Sample::most;
        for (std::size_t s = 0; s < some; ++s)
            site_at((2 * s + 1) * sites / (2 * some), [&](const Point& at, std::size_t number) {
                const float radius = wanted.radii.empty() ? wanted.radius : wanted.radii[number];
                // In blocks, lists may not have checked it yet.
                if (check_radius(radius, wanted.is_nearest) != Code::ok) return;
                sample.x[sample.count] = at.x;
                sample.y[sample.count] = at.y;
                sample.radii[sample.count] = radius;
                sample.number[sample.count] = sample.count;
                ++sample.count;
            });
        choose(wanted, sample);
    }

    const FrameState& frame() const noexcept { return centres_ == nullptr ? asked_ : centres_->state(); }
    bool is_among_centres() const noexcept { return centres_ != nullptr; }
    // How many agents a single search has compared.
    void note(std::uint64_t compared) const noexcept;

    // Puts ids, and their squared distances unless these are null, into the order of the frame that was
    // asked. There is room for as many keys.
    void put_in_order(AgentId* ids, float* distances, std::size_t count, std::uint64_t* keys) const noexcept;
    // The same with each list, after all were made. The nearest have an order of their own.
    Status in_order(const Status& made, const Executor& executor, const ListResult& result) const noexcept;

private:
    struct Sample {
        static constexpr std::size_t most = 16;
        const std::size_t sites;
        std::uint32_t count = 0;
        alignas(64) float x[most + simd::gap] = {}, y[most + simd::gap] = {};
        float radii[most];
        std::uint32_t number[most];
    };
    void choose(const Neighbourhood& wanted, const Sample& sample) noexcept;

    const FrameState& asked_;
    const ShapeFrame* centres_ = nullptr;
    bool is_noted_ = false;
};

// A batch of the agents of a frame, in the frame where they look, as `AgentSearch` takes it.
// For agents among themselves, each is left out of its own list by its place, so the agents of the frame of
// centres search there. In row order the agents of the frame do, and a filter leaves each out.
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
        return {asked, wanted, sites.agents, site_at};
    }

    const bool needs_filter_;
    const WhereToLook where_;
    const FrameState& sites_;
    const Filters filters_;
};

}  // namespace throng::detail
