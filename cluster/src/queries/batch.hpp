// What batches of shapes and of casts have in common: from the caller's queries to what this rank's frame
// is asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/src/queries/inquiry.hpp"
#include "cluster/src/queries/query.hpp"
#include "cluster/src/world/cluster_state.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/labels.hpp"

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
        std::size_t words = 1;
        Status bad = fault.ok() ? fault_of_filters(count) : fault;
        for (std::size_t q = 0; bad.ok() && q < count; ++q) words = std::max(words, query(q).words());
        const ClusterStatus refused = inquiry.agree_on(bad, words, words);
        if (!refused.ok()) return refused;
        inquiry.ask(
            count, words,
            [&](std::size_t q) {
                return state.partition.touched(query(q).bounds(), 0,
                                               {state.touched.data(), state.touched.size()});
            },
            [&](std::size_t q, Word* at) { pack(query(q), q, at); });
        read_heads();
        return {};
    }
    // Whether this rank is the one that answers the q-th query for an agent.
    bool answers(std::size_t q, AgentId agent) const noexcept {
        const World& world = state.now;
        return state.ranks.size() == 1 ||
               answers_for(mine_, bounds[q], world.agents.boxes[world.element(agent)]);
    }

    ClusterState& state;
    Inquiry inquiry;

private:
    Status fault_of_filters(std::size_t count) const noexcept;
    void pack(Query query, std::size_t q, Word* at) const noexcept;
    void read_heads() noexcept;

    const Filters filters_;
    const std::span<const GlobalId> selves_;

public:
    throng::detail::Buffer<Filter> local_filters;
    throng::detail::Buffer<Box> bounds;

private:
    const Box mine_;
};

}  // namespace throng::cluster::detail
