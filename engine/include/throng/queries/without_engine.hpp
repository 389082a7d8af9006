// A few queries straight on the host's arrays: for a tool, a test, an answer that is needed once, or frames
// with too few queries to make an engine worthwhile.
//
//     status = throng::overlaps(boxes, queries, hits);        // which boxes overlap each query
//     status = throng::count(boxes, queries, counts);         // how many
//     status = throng::any(boxes, queries, answers);          // whether any: a byte for each query, 1 or 0
//     status = throng::neighbours(boxes, points, {.radius = 2}, lists);
//     status = throng::neighbours(boxes, points, {.count = 8}, lists, {.executor = executor});
//
// The answers are those of `engine.update(boxes)` and the same call on its frame; an id is a place in
// `boxes`. Only the order differs: lists are in order of ids, the nearest by distance, then by id.
//
// A call reads all boxes once and compares each only with the queries near it, through a grid of the queries.
// If they are very few, or a grid would mean more comparisons, it does without the grid. It takes memory for
// the queries, the answers and the boxes that may be near a point, and gives back all but the answers. If an
// engine is cheaper, the call makes one for itself, sorts its answers, and drops it. A host that asks so much
// every frame should keep an engine.
//
// The rest is as in the calls of a frame (frame.hpp): boxes, queries and points are read where they lie, the
// work runs on the executor, nothing throws, and answers do not depend on the executor, the number of threads
// or the instruction set. Illegal input is refused; the status names the lowest element, with
// Argument::queries for a query or a point, and else, if all queries are legal, with Argument::boxes for a
// box. A failed call leaves lists empty, and counts and answers as they were, unless the executor failed.
// `Within` and `Nearest` may have what they may have for points. Any thread may call these functions.
#pragma once

#include <cstdint>
#include <span>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/isa.hpp"
#include "throng/memory.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"

namespace throng {

struct ArrayQueryConfig {
    Executor executor = default_executor();
    // The source of memory during the call; null is the global heap. It is called by one thread at a time,
    // but not always by the same one. Answers are in the memory of their own objects.
    MemoryResource* memory = nullptr;
    Isa isa = Isa::automatic;
};

// Which boxes overlap each query. As Frame::overlaps.
THRONG_API Status overlaps(const Boxes& boxes, const Boxes& queries, OverlapLists& hits,
                           const ArrayQueryConfig& config = {}) noexcept;
// How many. As Frame::count: further counts stay as they are.
THRONG_API Status count(const Boxes& boxes, const Boxes& queries, std::span<std::uint32_t> counts,
                        const ArrayQueryConfig& config = {}) noexcept;
// Whether any box does. As Frame::any.
THRONG_API Status any(const Boxes& boxes, const Boxes& queries, std::span<std::uint8_t> answers,
                      const ArrayQueryConfig& config = {}) noexcept;
// Which boxes are within a radius of each point, and which are the nearest. As Frame::neighbours.
THRONG_API Status neighbours(const Boxes& boxes, const Points& points, const Within& wanted,
                             NeighbourLists& lists, const ArrayQueryConfig& config = {}) noexcept;
THRONG_API Status neighbours(const Boxes& boxes, const Points& points, const Nearest& wanted,
                             NeighbourLists& lists, const ArrayQueryConfig& config = {}) noexcept;

}  // namespace throng
