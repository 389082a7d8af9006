// Which agents overlap boxes and shapes, also together with the elements of the static layer; and all agents
// there are.
#include "harness/calls.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using F = const Frame&;
using A = const Asked&;
using R = Results&;
using Twin = oracle::BruteForceFrame;
using Expected = std::vector<Numbers>;

constexpr std::size_t large_block = std::size_t{1} << 24, small_block = 2000;

std::size_t bytes_of(const OverlapLists& some) {
    return some.offsets().size_bytes() + some.ids().size_bytes();
}

Order frame_order(A) { return Order::of_the_frame; }

// `queries(asked)` is a vector of boxes or of shapes.
template <class Queries>
Call in_blocks(const char* name, std::size_t max_bytes, const Queries& queries) {
    return {name, Gives::lists, [=](F f, A a, R r) {
                std::size_t next = 0;
                return f.for_each_answer(
                    given(queries(a)), r.hits,
                    [&](std::size_t first, const OverlapLists& some) {
                        note_block(r, next, first, some, bytes_of(some), max_bytes);
                        r.give(some, false, first);
                    },
                    {.max_bytes = max_bytes}, a.filters(queries(a).size()));
            }};
}

template <class Queries>
std::vector<Call> batches(const Queries& queries) {
    const auto filters = [=](A a) { return a.filters(queries(a).size()); };
    return {
        {"a batch", Gives::lists,
         [=](F f, A a, R r) {
             const Status status = f.overlaps(given(queries(a)), r.hits, filters(a));
             r.give(r.hits);
             return status;
         }},
        {"a batch as found", Gives::lists,
         [=](F f, A a, R r) {
             const Status status = f.overlaps(given(queries(a)), r.found, filters(a));
             r.give(r.found);
             return status;
         }},
        {"a batch into memory", Gives::lists,
         [=](F f, A a, R r) {
             std::vector<std::uint64_t> offsets(queries(a).size() + 1, unwritten);
             std::vector<AgentId> ids;
             const Status status = into_memory<AgentId>(ids, [&](auto out) {
                 return f.overlaps(given(queries(a)), room(offsets, offsets.size()), out, filters(a));
             });
             r.make_room(queries(a).size());
             for (std::size_t i = 0; status && i < queries(a).size(); ++i) {
                 const auto begin = static_cast<std::size_t>(offsets[i]);
                 const auto end = static_cast<std::size_t>(offsets[i + 1]);
                 r.give(i, std::span<const AgentId>(ids).subspan(begin, end - begin));
             }
             return status;
         }},
        {"counts", Gives::sizes,
         [=](F f, A a, R r) {
             std::vector<std::uint32_t> counts(queries(a).size(), unwritten);
             const Status status = f.count(given(queries(a)), room(counts, counts.size()), filters(a));
             r.give_each(status, counts);
             return status;
         }},
        {"any", Gives::any,
         [=](F f, A a, R r) {
             std::vector<std::uint8_t> any(queries(a).size(), unwritten);
             const Status status = f.any(given(queries(a)), room(any, any.size()), filters(a));
             r.give_each(status, any);
             return status;
         }},
        {"a batch explained", Gives::total,
         [=](F f, A a, R r) {
             const Explain explain = f.explain(given(queries(a)), filters(a));
             r.note(explain.rows, explain.cells, explain.queries);
             EXPECT_GE(explain.tested + explain.covered, explain.hits);
             r.at(0).push_back(explain.hits);
             return explain.status;
         },
         true},
        in_blocks("large blocks", large_block, queries),
        in_blocks("small blocks", small_block, queries),
    };
}

// `one(frame, query, filter, list)` adds what is found for one query.
template <class Queries, class One>
Call single(const char* name, Gives gives, const Queries& queries, const One& one) {
    return {name, gives,
            [=](F f, A a, R r) {
                return one_by_one(queries(a).size(), a, r, [&](std::size_t i, Numbers& list) {
                    return one(f, queries(a)[i], a.filter(i), list);
                });
            },
            true};
}

template <class Queries>
std::vector<Call> singles(const Queries& queries) {
    using Q = const typename std::remove_cvref_t<std::invoke_result_t<Queries, A>>::value_type&;
    return {
        single("one query", Gives::lists, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const auto visit = [&](AgentId id) { list.push_back(number(id)); };
                   return f.for_each_overlap(query, visit, filter);
               }),
        // What is found without the filter, less what it does not admit, in the same order.
        single("one query filtered by the host", Gives::lists, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   return f.for_each_overlap(query, [&](AgentId id) {
                       if (filter.admits(id, f.label(id), f.height(id))) list.push_back(number(id));
                   });
               }),
        single("one query in runs", Gives::lists, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const auto visit = [&](std::span<const AgentId> run) {
                       for (const AgentId id : run) list.push_back(number(id));
                   };
                   return f.for_each_overlap(query, visit, filter);
               }),
        single("one query with boxes", Gives::lists, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const auto visit = [&](AgentId id, const Box& box) {
                       EXPECT_EQ(box, f.box(id));
                       list.push_back(number(id));
                   };
                   return f.for_each_overlap(query, visit, filter);
               }),
        single("one query that stops", Gives::two, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const auto visit = [&](AgentId id) {
                       list.push_back(number(id));
                       return list.size() < 2;
                   };
                   return f.for_each_overlap(query, visit, filter);
               }),
        single("one query with boxes that stops", Gives::two, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const auto visit = [&](AgentId id, const Box&) {
                       list.push_back(number(id));
                       return list.size() < 2;
                   };
                   return f.for_each_overlap(query, visit, filter);
               }),
        single("one query into memory", Gives::lists, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   std::vector<AgentId> ids;
                   const Status status =
                       into_memory<AgentId>(ids, [&](auto out) { return f.overlaps(query, out, filter); });
                   for (const AgentId id : ids) list.push_back(number(id));
                   return status;
               }),
        single("one count", Gives::sizes, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const Count count = f.count(query, filter);
                   list.push_back(count.total);
                   return count.status;
               }),
        single("any of one", Gives::any, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const Found any = f.any(query, filter);
                   list.push_back(any.found);
                   return any.status;
               }),
    };
}

// Together with the elements of the static layer, which have ids of their own.
template <class Queries>
Call both_in_blocks(const Queries& queries) {
    return {"blocks", Gives::lists, [=](F f, A a, R r) {
                std::size_t next = 0;
                return f.with_static().for_each_answer(
                    given(queries(a)), r.hits, r.walls,
                    [&](std::size_t first, const OverlapLists& some, const OverlapLists& walls) {
                        EXPECT_EQ(some.size(), walls.size());
                        note_block(r, next, first, some, std::max(bytes_of(some), bytes_of(walls)),
                                   small_block / 2);
                        r.give(some, false, first);
                        r.give(walls, true, first);
                    },
                    {.max_bytes = small_block}, a.filters(queries(a).size()));
            }};
}

template <class Queries>
std::vector<Call> both_in_batches(const Queries& queries) {
    const auto filters = [=](A a) { return a.filters(queries(a).size()); };
    return {
        {"a batch", Gives::lists,
         [=](F f, A a, R r) {
             const Status status = f.with_static().overlaps(given(queries(a)), r.hits, r.walls, filters(a));
             r.give(r.hits);
             r.give(r.walls, true);
             return status;
         }},
        {"a batch as found", Gives::lists,
         [=](F f, A a, R r) {
             const Status status =
                 f.with_static().overlaps(given(queries(a)), r.found, r.found_walls, filters(a));
             r.give(r.found);
             r.give(r.found_walls, true);
             return status;
         }},
        {"counts", Gives::sizes,
         [=](F f, A a, R r) {
             std::vector<std::uint32_t> counts(queries(a).size(), unwritten);
             const Status status =
                 f.with_static().count(given(queries(a)), room(counts, counts.size()), filters(a));
             r.give_each(status, counts);
             return status;
         }},
        {"any", Gives::any,
         [=](F f, A a, R r) {
             std::vector<std::uint8_t> any(queries(a).size(), unwritten);
             const Status status = f.with_static().any(given(queries(a)), room(any, any.size()), filters(a));
             r.give_each(status, any);
             return status;
         }},
        both_in_blocks(queries),
    };
}

template <class Queries>
std::vector<Call> both_one_by_one(const Queries& queries) {
    using Q = const typename std::remove_cvref_t<std::invoke_result_t<Queries, A>>::value_type&;
    return {
        single("one query", Gives::lists, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   return f.with_static().for_each_overlap(
                       query, [&](AgentId id) { list.push_back(number(id)); },
                       [&](AgentId id, const Box& box) {
                           EXPECT_EQ(box, f.static_layer().box(id));
                           list.push_back(number(id, 0, true));
                       },
                       filter);
               }),
        single("one count", Gives::sizes, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const Count count = f.with_static().count(query, filter);
                   list.push_back(count.total);
                   return count.status;
               }),
        single("any of one", Gives::any, queries,
               [](F f, Q query, const Filter& filter, Numbers& list) {
                   const Found any = f.with_static().any(query, filter);
                   list.push_back(any.found);
                   return any.status;
               }),
    };
}

template <class Queries>
Expected expected_of(const Twin& twin, const Queries& queries, const Filters& filters,
                     bool is_static = false) {
    oracle::OverlapLists hits;
    EXPECT_EQ(twin.overlaps(queries, hits, filters), Status{});
    Expected expected(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
        for (const AgentId id : hits[i]) expected[i].push_back(number(id, 0, is_static));
    return expected;
}

template <class Queries>
void add_kinds(std::vector<Kind>& all, const char* name, const char* both, const Queries& queries) {
    Kind alone{
        name, false, frame_order,
        [=](const Twin& twin, A a) { return expected_of(twin, queries(a), a.filters(queries(a).size())); },
        batches(queries)};
    const std::vector<Call> one_by_one = singles(queries), both_singles = both_one_by_one(queries);
    alone.calls.insert(alone.calls.end(), one_by_one.begin(), one_by_one.end());
    Kind layered{both, true, frame_order,
                 [=](const Twin& twin, A a) {
                     const std::size_t count = queries(a).size();
                     Expected expected = expected_of(twin, queries(a), a.filters(count));
                     const std::vector<Filter> filters = a.filters_of_elements(count);
                     const Expected walls =
                         expected_of(twin.static_layer(), queries(a), Filters::of(filters), true);
                     for (std::size_t i = 0; i < walls.size(); ++i)
                         expected[i].insert(expected[i].end(), walls[i].begin(), walls[i].end());
                     return expected;
                 },
                 both_in_batches(queries)};
    layered.calls.insert(layered.calls.end(), both_singles.begin(), both_singles.end());
    all.insert(all.end(), {alone, layered});
}

Kind all_agents() {
    return {"all agents",
            false,
            frame_order,
            [](const Twin& twin, A) {
                Expected expected(1);
                for (const AgentId id : twin.ids()) expected[0].push_back(number(id));
                return expected;
            },
            {{"their order", Gives::lists,
              [](F f, A, R r) {
                  std::vector<AgentId> ids;
                  const Status status = into_memory<AgentId>(ids, [&](auto out) { return f.row_order(out); });
                  r.make_room(1);
                  r.give(0, ids);
                  return status;
              },
              true},
             {"a visit of all", Gives::lists,
              [](F f, A, R r) {
                  r.make_room(1);
                  return f.for_each_agent([&](AgentId id, const Box& box) {
                      EXPECT_EQ(box, f.box(id));
                      r.at(0).push_back(number(id));
                  });
              },
              true}}};
}

}  // namespace

std::vector<Kind> kinds_of_overlaps() {
    std::vector<Kind> all{all_agents()};
    add_kinds(all, "boxes", "boxes with the static layer",
              [](A a) -> const std::vector<Box>& { return a.boxes; });
    add_kinds(all, "shapes", "shapes with the static layer",
              [](A a) -> const std::vector<Shape>& { return a.shapes.all(); });
    return all;
}

}  // namespace throng::test
