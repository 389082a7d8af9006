// For a batch with too many answers to hold at once: they come in blocks, in the caller's order.
//
//     throng::OverlapLists block;    // kept by the host from frame to frame
//     status = frame.for_each_answer(boxes, block, [&](std::size_t first, const throng::OverlapLists& some) {
//         for (std::size_t i = 0; i < some.size(); ++i) use(first + i, some[i]);    // of query first + i
//     }, {.max_bytes = 1 << 24});
//
// A block has as many whole answers as fit, judged by the blocks before. Only a block with a single query,
// whose answer alone is too large, exceeds the bound. The search takes as much again.
//
// Lists of neighbours come in the same way: of all agents by id, in their own frame or another, or of points
// in the caller's order. So do all hits of casts.
//
//     status = frame.for_each_answer({.radius = 2}, lists, visitor);           // of agent first + i
//     status = frame.for_each_answer(places, {.count = 8}, lists, visitor);    // of point first + i
//     status = frame.for_each_answer(frame.static_layer(), {.radius = 2}, lists, visitor);  // near walls
//     status = frame.for_each_answer(casts, touched, [&](auto first, const throng::CastHits& some) { ... });
//
// With `in_row_order`, which is the fastest, list i is that of some.agents()[i]. Each list is the same as in
// a single call for all. `half` or `either_reaches` together with `radii` is refused as `bad_config`: there
// any agent may add to any list, so no list is complete before the last search. The contents of the lists
// keep to the bound. `block` and the work spaces hold up to twice as much memory each, and some kilobytes.
// Lists by id, not in row order, also take the table of agents (`Frame::box`), whatever the bound.
//
// To ask for each block instead of being called, or to answer a large batch over several of its own frames, a
// host keeps the place and stops after every block:
//
//     throng::AnswerPlace place;
//     while (place.first < boxes.size())
//         status = frame.for_each_answer(boxes, block,
//             [&](std::size_t first, const throng::OverlapLists& some) {
//                 for (std::size_t i = 0; i < some.size(); ++i) use(first + i, some[i]);
//                 return false;    // the next call begins behind this block
//             }, {.max_bytes = 1 << 24, .place = &place});
//
// With `with_static()` a block has the agents and the elements of the same queries, each within half of the
// bound. The hits of casts stay one result, since each says what was touched.
//
//     status = frame.with_static().for_each_answer(boxes, hits, walls, [&](std::size_t first,
//         const throng::OverlapLists& some, const throng::OverlapLists& their_walls) { ... });
#pragma once

#include <cstddef>
#include <type_traits>

#include "throng/results.hpp"
#include "throng/views/visitors.hpp"

namespace throng {

class Frame;

// Where a call for blocks begins. After each block: where the next call would go on.
struct AnswerPlace {
    std::size_t first = 0;  // the query, or the list
    // How many queries the next block tries first; 0 if nothing is known of them.
    std::size_t queries = 0;
};

struct AnswerLimit {
    // How many bytes the answers of a block take at most, offsets included. Queries in any order are sorted
    // within their block. So small blocks in a large world take longer: each visits all of the world.
    std::size_t max_bytes = std::size_t{1} << 24;
    // Null: from the first query to the last. A call that begins at 0 checks all queries before the first
    // block. One that begins later checks each block before it comes.
    AnswerPlace* place = nullptr;
};

// A visitor of blocks: takes the number of the first query and the answers from there on. It returns nothing,
// or a bool: whether to go on.
template <class Visitor, class Answers = OverlapLists>
concept AnswerVisitor = std::is_invocable_v<Visitor&, std::size_t, const Answers&> &&
    detail::ReturnsNothingOrBool<Visitor, std::size_t, const Answers&>;

// The same with the elements of a static layer beside the agents.
template <class Visitor, class Answers = OverlapLists>
concept AnswerVisitorOfBoth = std::is_invocable_v<Visitor&, std::size_t, const Answers&, const Answers&> &&
    detail::ReturnsNothingOrBool<Visitor, std::size_t, const Answers&, const Answers&>;

namespace detail {

// The frame for the other half of each block, and where its answers go. Null: there is none.
template <class Answers>
struct OtherHalf {
    const Frame* frame = nullptr;
    Answers* block = nullptr;
};

template <class Answers>
using AnyBlockVisitor = AnyCall<std::size_t, const Answers&>;
template <class Answers, AnswerVisitor<Answers> Visitor>
AnyBlockVisitor<Answers> any_block_visitor(Visitor& visitor) noexcept {
    return {erased(visitor), [](void* to, std::size_t first, const Answers& some) {
                return goes_on(restored<Visitor>(to), first, some);
            }};
}

}  // namespace detail

}  // namespace throng
