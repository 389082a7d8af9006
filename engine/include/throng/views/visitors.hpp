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

}  // namespace throng
