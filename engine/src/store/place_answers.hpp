// How batches put together what their blocks found: hits (engine/src/query/batch_hits.hpp) and lists of
// neighbours (engine/src/neighbours/list_batch.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/outcome.hpp"
#include "engine/src/memory/scratch.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Appends the answers of blocks, each in the first stream of its space, block after block. `ends` gets where each list ends.
// copy(space, begin) copies those of one space to their place.
template <class Result, class Copy>
Status place_in_turn(const Executor& executor, std::span<AnswerSpace* const> blocks, Result& result,
                     std::uint64_t* ends, const Copy& copy) noexcept {
    std::uint64_t total = result.found;
    for (const AnswerSpace* block : blocks) total += block->streams[0].size();
    if (!result.grow(total)) return {Code::out_of_memory};
    const bool ran = parallel::for_blocks(executor, blocks.size(), [&](std::size_t b) {
        std::uint64_t begin = result.found;
        std::size_t first = 0;
        for (const AnswerSpace* before : blocks.first(b)) {
            begin += before->streams[0].size();
            first += before->ends.size();
        }
        const AnswerSpace& space = *blocks[b];
        for (std::size_t q = 0; q < space.ends.size(); ++q) ends[first + q] = begin + space.ends[q];
        if (space.streams[0].size() != 0) copy(space, begin);
    });
    result.found = total;
    return outcome(ran);
}

// Appends the answers of parts. A part is a range of the queries, and size_of(part) is how many answers it has in the streams
// of all blocks. place(part, begin, end, space) puts these to [begin, end) with a work space for which ready(space) was true; both
// return false if there is no memory.
template <class Result, class SizeOf, class Ready, class Place>
Status place_parts(const FrameState& frame, const Executor& executor, std::size_t parts, Result& result,
                   const SizeOf& size_of, const Ready& ready, const Place& place) noexcept {
    std::uint64_t begin_of[AnswerSpace::max_streams + 1];
    begin_of[0] = result.found;
    for (std::size_t p = 0; p < parts; ++p) begin_of[p + 1] = begin_of[p] + size_of(p);
    Pool<AnswerSpace>& spaces = frame.store->answer_spaces;
    if (!spaces.prepare(parallel::at_once(executor, parts), ready) || !result.grow(begin_of[parts]))
        return {Code::out_of_memory};
    std::atomic<bool> out_of_memory{false};
    const bool ran = parallel::for_blocks(executor, parts, [&](std::size_t p) {
        const Lease<AnswerSpace> space(spaces);
        if (!space || !ready(*space) || !place(p, begin_of[p], begin_of[p + 1], *space))
            out_of_memory.store(true, std::memory_order_relaxed);
    });
    if (const Status bad = outcome(ran, out_of_memory); !bad.ok()) return bad;
    result.found = begin_of[parts];
    return {};
}

}  // namespace throng::detail
