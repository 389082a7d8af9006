// What the calls of queries/without_engine.hpp share: what they refuse, the queries in one array, the
// engine that takes over if a pass would take longer, and the order of its lists.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/blocks.hpp"
#include "base/box_reader.hpp"
#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "beside/arrays/box_pass.hpp"
#include "beside/arrays/query_index.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "parallel/blocks.hpp"
#include "simd/kernels.hpp"
#include "throng/compiler.hpp"
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

// What find() has found, or no list if it failed.
template <class Lists, class Find>
Status found_or_none(Lists& lists, const Find& find) noexcept {
    lists.clear();
    const Status status = find();
    if (!status.ok()) lists.clear();
    return status;
}

// --- The lists of a frame, in ascending order of ids ---

// Sorts lists of ids below `bound`, each once. If a list has a good part of all ids, it is read off their
// bits.
class ListSorter {
public:
    ListSorter(std::size_t bound, HostMemory& memory) noexcept : bound_(bound), bits_(&memory) {}

    // Returns false if there is no memory.
    bool sort(std::span<AgentId> list) noexcept {
        constexpr std::size_t ids_an_answer = 64;
        if (list.size() < bound_ / ids_an_answer + 64) {
            std::sort(list.begin(), list.end());
            return true;
        }
        bits_.clear();
        if (!bits_.resize(bound_ / 64 + 1, std::uint64_t{0})) return false;
        for (const AgentId id : list) bits_[id / 64] |= std::uint64_t{1} << id % 64;
        AgentId* to = list.data();
        for (std::size_t w = 0; w < bits_.size(); ++w)
            for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1)
                *to++ = static_cast<AgentId>(64 * w + lowest_bit(word));
        return true;
    }

private:
    const std::size_t bound_;
    Buffer<std::uint64_t> bits_;
};

inline Status sort_lists(const Executor& executor, std::size_t bound, std::span<const std::uint64_t> offsets,
                         Buffer<AgentId>& ids, HostMemory& memory) noexcept {
    constexpr std::size_t lists_in_a_block = 64;
    std::atomic<bool> out_of_memory{false};
    const parallel::Ran ran = parallel::for_ranges(
        executor, offsets.size() - 1, lists_in_a_block, [&](const parallel::Range& part) {
            ListSorter sorter(bound, memory);
            for (std::size_t i = part.begin; i < part.end; ++i) {
                const auto begin = static_cast<std::size_t>(offsets[i]);
                if (!sorter.sort({ids.data() + begin, static_cast<std::size_t>(offsets[i + 1]) - begin}))
                    out_of_memory.store(true, std::memory_order_relaxed);
            }
        });
    return outcome(ran, out_of_memory);
}

}  // namespace throng::detail
