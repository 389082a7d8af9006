// What casts hit, of the agents alone and together with the static layer: the earliest first.
#include "harness/calls.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using F = const Frame&;
using A = const Asked&;
using R = Results&;
using Expected = std::vector<Numbers>;

// A target is a Frame or a WithStatic, which have the same calls.
template <class Target>
Call in_blocks(const char* name, std::size_t max_bytes, const Target& target) {
    return {name, Gives::lists, [=](F f, A a, R r) {
                std::size_t next = 0;
                return target(f).for_each_answer(
                    given(a.casts), r.casts,
                    [&](std::size_t first, const CastHits& some) {
                        note_block(r, next, first, some,
                                   some.offsets().size_bytes() + some.hits().size_bytes(), max_bytes);
                        r.give(some, first);
                    },
                    {.max_bytes = max_bytes}, a.filters(a.casts.size()));
            }};
}

template <class Target>
Status first_hits(const Target& target, const Casts& casts, A a, R r) {
    std::vector<CastHit> hits(casts.size(), CastHit{unwritten, unwritten});
    const Status status = target.first_hits(casts, room(hits, hits.size()), a.filters(casts.size()));
    for (const CastHit& hit : hits)
        EXPECT_TRUE(status.ok() || !hit.found() || hit == (CastHit{unwritten, unwritten}))
            << "a hit of a call that failed";
    r.make_room(hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i)
        if (hits[i].found()) r.answer[i].push_back(number(hits[i]));
    return status;
}
template <class Target>
Status all_hits(const Target& target, const Casts& casts, A a, R r) {
    const Status status = target.all_hits(casts, r.casts, a.filters(casts.size()));
    r.give(r.casts);
    return status;
}

template <class Target>
std::vector<Call> batches(const Target& target) {
    return {
        {"all hits", Gives::lists, [=](F f, A a, R r) { return all_hits(target(f), given(a.casts), a, r); }},
        {"all hits of casts in the host's arrays", Gives::lists,
         [=](F f, A a, R r) { return all_hits(target(f), a.cast_arrays(), a, r); }},
        {"first hits", Gives::one,
         [=](F f, A a, R r) { return first_hits(target(f), given(a.casts), a, r); }},
        {"first hits of casts in the host's arrays", Gives::one,
         [=](F f, A a, R r) { return first_hits(target(f), a.cast_arrays(), a, r); }},
        {"blocked", Gives::any,
         [=](F f, A a, R r) {
             std::vector<std::uint8_t> blocked(a.casts.size(), unwritten);
             const Status status =
                 target(f).blocked(given(a.casts), room(blocked, blocked.size()), a.filters(a.casts.size()));
             r.give_each(status, blocked);
             return status;
         }},
        in_blocks("large blocks", std::size_t{1} << 24, target),
        in_blocks("small blocks", 3000, target),
    };
}

// `one(target, cast, filter, list)` adds what is found for one cast.
template <class Target, class One>
Call single(const char* name, Gives gives, const Target& target, const One& one) {
    return {name, gives,
            [=](F f, A a, R r) {
                return one_by_one(a.casts.size(), a, r, [&](std::size_t i, Numbers& list) {
                    return one(target(f), a.casts[i], a.filter(i), list);
                });
            },
            true};
}

template <class Target>
std::vector<Call> singles(const Target& target) {
    return {
        single("first hit of one", Gives::one, target,
               [](const auto& of, const Cast& cast, const Filter& filter, Numbers& list) {
                   const FirstHit first = of.first_hit(cast, filter);
                   if (first.hit.found()) list.push_back(number(first.hit));
                   return first.status;
               }),
        single("whether one is blocked", Gives::any, target,
               [](const auto& of, const Cast& cast, const Filter& filter, Numbers& list) {
                   const Found blocked = of.blocked(cast, filter);
                   list.push_back(blocked.found);
                   return blocked.status;
               }),
        single("all hits of one in runs", Gives::lists, target,
               [](const auto& of, const Cast& cast, const Filter& filter, Numbers& list) {
                   const auto visit = [&](std::span<const CastHit> run) {
                       for (const CastHit& hit : run) list.push_back(number(hit));
                   };
                   return of.for_each_hit(cast, visit, filter);
               }),
        single("hits of one that stop", Gives::two, target,
               [](const auto& of, const Cast& cast, const Filter& filter, Numbers& list) {
                   const auto visit = [&](const CastHit& hit) {
                       list.push_back(number(hit));
                       return list.size() < 2;
                   };
                   return of.for_each_hit(cast, visit, filter);
               }),
        {"all hits of one with boxes", Gives::lists,
         [=](F f, A a, R r) {
             return one_by_one(a.casts.size(), a, r, [&](std::size_t i, Numbers& list) {
                 const auto visit = [&](const CastHit& hit, const Box& box) {
                     const Band band =
                         hit.is_static != 0 ? f.static_layer().height(hit.id) : f.height(hit.id);
                     EXPECT_EQ(oracle::time_of_touch_around(a.casts[i], box, band, a.around), hit.fraction);
                     list.push_back(number(hit));
                 };
                 return target(f).for_each_hit(a.casts[i], visit, a.filter(i));
             });
         },
         true},
        single("hits of one with boxes that stop", Gives::two, target,
               [](const auto& of, const Cast& cast, const Filter& filter, Numbers& list) {
                   const auto visit = [&](const CastHit& hit, const Box&) {
                       list.push_back(number(hit));
                       return list.size() < 2;
                   };
                   return of.for_each_hit(cast, visit, filter);
               }),
        single("all hits of one into memory", Gives::lists, target,
               [](const auto& of, const Cast& cast, const Filter& filter, Numbers& list) {
                   std::vector<CastHit> hits;
                   const Status status =
                       into_memory<CastHit>(hits, [&](auto out) { return of.all_hits(cast, out, filter); });
                   for (const CastHit& hit : hits) list.push_back(number(hit));
                   return status;
               }),
    };
}

Expected as_numbers(const std::vector<std::vector<CastHit>>& hits) {
    Expected expected;
    for (const std::vector<CastHit>& some : hits) {
        expected.emplace_back();
        for (const CastHit& hit : some) expected.back().push_back(number(hit));
    }
    return expected;
}

template <class Target>
std::vector<Call> calls_of(const Target& target) {
    std::vector<Call> calls = batches(target);
    const std::vector<Call> one_by_one = singles(target);
    calls.insert(calls.end(), one_by_one.begin(), one_by_one.end());
    return calls;
}

}  // namespace

std::vector<Kind> kinds_of_casts() {
    const auto given = [](A) { return Order::given; };
    return {{"casts", false, given,
             [](const oracle::BruteForceFrame& twin, A a) {
                 std::vector<std::vector<CastHit>> hits;
                 EXPECT_EQ(twin.all_hits(a.casts, hits, a.filters(a.casts.size())), Status{});
                 return as_numbers(hits);
             },
             calls_of([](F f) { return f; })},
            {"casts with the static layer", true, given,
             [](const oracle::BruteForceFrame& twin, A a) {
                 std::vector<std::vector<CastHit>> hits;
                 EXPECT_EQ(oracle::all_hits_of_both(twin, twin.static_layer(), a.casts, hits,
                                                    a.filters(a.casts.size())),
                           Status{});
                 return as_numbers(hits);
             },
             calls_of([](F f) { return f.with_static(); })}};
}

}  // namespace throng::test
