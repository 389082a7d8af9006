// The lists of neighbours of the agents with some of the ids, in their own frame or another. They are searched like
// points, sorted into packets, since agents with neighbouring ids may be anywhere.
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/agent_table.hpp"
#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/packets.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::detail {

class ListsById {
public:
    // Of the ids [first, first + count) of the frame that `agents` is the table of; `same` says whether it is the one that
    // is searched. `wanted` and `filters` are for all ids.
    ListsById(const FrameState& searched, const AgentTable& agents, bool same, const Executor& executor,
              const Neighbourhood& wanted, const FilterBatch& filters, std::size_t first,
              std::size_t count) noexcept;

    // In their own frame lists have at first the agents that they belong to, and with `half` both of each pair:
    // searches leave out an agent by its place in a row, and compare ids with numbers, which begin at 0 here. So one
    // more is looked for as the nearest.
    Status make(ListResult& result) const noexcept;
    // Then this leaves only what was wanted.
    void trim(ListResult& result) const noexcept;

private:
    bool read_centres(simd::Query* to) const noexcept;
    void search(const simd::Record* records, std::size_t count, simd::NeighbourOutput& output) const noexcept;

    const FrameState& searched_;
    const AgentTable& agents_;
    const Executor& executor_;
    simd::NeighbourQuery query_;
    simd::LabelFilters filters_;
    const Neighbourhood& wanted_;
    const bool leaves_out_;
    const std::size_t first_, count_;
};

}  // namespace throng::detail
