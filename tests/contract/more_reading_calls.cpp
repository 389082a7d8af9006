// The calls for neighbours, and those that cast.
#include "contract/reading_calls.hpp"
#include "oracle/neighbours.hpp"
#include "support/test.hpp"

namespace throng::test {

namespace {

using F = const Frame&;
using Q = const ReadingWorld&;
using R = Results&;
using oracle::Neighbourhood;
using Wanted = std::function<Neighbourhood(Q asked)>;

ReadingCall lists(const char* name, const Wanted& wanted, const Filter& filter = {}) {
    return {name, filter.not_in_group != no_group, [=](F f, Q q, R r) {
                return noted(
                    wanted(q).in([&](const auto& kind) { return f.neighbours(kind, r.lists, filter); }), r,
                    r.lists);
            }};
}
ReadingCall lists_of_points(const char* name, const Neighbourhood& wanted) {
    return {name, false, [=](F f, Q q, R r) {
                return noted(
                    wanted.in([&](const auto& kind) { return f.neighbours(q.points, kind, r.lists); }), r,
                    r.lists);
            }};
}
// In blocks of so many bytes. `where` names the frame or the points.
template <class Where>
ReadingCall blocks(const char* name, const Neighbourhood& wanted, const Where& where) {
    return {name, false, [=](F f, Q q, R r) {
                const auto note = [&](std::size_t first, const Neighbours& some) { r.note(first, some); };
                return wanted.in([&](const auto& kind) {
                    return f.for_each_answer(where(f, q), kind, r.lists, note, {.max_bytes = 3000});
                });
            }};
}
// The last call leaves lists of walls: what is left of a block is not looked at.
template <class Call>
ReadingCall of_both(const char* name, const Call& call) {
    return {name, false, [=](F f, Q q, R r) {
                const Status status = call(f.with_static(), q, r);
                r.note(r.lists.ids(), r.wall_lists.ids());
                return status;
            }};
}

}  // namespace

std::vector<ReadingCall> calls_for_neighbours() {
    const auto itself = [](F f, Q) { return f; };
    const auto always = [](const Neighbourhood& wanted) -> Wanted { return [=](Q) { return wanted; }; };
    return {
        lists("neighbours by id", always({.radius = 2, .distances = true})),
        lists("half of the neighbours", always({.radius = 2, .half = true})),
        lists("half of the neighbours in row order",
              always({.radius = 2, .half = true, .in_row_order = true})),
        lists("the nearest", always({.max_count = 8, .distances = true})),
        lists("neighbours in row order", always({.max_count = 5, .in_row_order = true})),
        lists("the nearest boxes within radii of their own",
              [](Q q) {
                  return Neighbourhood{.radii = q.radii, .max_count = 20, .agents_as = AgentsAs::boxes};
              }),
        lists("neighbours of which either reaches the other",
              [](Q q) { return Neighbourhood{.radii = q.radii, .either_reaches = true, .distances = true}; },
              {.not_in_group = 2}),
        {"kept neighbours", false,
         [](F f, Q, R r) {
             r.kept.clear();
             return noted(f.neighbours(r.kept), r, r.kept.lists());
         }},
        written<std::uint32_t>(
            "counts of neighbours", false,
            [](F f, Q q, auto out) { return f.count_neighbours({.radii = q.radii, .half = true}, out); }),
        written<std::uint32_t>(
            "counts of neighbours of points", false,
            [](F f, Q q, auto out) { return f.count_neighbours(q.points, {.radius = 2}, out); }),
        lists_of_points("neighbours of points", {.radius = 3, .distances = true}),
        lists_of_points("the nearest to points", {.max_count = 3, .distances = true}),
        {"the nearest to each point", false,
         [](F f, Q q, R r) {
             Status status;
             for (const Point& point : q.points) {
                 const NearestNeighbour agent = f.nearest(point), either = f.with_static().nearest(point);
                 for (const NearestNeighbour& one : {agent, either})
                     r.note(one.neighbour.id, one.neighbour.squared_distance, one.is_static);
                 if (!either.status) status = either.status;
             }
             return status;
         }},
        blocks("neighbours in blocks by id", {.radius = 2, .half = true}, itself),
        blocks("neighbours in blocks in row order", {.max_count = 5, .distances = true, .in_row_order = true},
               itself),
        blocks("neighbours in another frame in blocks by id", {.radius = 2},
               [](F f, Q) { return f.static_layer(); }),
        blocks("neighbours in an empty frame in blocks in row order", {.radius = 2, .in_row_order = true},
               [](F, Q) { return Frame(); }),
        blocks("neighbours of points in blocks", {.radius = 2}, [](F, Q q) { return Points(q.points); }),
        of_both("neighbours of both kinds",
                [](const WithStatic& both, Q, R r) {
                    return both.neighbours({.count = 4}, r.lists, r.wall_lists);
                }),
        of_both("neighbours of both kinds around points",
                [](const WithStatic& both, Q q, R r) {
                    return both.neighbours(q.points, {.radius = 3}, r.lists, r.wall_lists);
                }),
        of_both("neighbours of both kinds in blocks",
                [](const WithStatic& both, Q, R r) {
                    return both.for_each_answer({.radius = 3}, r.lists, r.wall_lists,
                                                [](std::size_t, const Neighbours&, const Neighbours&) {},
                                                {.max_bytes = 3000});
                }),
        written<std::uint32_t>(
            "counts of neighbours of both kinds", false,
            [](F f, Q, auto out) { return f.with_static().count_neighbours({.radius = 3}, out); }),
    };
}

std::vector<ReadingCall> calls_for_casts() {
    static constexpr Cast far = Cast::box({0, 0, 100, 100}, 300, 300);
    const auto first = [](const auto& target, const Casts& casts, R r) {
        return into<CastHit>(r, casts.size(), [&](auto out) { return target.first_hits(casts, out); });
    };
    const auto all = [](const auto& target, const Casts& casts, R r) {
        return noted(target.all_hits(casts, r.casts), r, r.casts);
    };
    return {
        {"a batch of first hits", false, [=](F f, Q q, R r) { return first(f, q.casts, r); }},
        {"first hits with a static layer", false,
         [=](F f, Q q, R r) { return first(f.with_static(), q.casts, r); }},
        {"first hits of casts in the hosts arrays", false,
         [=](F f, Q q, R r) { return first(f, q.cast_arrays(), r); }},
        written<std::uint8_t>("a batch of blocked", false,
                              [](F f, Q q, auto out) { return f.blocked(q.casts, out); }),
        {"a batch of all hits", false, [=](F f, Q q, R r) { return all(f, q.casts, r); }},
        {"a batch of all hits with a static layer", false,
         [=](F f, Q q, R r) { return all(f.with_static(), q.casts, r); }},
        {"all hits of casts in the hosts arrays", false,
         [=](F f, Q q, R r) { return all(f, q.cast_arrays(), r); }},
        {"all hits of one cast", false,
         [](F f, Q, R r) {
             return f.for_each_hit(far, [&](std::span<const CastHit> hits) { r.note(hits); });
         }},
        {"all hits of one cast with a static layer", false,
         [](F f, Q, R r) {
             return f.with_static().for_each_hit(far, [&](std::span<const CastHit> hits) { r.note(hits); });
         }},
        {"all hits of one cast with their boxes", false,
         [](F f, Q, R r) {
             return f.with_static().for_each_hit(
                 far, [&](const CastHit& hit, const Box& box) { r.note(hit, box.min_x); });
         }},
        {"all hits in blocks", false,
         [](F f, Q q, R r) {
             return f.with_static().for_each_answer(
                 q.casts, r.casts, [&](std::size_t at, const CastHits& some) { r.note(at, some); },
                 {.max_bytes = 3000});
         }},
    };
}

}  // namespace throng::test
