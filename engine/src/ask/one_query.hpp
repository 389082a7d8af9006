// One query, put to the parts of a frame on the calling thread: as it lies, or, in a world that wraps around,
// folded and with its images. `Query` is its form for the kernels:
//
//     explicit Query(const Given&);
//     Code fault() const;                  // of what is not legal
//
// Calls first test whether the frame is plain, and expand what they do then. This file is for other frames.
#pragma once

#include "engine/src/ask/kept.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/torus/each_once.hpp"
#include "engine/src/torus/moves.hpp"
#include "throng/compiler.hpp"
#include "throng/labels.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Puts a folded query and its images to each part, until `keep` has enough.
template <class Query, class Given, class Keep>
void add_images(const Scope& scope, const Given& there, const Moves& moves, const Filter& filter,
                const Period& period, Keep& keep) noexcept {
    const Query query(there);
    scope.each(filter, [&](const Part& part, const Filter& own) {
        if constexpr (requires { keep.begin_part(part.is_layer); }) keep.begin_part(part.is_layer);
        return keep.add(*part.frame, query, own) && moves.each([&](int k, int l) {
            const auto image = moved(there, k, l, period);
            return keep.add(*part.frame, Query(image), own);
        });
    });
}

template <class Query, class Given, class Keep>
Status ask_around(const Scope& scope, const Given& given, const Filter& filter, Keep& keep) noexcept {
    if (!has_band(filter)) return check_band(filter);
    const Torus torus = scope.torus();
    if (const Code bad = Query(given).fault(); bad != Code::ok) return {bad, 0};
    if (goes_around_too_often(given, torus)) return refusal(Code::too_large, 0);
    const auto place = folded(given, torus.period);
    const Given& there = place;
    const Moves moves(torus, extent_of(there, torus));
    if constexpr (Keep::counts_each) {
        if (moves.repeats()) [[unlikely]] {
            EachOnce once(keep, scope.agents());
            add_images<Query>(scope, there, moves, filter, torus.period, once);
            return {once.has_memory() ? Code::ok : Code::out_of_memory};
        }
    }
    add_images<Query>(scope, there, moves, filter, torus.period, keep);
    return {};
}

// Without seams.
template <class Query, class Given, class Keep>
THRONG_ALWAYS_INLINE inline Status ask_as_it_lies(const Scope& scope, const Given& given,
                                                  const Filter& filter, Keep& keep) noexcept {
    if (!has_band(filter)) return check_band(filter);
    if (!scope.status().ok()) return scope.status();
    const Query query(given);
    if (const Code bad = query.fault(); bad != Code::ok) return {bad, 0};
    scope.each(filter, [&](const Part& part, const Filter& own) THRONG_ALWAYS_INLINE_LAMBDA {
        if constexpr (requires { keep.begin_part(part.is_layer); }) keep.begin_part(part.is_layer);
        return keep.add(*part.frame, query, own);
    });
    return {};
}

template <class Query, class Given, class Keep>
THRONG_NOINLINE Status ask_parts(const Frame& frame, const Given& given, const Filter& filter,
                                 Keep& keep) noexcept {
    const Scope scope = Keep::of_both_kinds ? Scope(frame) : Scope::of_agents(frame);
    return scope.wraps() ? ask_around<Query>(scope, given, filter, keep)
                         : ask_as_it_lies<Query>(scope, given, filter, keep);
}

// A few words are returned by value: an accumulator whose address is taken would lie in memory.
template <class Query, class Keep, class Given>
THRONG_NOINLINE auto answer_around(const Frame& frame, const Given& given, const Filter& filter) noexcept {
    Keep keep;
    const Status status = ask_around<Query>(Scope(frame), given, filter, keep);
    return keep.answer(status);
}
template <class Query, class Keep, class Given>
THRONG_NOINLINE auto answer_of_parts(const Frame& frame, const Given& given, const Filter& filter) noexcept {
    const Scope scope(frame);
    if (scope.wraps()) return answer_around<Query, Keep>(frame, given, filter);
    Keep keep;
    const Status status = ask_as_it_lies<Query>(scope, given, filter, keep);
    return keep.answer(status);
}

}  // namespace throng::detail
