// For agents with radii of their own, where either one's radius may reach the other: finds agents that only
// the other's radius reaches. Each agent searches with its own radius. If it finds an agent that does not see
// it, it is an addition to that agent's list.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/neighbours/list_sinks.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "throng/labels.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::detail {

class Reaching {
public:
    // `least` is the least radius of all: an agent with that radius sees only agents that see it.
    Reaching(const FrameState& frame, const Neighbourhood& wanted, const Filters& filters,
             float least) noexcept
        : frame_(frame), sites_(frame), wanted_(wanted), filters_(filters), least_(least) {}

    // Calls add(to, id, squared distance) for the additions to other lists by the agents of a range, ghosts
    // too, in their order, until it returns false. Returns false if there is no memory.
    template <class Add>
    bool each_addition(const parallel::Range& range, AnswerSpace& space, const Add& add) const noexcept {
        std::atomic<bool> out_of_memory{false};
        bool more = true;
        sites_.each_piece(range, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            const AgentId* ids = RowArrays(row).id;
            while (more && first < end) {
                // Neighbours that reach further than the least radius.
                while (first < end && !(wanted_.radii[ids[first]] > least_)) ++first;
                std::uint32_t last = first;
                while (last < end && last - first < sites_at_once && wanted_.radii[ids[last]] > least_)
                    ++last;
                more = first == last || search(row, first, last, space, out_of_memory, add);
                first = last;
            }
        });
        return more;
    }

private:
    template <class Add>
    bool search(const simd::Row& row, std::uint32_t first, std::uint32_t end, AnswerSpace& space,
                std::atomic<bool>& out_of_memory, const Add& add) const noexcept {
        const simd::NeighbourQuery query{.radii = wanted_.radii.data(), .distances = true};
        alignas(64) float x[sites_at_once + simd::gap], y[sites_at_once + simd::gap];
        const AgentId* ids = RowArrays(row).id + first;
        frame_.kernels->neighbours->centres_in_row(row, first, end - first, x, y);
        simd::Queriers some{x, y, ids, ids, end - first};
        if (frame_.has_heights()) {
            const RowHeights heights(row);
            some.min_z = heights.min_z + first;
            some.max_z = heights.max_z + first;
        }
        return each_neighbour(
            frame_, some, query, 0, space, out_of_memory, [&](std::uint32_t i, std::size_t at) {
                const AgentId other = space.streams[0][at];
                const float distance = space.distances[0][at];
                return !belongs(row, first + i, other, distance) || add(other, ids[i], distance);
            });
    }
    // Whether agent i of a row belongs into the list of another one, which does not see it.
    bool belongs(const simd::Row& row, std::uint32_t i, AgentId other, float distance) const noexcept {
        const AgentId id = RowArrays(row).id[i];
        const float radius = wanted_.radii[other];
        if (distance <= radius * radius || (wanted_.half && id < other) || frame_.ghosts.has(other))
            return false;
        const Traits traits = traits_in(row, frame_.extras, i);
        return filters_[other].admits(id, traits.label, traits.height);
    }

    const FrameState& frame_;
    const AgentSites sites_;
    const Neighbourhood& wanted_;
    const Filters& filters_;
    const float least_;
};

}  // namespace throng::detail
