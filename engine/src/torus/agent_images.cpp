#include "engine/src/torus/agent_images.hpp"

#include <algorithm>
#include <limits>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/points.hpp"
#include "engine/src/torus/image_places.hpp"

namespace throng::detail {

namespace {

// Calls use(id, box) for the agents whose centres may be within `x` or `y` of a seam, each once, until it
// returns false.
template <class Use>
void each_near_seams(const Frame& flat, const Period& period, double x, double y, const Use& use) {
    constexpr float most = std::numeric_limits<float>::max();
    const bool all =
        (period.x != 0 && 2 * x >= double{period.x}) || (period.y != 0 && 2 * y >= double{period.y});
    bool more = true;
    if (all) {
        (void)flat.for_each_agent([&](AgentId id, const Box& box) { return use(id, box); });
        return;
    }
    const auto near = [](float at, double strip, float around) {
        return around != 0 && (at <= strip || at >= double{around} - strip);
    };
    const auto look = [&](const Box& strip, bool upright, bool low) {
        if (!more) return;
        (void)flat.for_each_overlap(strip, [&](AgentId id, const Box& box) {
            const Point at = box.centre();
            const bool near_x = near(at.x, x, period.x);
            // Agents in a corner belong to the upright strips, each to one of the two sides.
            if (upright ? !near_x || (double{at.x} <= x) != low
                        : near_x || !near(at.y, y, period.y) || (double{at.y} <= y) != low)
                return true;
            more = use(id, box);
            return more;
        });
    };
    if (period.x != 0) {
        look({-most, -most, float_at_least(x), most}, true, true);
        look({float_at_most(double{period.x} - x), -most, most, most}, true, false);
    }
    if (period.y != 0) {
        look({-most, -most, most, float_at_least(y)}, false, true);
        look({-most, float_at_most(double{period.y} - y), most, most}, false, false);
    }
}

// An agent may be nearer to itself, once around the world, than others are. A filter leaves out one agent
// only: if that is another one, one more is asked for.
bool may_find_itself(const Neighbourhood& wanted, const Filters& filters) noexcept {
    return wanted.is_nearest && !filters.each_leaves_out_itself() &&
           !(filters.one_for_all() && filters[0].self == no_agent);
}

// The lists of agents by id or in row order, all or some, and what images of agents add to them.
class AgentImages {
public:
    // `sites` and `searched` are without seams. The lists are those of all agents, or, with a `first`, of
    // those from that one on.
    AgentImages(const Frame& sites, const FrameState& sites_state, const FrameState& searched,
                const Neighbourhood& wanted, const Filters& filters, TorusSpace& space) noexcept
        : sites_(sites),
          sites_state_(sites_state),
          searched_(searched),
          wanted_(wanted),
          filters_(filters),
          among_themselves_(&sites_state == &searched),
          space_(space),
          images_(searched.torus, wanted, space) {
        space_.filters.clear();
    }

    // Adds to the lists of all agents or, by id, of those from number `first` on.
    Status add_to(const ListResult& lists, std::size_t first, const Executor& executor) noexcept {
        first_ = first == all_agents ? 0 : first;
        if (!(first == all_agents ? find_all(lists) : find_some(lists))) return {Code::out_of_memory};
        if (images_.owners().empty()) return {};
        Neighbourhood around = images_.wanted_around(wanted_);
        around.distances |= is_symmetric();
        if (among_themselves_ && may_find_itself(wanted_, filters_)) ++around.max_count;
        const Lease<BatchSpace> batch(searched_.store->spaces.batches);
        ListResult found(space_.lists, around);
        if (!batch || !found.make_empty(images_.owners().size())) return {Code::out_of_memory};
        const Status bad =
            find_around(searched_, executor, images_.places(), *batch, around, their_filters(), found);
        const auto belongs_to = [&](std::uint32_t list, AgentId id, float distance) {
            return belongs(id_of(lists, list), id, distance);
        };
        return bad.ok() && !images_.put(lists, belongs_to) ? Status{Code::out_of_memory} : bad;
    }

private:
    // No image that looks less than half around the world finds its own agent, so one more is not asked for.
    Filters their_filters() const noexcept {
        const bool admit_all = filters_.one_for_all() && filters_[0] == no_filter && !images_.repeats() &&
                               !(searched_.has_heights() && sites_state_.has_heights());
        return admit_all ? Filters() : Filters::of({space_.filters.data(), space_.filters.size()});
    }
    // Both return false if there is no memory.
    bool find_all(const ListResult& lists) noexcept {
        if (wanted_.in_row_order && !note_places(lists)) return false;
        const float furthest = furthest_of(lists);
        bool enough = true;
        each_near_seams(sites_, searched_.torus.period, images_.strip_x(furthest), images_.strip_y(furthest),
                        [&](AgentId id, const Box& box) {
                            const std::uint32_t list = wanted_.in_row_order ? space_.places[id] : id;
                            return enough = add(lists, list, id, box, furthest);
                        });
        return enough;
    }
    bool find_some(const ListResult& lists) noexcept {
        for (std::size_t list = 0; list < lists.size(); ++list) {
            const AgentId id = id_of(lists, list);
            const Box box = sites_.box(id);
            if (box != no_box && !add(lists, static_cast<std::uint32_t>(list), id, box, 0)) return false;
        }
        return true;
    }
    AgentId id_of(const ListResult& lists, std::size_t list) const noexcept {
        return wanted_.in_row_order ? lists.agents[list] : static_cast<AgentId>(first_ + list);
    }
    bool add(const ListResult& lists, std::uint32_t list, AgentId id, const Box& box,
             float furthest) noexcept {
        if (sites_state_.ghosts.has(id)) return true;
        const float radius = is_symmetric() ? furthest : radius_left(lists, list, id, wanted_);
        if (!images_.add(list, box.centre(), radius)) return false;
        // An agent is not its own neighbour, however often the world wraps around.
        while (space_.filters.size() < images_.owners().size()) {
            Filter filter = filters_[id];
            if (among_themselves_ && filter.self == no_agent) filter.self = id;
            if (searched_.has_heights() && sites_state_.has_heights()) {
                // Both bands: one may end below the start of the other.
                const Band own = sites_.height(id);
                filter.heights = {std::max(filter.heights.min_z, own.min_z),
                                  std::min(filter.heights.max_z, own.max_z)};
            }
            if (!space_.filters.push_back(filter)) return false;
        }
        return true;
    }
    bool is_symmetric() const noexcept {
        return !wanted_.radii.empty() && (wanted_.half || wanted_.either_reaches);
    }
    float furthest_of(const ListResult& lists) const noexcept {
        float radius = wanted_.radii.empty() ? wanted_.radius : 0;
        if (!wanted_.radii.empty())
            (void)sites_.for_each_agent(
                [&](AgentId id, const Box&) { radius = std::max(radius, wanted_.radii[id]); });
        if (!wanted_.is_nearest) return radius;
        // A list that is not full would take any agent.
        float most = 0;
        std::size_t full_lists = 0;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (lists.length_of(i) < wanted_.max_count) continue;
            most = std::max(most, lists.furthest_in(i));
            ++full_lists;
        }
        const bool full = full_lists == lists_in_row_order(sites_state_);
        return full ? std::min(radius, radius_of(most)) : radius;
    }
    bool note_places(const ListResult& lists) noexcept {
        if (!resize_amply(space_.places, sites_.id_bound())) return false;
        for (std::size_t i = 0; i < lists.agents.size(); ++i)
            space_.places[lists.agents[i]] = static_cast<std::uint32_t>(i);
        return true;
    }
    bool belongs(AgentId own, AgentId id, float distance) const noexcept {
        if (!among_themselves_) return true;
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
    const Frame flat = Scope::flat(sites);
    return AgentImages(flat, scope.agents(), searched, wanted, filters, *space)
        .add_to(lists, first, executor);
}

}  // namespace throng::detail
