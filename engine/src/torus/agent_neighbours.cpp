// Neighbours of all agents in a world that wraps around: as of points, but only agents near the seams are
// looked at once more.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/grown_lists.hpp"
#include "engine/src/torus/image_places.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

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
            // Those in a corner belong to the upright strips, and each to one of the two sides.
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

// An agent may be nearer to itself, once around the world, than others are. A filter leaves out one
// agent only: where that is another, one more is asked for.
bool may_find_itself(const Neighbourhood& wanted, const Filters& filters) noexcept {
    return wanted.is_nearest && !filters.each_leaves_out_itself() &&
           !(filters.one_for_all() && filters[0].self == no_agent);
}

// The lists of agents by id or in row order, and what images of agents add to them.
class AgentImages {
public:
    AgentImages(const Frame& flat, const FrameState& frame, const Neighbourhood& wanted,
                const Filters& filters, TorusSpace& space) noexcept
        : flat_(flat),
          frame_(frame),
          torus_(frame.torus),
          wanted_(wanted),
          filters_(filters),
          space_(space),
          images_(frame.torus, wanted, space) {}

    // Returns false if there is no memory.
    bool find_images(const NeighbourLists& lists) noexcept {
        if (wanted_.in_row_order && !note_places(lists)) return false;
        space_.filters.clear();
        const float furthest = furthest_of(lists);
        bool enough = true;
        each_near_seams(flat_, torus_.period, images_.strip_x(furthest), images_.strip_y(furthest),
                        [&](AgentId id, const Box& box) {
                            if (frame_.ghosts.has(id)) return true;
                            const float radius = is_symmetric() ? furthest : radius_at(wanted_, id);
                            const float left = radius_left(lists, list_of(id), wanted_, radius);
                            return enough = images_.add(id, box.centre(), left) && add_filters(id);
                        });
        return enough;
    }
    bool has_images() const noexcept { return !images_.owners().empty(); }
    bool repeats() const noexcept { return images_.repeats(); }
    Status search(const Executor& executor) noexcept {
        Neighbourhood around = images_.wanted_around(wanted_);
        around.distances |= is_symmetric();
        if (may_find_itself(wanted_, filters_)) ++around.max_count;
        return search_around(frame_, executor, images_.points(), around,
                             Filters::of({space_.filters.data(), space_.filters.size()}), space_.lists);
    }
    bool take() noexcept {
        space_.added.clear();
        const std::span<const float> distances = space_.lists.squared_distances();
        std::size_t at = 0;
        for (std::size_t i = 0; i < images_.owners().size(); ++i) {
            const AgentId own = images_.owners()[i];
            for (const AgentId id : space_.lists[i]) {
                const float distance = distances.empty() ? 0 : distances[at];
                ++at;
                if (!belongs(own, id, distance)) continue;
                const auto number = static_cast<std::uint32_t>(space_.added.size());
                if (!space_.added.push_back({list_of(own), number, id, distance})) return false;
            }
        }
        return true;
    }

private:
    bool is_symmetric() const noexcept {
        return !wanted_.radii.empty() && (wanted_.half || wanted_.either_reaches);
    }
    float furthest_of(const NeighbourLists& lists) const noexcept {
        float radius = wanted_.radii.empty() ? wanted_.radius : 0;
        if (!wanted_.radii.empty())
            (void)flat_.for_each_agent(
                [&](AgentId id, const Box&) { radius = std::max(radius, wanted_.radii[id]); });
        if (!wanted_.is_nearest) return radius;
        // A list that is not full would have any agent in it.
        const std::span<const std::uint64_t> offsets = lists.offsets();
        const std::span<const float> distances = lists.squared_distances();
        float most = 0;
        std::size_t full_lists = 0;
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
            if (offsets[i + 1] - offsets[i] < wanted_.max_count) continue;
            most = std::max(most, distances[static_cast<std::size_t>(offsets[i + 1] - 1)]);
            ++full_lists;
        }
        const bool full = full_lists == lists_in_row_order(frame_);
        return full ? std::min(radius, radius_of(most)) : radius;
    }
    bool note_places(const NeighbourLists& lists) noexcept {
        if (!resize_amply(space_.places, flat_.id_bound())) return false;
        for (std::size_t i = 0; i < lists.agents().size(); ++i)
            space_.places[lists.agents()[i]] = static_cast<std::uint32_t>(i);
        return true;
    }
    std::uint32_t list_of(AgentId id) const noexcept { return wanted_.in_row_order ? space_.places[id] : id; }
    // An agent is not its own neighbour, however often the world wraps around.
    bool add_filters(AgentId id) noexcept {
        while (space_.filters.size() < images_.owners().size()) {
            Filter filter = filters_[id];
            if (filter.self == no_agent) filter.self = id;
            if (frame_.has_heights()) {
                // Both bands at once, of which one may end below where the other begins.
                const Band own = flat_.height(id);
                filter.heights = {std::max(filter.heights.min_z, own.min_z),
                                  std::min(filter.heights.max_z, own.max_z)};
            }
            if (!space_.filters.push_back(filter)) return false;
        }
        return true;
    }
    bool belongs(AgentId own, AgentId id, float distance) const noexcept {
        if (wanted_.half ? !is_in_half(own, id, frame_.ghosts) : id == own) return false;
        if (!is_symmetric()) return true;
        const float mine = wanted_.radii[own], others = wanted_.radii[id];
        return distance <= mine * mine || distance <= others * others;
    }

    const Frame& flat_;
    const FrameState& frame_;
    const Torus& torus_;
    const Neighbourhood& wanted_;
    const Filters& filters_;
    TorusSpace& space_;
    ImagePlaces images_;
};

}  // namespace

Status FrameCalls::lists_around(const Neighbourhood& wanted, NeighbourLists& lists,
                                const Filters& filters) const noexcept {
    const Frame flat = unrolled();
    const Neighbourhood asked = with_distances(wanted);
    Status status = flat.find_lists(flat, asked, lists, filters);
    if (!status.ok()) {
        lists.clear();
        return status;
    }
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    bool enough = static_cast<bool>(space);
    if (enough) {
        AgentImages images(flat, *state_, asked, filters, *space);
        enough = images.find_images(lists);
        if (enough && images.has_images()) {
            status = images.search(executor_);
            enough =
                !status.ok() || (images.take() && add_to_lists({lists.offsets_, lists.answers_,
                                                                asked.distances ? &lists.distances_ : nullptr,
                                                                wanted.max_count, images.repeats()},
                                                               *space));
        }
    }
    if (!enough) status = {Code::out_of_memory};
    if (!status.ok()) lists.clear();
    if (!wanted.distances) lists.distances_.clear();
    return status;
}

}  // namespace throng
