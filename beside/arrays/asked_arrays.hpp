// What the calls of queries/without_engine.hpp share: what they refuse, the queries in one array, and the
// engine that takes over if a pass would take longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/box_reader.hpp"
#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "beside/arrays/box_pass.hpp"
#include "beside/arrays/query_index.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "simd/kernels.hpp"
#include "throng/engine.hpp"
#include "throng/queries/without_engine.hpp"

namespace throng::detail {

// The inside of results.
struct ListParts {
    template <class Lists>
    static Buffer<std::uint64_t>& offsets(Lists& lists) noexcept {
        return lists.offsets_;
    }
    template <class Lists>
    static Buffer<AgentId>& ids(Lists& lists) noexcept {
        return lists.answers_;
    }
    static Buffer<float>& distances(NeighbourLists& lists) noexcept { return lists.distances_; }
};

// The checks before anything is read.
inline Status check_arrays(const Boxes& boxes, const Boxes& queries, const ArrayQueryConfig& config,
                           const simd::Kernels*& kernels) noexcept {
    if (config.executor.parallel_for == nullptr && config.executor.workers > 1)
        return {Code::bad_config, Argument::executor};
    if (const Status bad = find_kernels(config.isa, kernels); !bad.ok()) return bad;
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::queries};
    if (boxes.size() > max_agents) return {Code::too_many, max_agents, Argument::boxes};
    if (queries.size() > max_agents) return {Code::too_many, max_agents, Argument::queries};
    return {};
}

// The queries in one array; names the first illegal one.
inline Status read_queries(const Boxes& queries, Buffer<simd::Query>& to) noexcept {
    if (!to.resize(queries.size())) return {Code::out_of_memory};
    const BoxAt box_at(queries);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const Box box = box_at(i);
        if (const Code bad = check(box); bad != Code::ok) return {bad, i, Argument::queries};
        to[i] = query_of(box);
    }
    return {};
}

// Calls ask(frame) with an engine for the time of one call. The elements that it refuses are boxes.
template <class Ask>
Status ask_an_engine(const Boxes& boxes, const ArrayQueryConfig& config, const Ask& ask) noexcept {
    Engine engine({.executor = config.executor, .memory = config.memory, .isa = config.isa});
    Status status = engine.status();
    if (status.ok()) status = engine.update(boxes);
    return status.ok() ? ask(engine.frame()) : status;
}

// Calls take(pass) with a pass over the boxes that has not run yet, or ask(frame) if that takes less time.
template <class Ask, class Take>
Status ask_all(const Boxes& boxes, std::span<const simd::Query> queries, QueryIndex::Wanted wanted,
               const ArrayQueryConfig& config, const simd::Kernels& kernels, HostMemory& memory,
               const Ask& ask, const Take& take) noexcept {
    QueryIndex index(&memory);
    if (!index.make(queries, boxes, wanted)) return {Code::out_of_memory};
    if (index.is_slower_than_an_engine()) return ask_an_engine(boxes, config, ask);
    BoxPass pass(kernels, config.executor, boxes, index, memory);
    return take(pass);
}

}  // namespace throng::detail
