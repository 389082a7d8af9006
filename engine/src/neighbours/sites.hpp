// The sites of searches, as the kernels take them: some at a time, in an order in which neighbours in the
// list are neighbours in the world. And the searches around them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/spaces.hpp"
#include "parallel/blocks.hpp"
#include "simd/box_tree.hpp"
#include "simd/neighbour_kernels.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

inline constexpr std::uint32_t sites_at_once = 1024;

// The agents of a frame in the order of its rows: agents in cells first, then oversized ones. Ghosts count
// among them; if only owned ones are wanted, ghosts are passed over.
class AgentSites {
public:
    // With `by_height` they look at their own heights.
    explicit AgentSites(const FrameState& frame, bool only_owned = false, bool by_height = false) noexcept
        : frame_(frame),
          passes_over_(only_owned && !frame.ghosts.empty()),
          by_height_(by_height && frame.has_heights()) {}

    AgentSites with_ghosts() const noexcept { return AgentSites(frame_, false, by_height_); }

    std::size_t size() const noexcept { return frame_.agents; }
    std::size_t ghosts() const noexcept { return frame_.ghost_count; }
    std::size_t id_bound() const noexcept { return frame_.id_bound; }

    // Calls use(row, first, end) for the agents [begin, end) in that order, piece by piece.
    template <class Use>
    void each_piece(const parallel::Range& range, Use&& use) const noexcept {
        if (!passes_over_) return each_piece_of_all(range, use);
        each_piece_of_all(range, [&](const simd::Row& row, std::uint32_t i, std::uint32_t end) {
            const AgentId* ids = RowArrays(row).id;
            while (i < end) {
                while (i < end && frame_.ghosts.has(ids[i])) ++i;
                const std::uint32_t first = i;
                while (i < end && !frame_.ghosts.has(ids[i])) ++i;
                if (first < i) use(row, first, i);
            }
        });
    }
    // How many of a range are wanted.
    std::size_t wanted_in(const parallel::Range& range) const noexcept {
        std::size_t count = 0;
        const simd::GhostIds ghosts = frame_.ghosts;
        each_piece_of_all(range, [&](const simd::Row& row, std::uint32_t i, std::uint32_t end) {
            const AgentId* const ids = RowArrays(row).id;
            if (!passes_over_)
                count += end - i;
            else if (ghosts.is_range())  // without a branch that depends on it
                for (const std::uint32_t some = ghosts.bound - ghosts.lowest; i < end; ++i)
                    count += ids[i] - ghosts.lowest >= some;
            else
                for (; i < end; ++i) count += !ghosts.has(ids[i]);
        });
        return count;
    }
    // The range that contains a range of the wanted agents.
    parallel::Range range_of_wanted(const parallel::Range& wanted) const noexcept {
        if (!passes_over_) return wanted;
        parallel::Range range{0, 0};
        std::size_t at = 0, owned = 0;
        each_piece_of_all({0, size()}, [&](const simd::Row& row, std::uint32_t i, std::uint32_t end) {
            for (const AgentId* ids = RowArrays(row).id; i < end; ++i, ++at) {
                if (owned == wanted.end || frame_.ghosts.has(ids[i])) continue;
                if (owned++ == wanted.begin) range.begin = at;
                range.end = at + 1;
            }
        });
        return range;
    }

    // Their ids, to `to`.
    void ids(const parallel::Range& range, AgentId* to) const noexcept {
        each_piece(range, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            to = std::copy_n(RowArrays(row).id + first, end - first, to);
        });
    }
    struct Centres {
        alignas(64) float x[sites_at_once + simd::gap], y[sites_at_once + simd::gap];
    };
    // Calls use(queriers) for the same, `sites_at_once` or fewer at a time, until it returns false. They are
    // left out of their own lists if `leaves_out`.
    template <class Use>
    bool each(const parallel::Range& range, bool leaves_out, Use&& use) const noexcept {
        Centres centres;
        bool more = true;
        each_piece(range, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            for (; more && first < end; first += sites_at_once) {
                const std::uint32_t count = std::min(sites_at_once, end - first);
                more = use(queriers(row, first, count, leaves_out, centres));
            }
        });
        return more;
    }
    // Some agents of a row.
    simd::Queriers queriers(const simd::Row& row, std::uint32_t first, std::uint32_t count, bool leaves_out,
                            Centres& centres) const noexcept {
        frame_.kernels->neighbours->centres_in_row(row, first, count, centres.x, centres.y);
        const AgentId* const ids = RowArrays(row).id + first;
        simd::Queriers some{centres.x, centres.y, ids, leaves_out ? ids : nullptr, count};
        if (by_height_) {
            const RowHeights heights(row);
            some.min_z = heights.min_z + first;
            some.max_z = heights.max_z + first;
        }
        return some;
    }

    // The same for owned agents, with few ghosts between them, so that searches that share what they look at
    // stay together. Such a ghost has the number `nowhere`, or its own if that is `no_id`. The number of an
    // agent is its id or, with a table of `ranks`, the one there.
    template <class Use>
    bool each_with_few_ghosts(const parallel::Range& range, bool leaves_out, std::uint32_t nowhere,
                              const std::uint32_t* ranks, const Use& use) const noexcept {
        Centres centres;
        std::uint32_t numbers[sites_at_once];
        const simd::GhostIds ghosts = frame_.ghosts;
        bool more = true;
        each_piece_of_all(range, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            const AgentId* const ids = RowArrays(row).id;
            while (more) {
                while (first < end && ghosts.has(ids[first])) ++first;
                if (first == end) return;
                // Up to the last owned agent with only a few ghosts right before it, and no more ghosts in
                // all than owned agents.
                std::uint32_t seen = 0, count = 0, owned = 0;
                const std::uint32_t most = std::min(sites_at_once, end - first);
                while (seen < most && seen - count <= few_ghosts && seen <= 2 * owned) {
                    const AgentId id = ids[first + seen];
                    const bool is_ghost = ghosts.has(id);
                    numbers[seen++] = is_ghost && nowhere != simd::no_id ? nowhere : id;
                    count = is_ghost ? count : seen;
                    owned += !is_ghost;
                }
                for (std::uint32_t i = 0; ranks != nullptr && i < count; ++i)
                    if (const AgentId id = ids[first + i]; !ghosts.has(id)) numbers[i] = ranks[id];
                simd::Queriers some = queriers(row, first, count, leaves_out, centres);
                some.number = numbers;
                more = use(some);
                first += count;
            }
        });
        return more;
    }

private:
    static constexpr std::uint32_t few_ghosts = 8;

    template <class Use>
    void each_piece_of_all(const parallel::Range& range, Use&& use) const noexcept {
        std::size_t before = 0;
        const auto piece = [&](const simd::Row& row) {
            const std::size_t agents = common_agents_in(row), from = std::max(range.begin, before),
                              to = std::min(range.end, before + agents);
            if (from < to)
                for_each_run(row, from - before, to - before,
                             [&](std::uint32_t begin, std::uint32_t end) { use(row, begin, end); });
            before += agents;
        };
        for (const simd::Row& row : frame_.rows) piece(row);
        if (frame_.view.oversized.count == 0) return;
        for (std::uint32_t g = 0; g < grove_count(frame_); ++g) piece(grove_at(frame_, g).oversized);
    }

    const FrameState& frame_;
    const bool passes_over_, by_height_;
};

// Stands for a site without a search: it has an extent, which no point has.
inline constexpr simd::Query no_point{0, 0, 1, 1};

// Calls use(queriers) for points, which are boxes without an extent; others are passed over. `number_of(i)`
// is the number of point i, and its heights are those of that number, unless `heights` is null.
template <class PointOf, class NumberOf, class Use>
void each_point(std::size_t count, PointOf&& point_of, NumberOf&& number_of, const Band* heights,
                Use&& use) noexcept {
    alignas(64) float x[sites_at_once + simd::gap], y[sites_at_once + simd::gap];
    float min_z[sites_at_once], max_z[sites_at_once];
    std::uint32_t numbers[sites_at_once], waiting = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& point = point_of(i);
        x[waiting] = point.min_x;
        y[waiting] = point.min_y;
        numbers[waiting] = number_of(i);
        if (heights != nullptr) {
            min_z[waiting] = heights[numbers[waiting]].min_z;
            max_z[waiting] = heights[numbers[waiting]].max_z;
        }
        waiting += !(point.min_x < point.max_x);
        if (waiting == sites_at_once || (i + 1 == count && waiting != 0)) {
            simd::Queriers some{x, y, numbers, nullptr, waiting};
            if (heights != nullptr) some.min_z = min_z, some.max_z = max_z;
            use(some);
            waiting = 0;
        }
    }
}

// --- Searches ---

// The same as below if all agents are in the tree: as densely as in the densest node around the point that
// has enough. Outside of all nodes it is the height of the world.
THRONG_NOINLINE inline float likely_radius_in_tree(const simd::View& view, const Point& point,
                                                   std::uint32_t wanted) noexcept {
    const auto count = static_cast<float>(wanted);
    const float room = (count + 3.5f * std::sqrt(count)) / std::numbers::pi_v<float>;
    float least = 1.0f / view.grid.inverse_height;
    const auto look = [&](const simd::Node* nodes, std::uint32_t node_count, const auto& agents_before,
                          const auto& look_into) {
        for (std::uint32_t i = 0; i < node_count;) {
            const simd::Node& node = nodes[i];
            const std::uint32_t agents = agents_before(node.end) - agents_before(node.begin);
            const bool is_around = node.min_x <= point.x && node.min_y <= point.y &&
                                   point.x <= -node.negated_max_x && point.y <= -node.negated_max_y &&
                                   agents >= wanted;
            i = is_around ? i + 1 : node.next;
            if (!is_around) continue;
            const float side = -0.5f * (node.min_x + node.negated_max_x + node.min_y + node.negated_max_y);
            least = std::min(least, side * std::sqrt(room / static_cast<float>(agents)));
            look_into(node);
        }
    };
    const auto slots = [](std::uint32_t slot) { return slot; };
    const auto nothing = [](const simd::Node&) {};
    const auto before_grove = [&](std::uint32_t grove) {
        return grove == view.grove_bounds.count ? view.oversized.count : view.groves[grove].first;
    };
    if (view.groves == nullptr)
        look(view.nodes, view.node_count, slots, nothing);
    else
        look(view.nodes, view.node_count, before_grove, [&](const simd::Node& node) {
            const simd::Grove& grove = view.groves[node.begin];
            if (node.end - node.begin == 1) look(grove.nodes, grove.node_count, slots, nothing);
        });
    return least;
}

// The radius in which the nearest are looked for first; later circles follow from the answers before. With
// room for chance, it holds as many as wanted if agents stand as densely as in the cells around the point, or
// as in the whole grid if there are none.
inline float likely_radius(const FrameState& frame, const Point& point, std::uint32_t wanted) noexcept {
    const simd::View& view = frame.view_of(frame.map.region_at(point.x, point.y));
    const simd::Grid& grid = view.grid;
    const float height = 1.0f / grid.inverse_height;
    const float row = (point.y - grid.origin_y) * grid.inverse_height,
                column = (point.x - grid.origin_x) * grid.inverse_width;
    float agents = 0, cells = 1;
    if (0 <= row && row <= grid.last_row && 0 <= column && column <= grid.last_column) {
        const simd::Row& here = view.rows[static_cast<std::size_t>(row)];
        constexpr std::uint32_t beside = 2;
        const auto at = static_cast<std::uint32_t>(column);
        const std::uint32_t first = at < beside ? 0 : at - beside,
                            end = std::min(at + beside + 1, grid.columns);
        if (here.count != 0) agents = static_cast<float>(here.cells[end] - here.cells[first]);
        cells = static_cast<float>(end - first);
    }
    if (agents == 0) {
        if (frame.view.islands != nullptr) return height;
        if (frame.agents == frame.view.oversized.count) return likely_radius_in_tree(view, point, wanted);
        agents = static_cast<float>(frame.agents - frame.view.oversized.count);
        cells = static_cast<float>(grid.columns) * static_cast<float>(grid.rows);
    }
    const auto count = static_cast<float>(wanted);
    const float area = (count + 3.5f * std::sqrt(count)) * cells /
                       (agents * std::numbers::pi_v<float> * grid.inverse_width * grid.inverse_height);
    return area > 0 && area < std::numeric_limits<float>::max() ? std::sqrt(area) : height;
}

// Searches around sites, one after the other, and leaves the circle for the next ones in `output`.
inline void search_sites(const FrameState& frame, const simd::LabelFilters& filters,
                         const simd::Queriers& queriers, const simd::NeighbourQuery& query,
                         simd::NeighbourOutput& output) noexcept {
    if (query.max_count != 0 && output.guess == 0)
        output.guess = likely_radius(frame, {queriers.x[0], queriers.y[0]}, query.max_count);
    frame.kernels->neighbours->around(frame.view, filters, queriers, query, output);
}

// For list after list to one sink, without headers.
inline simd::NeighbourOutput lists_to(simd::ListSink& sink, std::uint64_t* ends) noexcept {
    return {.sinks = &sink, .ends = ends};
}
// Searches around sites, and calls use(i, at) for each neighbour of site i. Its id is number `at` in that
// stream of `space`, and so is its squared distance in the stream of distances, if wanted. Returns false if
// `use` does, or if there is no memory.
template <class Use>
bool each_neighbour(const FrameState& frame, const simd::Queriers& sites, const simd::NeighbourQuery& query,
                    std::size_t stream, AnswerSpace& space, std::atomic<bool>& out_of_memory,
                    const Use& use) noexcept {
    KeepLists keep(&space.streams[stream], &out_of_memory,
                   query.distances ? &space.distances[stream] : nullptr);
    simd::ListSink sink{};
    if (!resize_amply(space.ends, sites.count) || !keep.open(sink, 0)) return false;
    simd::NeighbourOutput output = lists_to(sink, space.ends.data());
    search_sites(frame, {}, sites, query, output);
    if (!keep.close_amply(sink)) return false;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < sites.count; ++i)
        for (const std::uint64_t behind = space.ends[i]; at < behind; ++at)
            if (!use(i, at)) return false;
    return true;
}

}  // namespace throng::detail
