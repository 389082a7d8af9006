// What batches of shapes and of casts have in common: from the caller's queries to what this rank's frame
// is asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/src/inquiries/inquiry.hpp"
#include "cluster/src/inquiries/query.hpp"
#include "cluster/src/world/cluster_state.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

class Batch {
public:
    Batch(ClusterState& of, const Filters& filters, std::span<const GlobalId> selves) noexcept
        : state(of),
          inquiry(of),
          filters_(filters),
          selves_(selves),
          local_filters(of.memory),
          bounds(of.memory),
          mine_(of.partition.domains()[static_cast<std::size_t>(of.rank())]) {}

    // `query(q)` is the caller's q-th, and `fault` what is wrong with them. If any rank may not ask, all
    // get its status, and otherwise what each was asked is in `inquiry`, with the filters and bounds of it.
    template <class Read>
    ClusterStatus ask(std::size_t count, const Status& fault, const Read& query) noexcept {
        return ask(count, fault, 0, query, [&](const Query& one) { return touched_by(one); });
    }
    // The same where `shared` must be the same on all ranks. `route(query)` are the ranks that one goes to.
    template <class Read, class Route>
    ClusterStatus ask(std::size_t count, const Status& fault, std::uint64_t shared, const Read& query,
                      const Route& route) noexcept {
        std::size_t words = 1;
        const Status bad = fault.ok() ? fault_of_filters(count) : fault;
        for (std::size_t q = 0; bad.ok() && q < count; ++q)
            words = std::max(words, with_filter(query(q), q).words());
        const Summary all = state.begin(bad, shared, words);
        if (!all.fault.ok()) return all.fault;
        inquiry.ask(
            count, static_cast<std::size_t>(all.busiest), [&](std::size_t q) { return route(query(q)); },
            [&](std::size_t q, Word* at) { with_filter(query(q), q).pack(at); });
        read_heads();
        return {};
    }
    // The ranks whose parts a query touches.
    std::span<const int> touched_by(const Query& query) const noexcept {
        return state.partition.touched(query.bounds(), state.plane.rounding_of_queries(),
                                       {state.touched.data(), state.touched.size()});
    }
    Status fault_of_filters(std::size_t count) const noexcept;
    // Reads the filters and bounds of what this rank was asked.
    void read_heads() noexcept;
    // The filter of a query, for the local frame.
    Filter local_filter(const Query& query) const noexcept {
        const Query::Head& head = query.head;
        return {head.categories, head.leaves_out_self != 0 ? state.now.find(head.self) : no_agent,
                head.not_in_group, query.band()};
    }
    // Whether this rank is the one that answers the q-th query for an agent.
    bool answers(std::size_t q, AgentId agent) const noexcept {
        const World& world = state.now;
        return state.ranks.size() == 1 || state.plane.answers(mine_, bounds[q], world.agents.boxes[agent]);
    }

    ClusterState& state;
    Inquiry inquiry;

private:
    Query with_filter(Query query, std::size_t q) const noexcept;

    const Filters filters_;
    const std::span<const GlobalId> selves_;

public:
    throng::detail::Buffer<Filter> local_filters;
    throng::detail::Buffer<Box> bounds;

private:
    const Box mine_;
};

// Which of its caller's queries the q-th is that was asked.
inline std::uint32_t number_of(const Batch& batch, std::size_t q) noexcept {
    return Query(batch.inquiry.query(q)).head.query;
}

}  // namespace throng::cluster::detail
