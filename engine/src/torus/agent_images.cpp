#include "engine/src/torus/agent_images.hpp"

#include <algorithm>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/points.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/torus/image_places.hpp"

namespace throng::detail {

namespace {

// The lists of agents by id or in row order, all or some, and what images of agents add to them.
class AgentImages {
public:
    // The lists are those of all agents, or, with a `first`, of those from that one on.
    AgentImages(const Frame& sites, const FrameState& sites_state, const FrameState& searched,
                const Neighbourhood& wanted, const Filters& filters, TorusSpace& space) noexcept
        : sites_(sites),
          sites_state_(sites_state),
          searched_(searched),
          wanted_(wanted),
          filters_(filters),
          among_themselves_(&sites_state == &searched),
          space_(space),
          moves_(searched.torus, wanted),
          images_(moves_, wanted, space) {}

    // Adds to the lists of all agents or of those from number `first` on.
    Status add_to(const ListResult& lists, std::size_t first, const Executor& executor) noexcept {
        first_ = first == all_agents ? 0 : first;
        const bool by_id = first != all_agents && !wanted_.in_row_order;
        if (first == all_agents) moves_.set_apart({&searched_});
        if (!(by_id ? find_by_id(lists) : find_in_rows(lists)) || !images_.make(lists.size()))
            return {Code::out_of_memory};
        if (images_.owners().empty()) return {};
        Neighbourhood around = images_.wanted_around();
        around.distances |= is_symmetric();
        // One of the nearest may be dropped again.
        if (wanted_.is_nearest && may_find_itself()) ++around.max_count;
        const Lease<BatchSpace> batch(searched_.store->spaces.batches);
        ListResult found(space_.lists, around);
        found.far_enough = images_.far_enough();
        Filters their_filters;
        if (!batch || !found.make_empty(images_.owners().size()) || !make_filters(lists, their_filters))
            return {Code::out_of_memory};
        const Status bad =
            find_around(searched_, executor, images_.places(), *batch, around, their_filters, found);
        if (bad.ok() && (wanted_.half || is_symmetric() || may_find_itself()))
            keep_of_lists(found, found.found, [&](std::size_t i, AgentId id, float distance) {
                return belongs(id_of(lists, images_.owners()[i]), id, distance);
            });
        return bad.ok() && !images_.put(lists) ? Status{Code::out_of_memory} : bad;
    }

private:
    bool leaves_out_own() const noexcept { return among_themselves_ || filters_.each_leaves_out_itself(); }
    // No image that looks less than half around the world finds its own agent.
    bool may_find_itself() const noexcept {
        return leaves_out_own() && (images_.repeats() || !among_themselves_);
    }
    // One for all, or one for each image. Who is dropped after the search needs none. Returns false if there
    // is no memory.
    bool make_filters(const ListResult& lists, Filters& filters) noexcept {
        const bool by_height = searched_.has_heights() && sites_state_.has_heights();
        if (filters_.one_for_all() && !by_height) {
            Filter one = filters_[0];
            if (filters_.each_leaves_out_itself()) one.self = no_agent;
            filters = one;
            return true;
        }
        if (!resize_amply(space_.filters, images_.owners().size())) return false;
        for (std::size_t i = 0; i < images_.owners().size(); ++i) {
            const AgentId id = id_of(lists, images_.owners()[i]);
            Filter& filter = space_.filters[i] = filters_[id];
            if (!by_height) continue;
            // Both bands: one may end below the start of the other.
            const Band own = sites_.height(id);
            filter.heights = {std::max(filter.heights.min_z, own.min_z),
                              std::min(filter.heights.max_z, own.max_z)};
        }
        filters = Filters::of({space_.filters.data(), space_.filters.size()});
        return true;
    }
    // Both return false if there is no memory.
    bool find_in_rows(const ListResult& lists) noexcept {
        const AgentSites sites(sites_state_, true);
        const float furthest = furthest_of(lists);
        const Inside inside(searched_.torus.period, images_.strip_x(furthest), images_.strip_y(furthest));
        constexpr std::uint32_t at_once = 16;
        const auto are_inside = [inside](const float* x, const float* y) {
            std::int32_t near = 0;
            for (std::uint32_t i = 0; i < at_once; ++i) near |= inside.has({x[i], y[i], x[i], y[i]}) ? 0 : 1;
            return near == 0;
        };
        const parallel::Range range = sites.range_of_wanted({first_, first_ + lists_in_row_order(lists)});
        std::uint32_t first = 0;
        return sites.each(range, false, [&](const simd::Queriers& some) {
            for (std::uint32_t i = 0; i < some.count; i += at_once) {
                const std::uint32_t end = std::min(i + at_once, some.count);
                if (end == i + at_once && are_inside(some.x + i, some.y + i)) continue;
                for (std::uint32_t k = i; k < end; ++k)
                    if (!inside.has({some.x[k], some.y[k], some.x[k], some.y[k]}) &&
                        !add(lists, wanted_.in_row_order ? first + k : some.number[k], some.number[k],
                             {some.x[k], some.y[k]}, furthest))
                        return false;
            }
            first += some.count;
            return true;
        });
    }
    bool find_by_id(const ListResult& lists) noexcept {
        for (std::size_t list = 0; list < lists.size(); ++list) {
            const AgentId id = id_of(lists, list);
            const Box box = sites_.box(id);
            if (box != no_box && !sites_state_.ghosts.has(id) &&
                !add(lists, static_cast<std::uint32_t>(list), id, box.centre(), 0))
                return false;
        }
        return true;
    }
    std::size_t lists_in_row_order(const ListResult& lists) const noexcept {
        return wanted_.in_row_order ? lists.size() : detail::lists_in_row_order(sites_state_);
    }
    AgentId id_of(const ListResult& lists, std::size_t list) const noexcept {
        return wanted_.in_row_order ? lists.agents[list] : static_cast<AgentId>(first_ + list);
    }
    bool add(const ListResult& lists, std::uint32_t list, AgentId id, const Point& at,
             float furthest) noexcept {
        return images_.add(list, at, is_symmetric() ? furthest : radius_left(lists, list, id, wanted_));
    }
    bool is_symmetric() const noexcept {
        return !wanted_.radii.empty() && (wanted_.half || wanted_.either_reaches);
    }
    float furthest_of(const ListResult& lists) const noexcept {
        float radius = wanted_.radii.empty() ? wanted_.radius : 0;
        if (!wanted_.radii.empty())
            AgentSites(sites_state_)
                .each_piece({0, sites_state_.agents},
                            [&](const simd::Row& row, std::uint32_t i, std::uint32_t end) {
                                for (const AgentId* ids = RowArrays(row).id; i < end; ++i)
                                    radius = std::max(radius, wanted_.radii[ids[i]]);
                            });
        if (!wanted_.is_nearest) return radius;
        // A list that is not full would take any agent.
        float most = 0;
        std::size_t full_lists = 0;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (lists.length_of(i) < wanted_.max_count) continue;
            most = std::max(most, lists.furthest_in(i));
            ++full_lists;
        }
        return full_lists == lists_in_row_order(lists) ? std::min(radius, radius_of(most)) : radius;
    }
    bool belongs(AgentId own, AgentId id, float distance) const noexcept {
        if (!among_themselves_) return id != own;
        if (wanted_.half ? !is_in_half(own, id, sites_state_.ghosts) : id == own) return false;
        if (!is_symmetric()) return true;
        const float mine = wanted_.radii[own], others = wanted_.radii[id];
        return distance <= mine * mine || distance <= others * others;
    }

    const Frame& sites_;
    const FrameState &sites_state_, &searched_;
    const Neighbourhood& wanted_;
    const Filters& filters_;
    const bool among_themselves_;
    TorusSpace& space_;
    PlaceMoves moves_;
    ImagePlaces images_;
    std::size_t first_ = 0;
};

}  // namespace

Status add_images_of_agents(const Frame& sites, const FrameState& searched, const Executor& executor,
                            const Neighbourhood& wanted, const Filters& filters, const ListResult& lists,
                            std::size_t first) noexcept {
    const Scope scope(sites);
    const Lease<TorusSpace> space(scope.agents().store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    return AgentImages(sites, scope.agents(), searched, wanted, filters, *space)
        .add_to(lists, first, executor);
}

}  // namespace throng::detail
