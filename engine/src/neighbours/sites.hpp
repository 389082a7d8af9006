// The sites of searches, as the kernels take them: some at a time, in an order in which neighbours in the
// list are neighbours in the world.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "parallel/blocks.hpp"
#include "simd/box_tree.hpp"
#include "simd/neighbour_kernels.hpp"
#include "simd/types.hpp"

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
    // Calls use(queriers) for the same, `sites_at_once` or fewer at a time, until it returns false. They are
    // left out of their own lists if `leaves_out`.
    template <class Use>
    bool each(const parallel::Range& range, bool leaves_out, Use&& use) const noexcept {
        alignas(64) float x[sites_at_once + simd::gap], y[sites_at_once + simd::gap];
        bool more = true;
        each_piece(range, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            const AgentId* ids = RowArrays(row).id;
            for (; more && first < end; first += sites_at_once) {
                const std::uint32_t count = std::min(sites_at_once, end - first);
                frame_.kernels->neighbours->centres_in_row(row, first, count, x, y);
                simd::Queriers some{x, y, ids + first, leaves_out ? ids + first : nullptr, count};
                if (by_height_) {
                    const RowHeights heights(row);
                    some.min_z = heights.min_z + first;
                    some.max_z = heights.max_z + first;
                }
                more = use(some);
            }
        });
        return more;
    }

    // The same for owned agents, with few ghosts between them, so that searches that share what they look at
    // stay together. Such a ghost has the number `nowhere`, or its own if that is `no_id`.
    template <class Use>
    bool each_with_few_ghosts(const parallel::Range& range, bool leaves_out, std::uint32_t nowhere,
                              const Use& use) const noexcept {
        alignas(64) float x[sites_at_once + simd::gap], y[sites_at_once + simd::gap];
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
                frame_.kernels->neighbours->centres_in_row(row, first, count, x, y);
                simd::Queriers some{x, y, numbers, leaves_out ? ids + first : nullptr, count};
                if (by_height_) {
                    const RowHeights heights(row);
                    some.min_z = heights.min_z + first;
                    some.max_z = heights.max_z + first;
                }
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

}  // namespace throng::detail
