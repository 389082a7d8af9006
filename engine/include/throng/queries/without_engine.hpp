// A few queries, straight on the host's arrays: for a tool, a test, a host that needs an answer once, or
// frames with too few queries for an engine to pay.
//
//     status = throng::overlaps(boxes, queries, hits);        // which boxes overlap each query
//     status = throng::count(boxes, queries, counts);         // how many
//     status = throng::any(boxes, queries, answers);          // whether any: a byte for each query, 1 or 0
//     status = throng::neighbours(boxes, points, {.radius = 2}, lists);
//     status = throng::neighbours(boxes, points, {.count = 8}, lists, {.executor = executor});
//
// The answers are those of `engine.update(boxes)` and the same call on its frame, and an id is a place in
// `boxes`, as there. Only the order is another: each list is in ascending order of ids, and the nearest are
// sorted by distance and then by id.
//
// A call reads all boxes once, and compares each with the queries near it only: the queries are in a grid,
// unless they are very few, or in a grid would be compared with more. It takes memory for the queries, the
// answers and the boxes that may be near a point, and gives back all but the answers. Where an engine would
// be cheaper than to compare all boxes with all queries, the call makes one for itself, sorts its answers,
// and drops it. A host that asks so much every frame should keep one.
//
// All is as in the calls of a frame (frame.hpp): boxes, queries and points are read where they lie; the work
// runs on the executor; nothing depends on it, on the number of threads or on the instruction set; nothing is
// thrown. What is not legal is refused: the status names the lowest element, with Argument::queries for a
// query or a point, and with Argument::boxes for a box, which is looked at after all queries are. A call that
// failed leaves lists empty, and counts and answers as they were, unless it was the executor that failed.
// What `Within` and `Nearest` allow for points is allowed here. Any thread may call these functions at any
// time.
#pragma once

#include <cstdint>
#include <span>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/isa.hpp"
#include "throng/memory.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/points.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"

namespace throng {

struct ArrayQueryConfig {
    Executor executor = default_executor();
    // The source of memory for the time of the call; null is the global heap. One call is made to it at a
    // time, though not always from the same thread. Answers are in the memory of their own objects.
    MemoryResource* memory = nullptr;
    Isa isa = Isa::automatic;
};

// Which boxes overlap each query. As Frame::overlaps.
THRONG_API Status overlaps(const Boxes& boxes, const Boxes& queries, OverlapLists& hits,
                           const ArrayQueryConfig& config = {}) noexcept;
// How many. As Frame::count: where there is room for more counts, the rest stays as it is.
THRONG_API Status count(const Boxes& boxes, const Boxes& queries, std::span<std::uint32_t> counts,
                        const ArrayQueryConfig& config = {}) noexcept;
// Whether any does. As Frame::any.
THRONG_API Status any(const Boxes& boxes, const Boxes& queries, std::span<std::uint8_t> answers,
                      const ArrayQueryConfig& config = {}) noexcept;
// Which boxes are within a radius of each point, and which are the nearest. As Frame::neighbours.
THRONG_API Status neighbours(const Boxes& boxes, const Points& points, const Within& wanted,
                             NeighbourLists& lists, const ArrayQueryConfig& config = {}) noexcept;
THRONG_API Status neighbours(const Boxes& boxes, const Points& points, const Nearest& wanted,
                             NeighbourLists& lists, const ArrayQueryConfig& config = {}) noexcept;

}  // namespace throng
