// Visitors: callables that a query calls with its answers. A visitor takes either a single answer or a span
// of answers, which is valid during the call. For overlaps and the hits of a cast it may also take one answer
// and the agent's box. It returns nothing, or a bool: whether to go on. Nothing else compiles: not a visitor
// that returns a counter, which could be taken for "stop"; not `[](auto agents)`, which could be called
// either way; and not `[](int id)`, which cannot hold every id.
//
//     status = frame.for_each_overlap(box, [&](throng::AgentId id) { near.push_back(id); });
//     status = frame.for_each_overlap(box, [&](std::span<const throng::AgentId> some) { ... });
//     status = frame.for_each_overlap(box, [&](throng::AgentId id) { return ++seen < 10; });   // at most ten
//     status = frame.for_each_overlap(box, [&](throng::AgentId id, const throng::Box& its) { ... });
//
// Spans are the fastest: whole runs of answers are passed in place.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include "throng/geometry.hpp"

namespace throng {

namespace detail {

template <class Visitor, class Argument>
concept Takes = std::is_invocable_v<Visitor&, Argument>;  // a call with this argument compiles
template <class Answer>
using SpanOf = std::span<const Answer>;

// What a visitor must do. The compiler shows the name and line of the first condition that fails.
template <class Visitor, class Answer>
concept TakesOneAnswerOrASpanOfThem =
    Takes<Visitor, Answer> || Takes<Visitor, SpanOf<Answer>>;  // its parameter has another type
template <class Visitor, class Answer>
concept TakesOnlyOneOfTheTwo =
    !(Takes<Visitor, Answer> && Takes<Visitor, SpanOf<Answer>>);  // no `auto` as the parameter
// Becomes any number that cannot hold every answer.
template <class Number, class Answer>
concept TooNarrowFor = std::is_arithmetic_v<Number> && !requires(Answer answer) {
    Number{answer};
};
template <class Answer>
struct Narrowed {
    template <TooNarrowFor<Answer> Number>
    operator Number() const;
};
template <class Visitor>
concept HasManyForms = std::is_class_v<Visitor> && !requires {
    &Visitor::operator();
};
template <class Visitor, class Answer, class... Others>
concept ParameterHoldsEveryAnswer = HasManyForms<std::remove_reference_t<Visitor>> ||
    !std::is_invocable_v<Visitor&, Narrowed<Answer>,
                         Others...>;  // too narrow, as int is for ids: take AgentId
template <class Result>
concept NothingOrBool = std::is_void_v<Result> || std::same_as<bool, Result>;
template <class Visitor, class... Arguments>
concept ReturnsNothingOrBool =
    NothingOrBool<std::invoke_result_t<Visitor&, Arguments...>>;  // it returns something else, such as a
                                                                  // counter

template <class Visitor, class Answer>
using ArgumentOf = std::conditional_t<Takes<Visitor, Answer>, Answer, SpanOf<Answer>>;

// Calls a visitor, and returns whether to go on.
template <class Visitor, class... Arguments>
bool goes_on(Visitor& visitor, const Arguments&... arguments) {
    if constexpr (std::is_void_v<std::invoke_result_t<Visitor&, const Arguments&...>>) {
        visitor(arguments...);
        return true;
    } else {
        return visitor(arguments...);
    }
}

}  // namespace detail

// A visitor of single answers, or of spans of them.
template <class Visitor, class Answer>
concept VisitorOf = detail::TakesOneAnswerOrASpanOfThem<Visitor, Answer> &&
    detail::TakesOnlyOneOfTheTwo<Visitor, Answer> && detail::ParameterHoldsEveryAnswer<Visitor, Answer> &&
    detail::ReturnsNothingOrBool<Visitor, detail::ArgumentOf<Visitor, Answer>>;
template <class Visitor, class Answer>
concept VisitorOfSpans = detail::Takes<Visitor, detail::SpanOf<Answer>> && VisitorOf<Visitor, Answer>;

template <class Visitor>
concept AgentVisitor = VisitorOf<Visitor, AgentId>;

// A visitor of an answer together with the agent's box: `[](AgentId id, const Box& box) { ... }`.
template <class Visitor, class Answer>
concept VisitorWithBoxes = std::is_invocable_v<Visitor&, const Answer&, const Box&> &&
    detail::ParameterHoldsEveryAnswer<Visitor, Answer, const Box&> &&
    detail::ReturnsNothingOrBool<Visitor, const Answer&, const Box&> &&
    !detail::TakesOneAnswerOrASpanOfThem<Visitor, Answer>;
template <class Visitor>
concept AgentBoxVisitor = VisitorWithBoxes<Visitor, AgentId>;
template <class Visitor>
concept OverlapVisitor = AgentVisitor<Visitor> || AgentBoxVisitor<Visitor>;

namespace detail {

// Calls the visitor with answers, in the form it takes. Returns whether to go on.
template <class Answer, VisitorOf<Answer> Visitor>
bool visit(Visitor& visitor, const Answer* answers, std::size_t count) {
    if constexpr (VisitorOfSpans<Visitor, Answer>) {
        return goes_on(visitor, std::span<const Answer>(answers, count));
    } else {
        for (std::size_t i = 0; i < count; ++i)
            if (!goes_on(visitor, answers[i])) return false;
        return true;
    }
}

// A visitor of any type. False ends the search.
template <class... Arguments>
struct AnyCall {
    void* visitor;
    bool (*call)(void* visitor, Arguments... arguments);

    bool operator()(Arguments... arguments) const { return call(visitor, arguments...); }
};
// A plain function is a visitor, too.
template <class Visitor>
void* erased(Visitor& visitor) noexcept {
    if constexpr (std::is_function_v<Visitor>)
        return reinterpret_cast<void*>(&visitor);
    else
        return const_cast<void*>(static_cast<const void*>(&visitor));
}
template <class Visitor>
Visitor& restored(void* visitor) noexcept {
    return *reinterpret_cast<std::remove_reference_t<Visitor>*>(visitor);
}

template <class Answer>
using AnyVisitor = AnyCall<const Answer*, std::size_t>;
template <class Answer, VisitorOf<Answer> Visitor>
AnyVisitor<Answer> any_visitor(Visitor& visitor) noexcept {
    return {erased(visitor), [](void* to, const Answer* answers, std::size_t count) {
                return visit<Answer>(restored<Visitor>(to), answers, count);
            }};
}

// The same for answers with the boxes of their agents.
template <class Answer>
using AnyBoxVisitor = AnyCall<const Answer*, const Box*, std::size_t>;
template <class Answer, VisitorWithBoxes<Answer> Visitor>
AnyBoxVisitor<Answer> any_box_visitor(Visitor& visitor) noexcept {
    return {erased(visitor), [](void* to, const Answer* answers, const Box* boxes, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i)
                    if (!goes_on(restored<Visitor>(to), answers[i], boxes[i])) return false;
                return true;
            }};
}

using BoxVisitor = AnyBoxVisitor<AgentId>;
using IdVisitor = AnyVisitor<AgentId>;
using PairVisitor = AnyVisitor<Pair>;

}  // namespace detail

// --- Visitors of blocks of answers -------------------------------------------------------------------------

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

class Frame;
class OverlapLists;

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
