// Neighbours of all agents, of points, and in another frame.
#include "harness/calls.hpp"
#include "harness/neighbour_forms.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Each agent's or point's own neighbourhood, of one of many.
Neighbourhood one_of(Neighbourhood wanted, std::size_t i) {
    if (!wanted.radii.empty()) wanted.radii = std::span<const float>(wanted.radii).subspan(i, 1);
    return wanted;
}

bool is_not_in_row_order(A a) {
    const Neighbourhood wanted = a.of_agents.wanted();
    return !wanted.radii.empty() && (wanted.either_reaches || wanted.half);
}

Call lists(const char* name, bool in_row_order) {
    return {name, Gives::lists,
            [=](F f, A a, R r) {
                const Status status = rows(a.of_agents, in_row_order).in([&](const auto& kind) {
                    return f.neighbours(kind, r.lists, a.filters_of_agents());
                });
                r.give(r.lists);
                give_missing(f, r, in_row_order);
                return status;
            },
            false, in_row_order ? is_not_in_row_order : nullptr};
}
Call blocks(const char* name, bool in_row_order, std::size_t max_bytes) {
    return {name, Gives::lists,
            [=](F f, A a, R r) {
                std::size_t next = 0;
                give_missing(f, r, in_row_order);
                return rows(a.of_agents, in_row_order).in([&](const auto& kind) {
                    return f.for_each_answer(kind, r.lists, noted_block(r, next, max_bytes),
                                             {.max_bytes = max_bytes}, a.filters_of_agents());
                });
            },
            false, is_not_in_row_order};
}

std::vector<Call> calls_of_agents() {
    return {
        lists("lists by id", false),
        lists("lists in row order", true),
        blocks("large blocks by id", false, large_block),
        blocks("small blocks by id", false, small_block),
        blocks("large blocks in row order", true, large_block),
        blocks("small blocks in row order", true, small_block),
        {"counts", Gives::sizes,
         [](F f, A a, R r) {
             std::vector<std::uint32_t> counts(a.ids + 2, unwritten);
             const Status status = f.count_neighbours(a.of_agents.wanted().within(),
                                                      room(counts, f.id_bound()), a.filters_of_agents());
             r.give_each(status, counts, f.id_bound());
             return status;
         },
         false, nullptr, [](A a) { return a.of_agents.wanted().max_count != 0; }},
    };
}

// Among the elements of the static layer alone, or the agents of another frame.
std::vector<Call> calls_among_elements() {
    const auto in_lists = [](const char* name, bool in_row_order) -> Call {
        return {name, Gives::lists, [=](F f, A a, R r) {
                    const Status status = rows(a.of_both, in_row_order).in([&](const auto& kind) {
                        return f.neighbours_in(other_of(f), kind, r.lists, a.filters_of_agents());
                    });
                    r.give(r.lists);
                    give_missing(f, r, in_row_order);
                    return status;
                }};
    };
    const auto in_blocks = [](const char* name, bool in_row_order) -> Call {
        return {name, Gives::lists, [=](F f, A a, R r) {
                    std::size_t next = 0;
                    give_missing(f, r, in_row_order);
                    return rows(a.of_both, in_row_order).in([&](const auto& kind) {
                        return f.for_each_answer(other_of(f), kind, r.lists,
                                                 noted_block(r, next, small_block),
                                                 {.max_bytes = small_block}, a.filters_of_agents());
                    });
                }};
    };
    return {in_lists("lists by id", false), in_lists("lists in row order", true),
            in_blocks("blocks by id", false), in_blocks("blocks in row order", true)};
}

Call blocks_of_points(const char* name, std::size_t max_bytes) {
    return {name, Gives::lists, [=](F f, A a, R r) {
                std::size_t next = 0;
                return a.of_points.wanted().in([&](const auto& kind) {
                    return f.for_each_answer(given(a.points), kind, r.lists, noted_block(r, next, max_bytes),
                                             {.max_bytes = max_bytes}, a.filters(a.points.size()));
                });
            }};
}

// `one(frame, point, wanted, filter, list)` adds the neighbours of one point.
template <class One>
Call of_one_point(const char* name, const One& one, Gives gives = Gives::lists) {
    return {name, gives,
            [=](F f, A a, R r) {
                const Neighbourhood wanted = a.of_points.wanted();
                return one_by_one(a.points.size(), a, r, [&](std::size_t i, Numbers& list) {
                    const auto add = [&](const Neighbour& found) {
                        list.push_back(number_of(found, wanted));
                        return gives != Gives::two || list.size() < 2;
                    };
                    return one_of(wanted, i).in(
                        [&](const auto& kind) { return one(f, a.points[i], kind, a.filter(i), add); });
                });
            },
            true};
}

std::vector<Call> calls_of_points() {
    return {
        {"lists", Gives::lists,
         [](F f, A a, R r) {
             const Status status = a.of_points.wanted().in([&](const auto& kind) {
                 return f.neighbours(given(a.points), kind, r.lists, a.filters(a.points.size()));
             });
             r.give(r.lists);
             return status;
         }},
        blocks_of_points("large blocks", large_block),
        blocks_of_points("small blocks", small_block),
        {"counts", Gives::sizes,
         [](F f, A a, R r) {
             std::vector<std::uint32_t> counts(a.points.size(), unwritten);
             const Status status =
                 f.count_neighbours(given(a.points), a.of_points.wanted().within(),
                                    room(counts, counts.size()), a.filters(a.points.size()));
             r.give_each(status, counts);
             return status;
         },
         false, nullptr, [](A a) { return a.of_points.wanted().max_count != 0; }},
        of_one_point("one point",
                     [](F f, const Point& point, const auto& wanted, const Filter& filter, const auto& add) {
                         return f.for_each_neighbour(point, wanted, add, filter);
                     }),
        of_one_point(
            "one point that stops",
            [](F f, const Point& point, const auto& wanted, const Filter& filter, const auto& add) {
                return f.for_each_neighbour(point, wanted, add, filter);
            },
            Gives::two),
        of_one_point("one point into memory",
                     [](F f, const Point& point, const auto& wanted, const Filter& filter, const auto& add) {
                         std::vector<Neighbour> found;
                         const Status status = into_memory<Neighbour>(
                             found, [&](auto out) { return f.neighbours(point, wanted, out, filter); });
                         for (const Neighbour& one : found) add(one);
                         return status;
                     }),
    };
}

Order order_of(const Neighbourhood& wanted) {
    return wanted.max_count != 0 ? Order::given : Order::of_the_frame;
}

Kind nearest() {
    return {"the nearest",
            false,
            [](A) { return Order::given; },
            [](const Twin& twin, A a) {
                Expected expected(a.points.size());
                for (std::size_t i = 0; i < a.points.size(); i += a.one_in) {
                    const Neighbour one = oracle::nearest(twin, a.points[i], a.filter(i));
                    if (one.found()) expected[i].push_back(number(one.id, one.squared_distance));
                }
                return expected;
            },
            {{"to one point", Gives::lists,
              [](F f, A a, R r) {
                  return one_by_one(a.points.size(), a, r, [&](std::size_t i, Numbers& list) {
                      const NearestNeighbour found = f.nearest(a.points[i], a.filter(i));
                      if (found.neighbour.found())
                          list.push_back(
                              number(found.neighbour.id, found.neighbour.squared_distance, found.is_static));
                      return found.status;
                  });
              },
              true}}};
}

}  // namespace

std::vector<Kind> kinds_of_neighbours() {
    return {{"neighbours", false, [](A a) { return order_of(a.of_agents.wanted()); },
             [](const Twin& twin, A a) {
                 const Neighbourhood wanted = a.of_agents.wanted();
                 return as_numbers(oracle::neighbours(twin, wanted, a.filters_of_agents()), wanted);
             },
             calls_of_agents()},
            {"neighbours of points", false, [](A a) { return order_of(a.of_points.wanted()); },
             [](const Twin& twin, A a) {
                 const Neighbourhood wanted = a.of_points.wanted();
                 return as_numbers(oracle::neighbours(twin, a.points, wanted, a.filters(a.points.size())),
                                   wanted);
             },
             calls_of_points()},
            nearest(),
            {"neighbours among the elements", true, [](A a) { return order_of(a.of_both.wanted()); },
             [](const Twin& twin, A a) {
                 const Neighbourhood wanted = a.of_both.wanted();
                 return as_numbers(oracle::neighbours_in(twin, other_of(twin), wanted, a.filters_of_agents()),
                                   wanted);
             },
             calls_among_elements()}};
}

}  // namespace throng::test
