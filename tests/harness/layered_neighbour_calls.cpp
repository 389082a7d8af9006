// Neighbours among agents and elements of the static layer together: of all agents and of points.
#include "harness/calls.hpp"
#include "harness/neighbour_forms.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

Order order_of(const Neighbourhood& wanted) {
    return wanted.max_count != 0 ? Order::given : Order::of_the_frame;
}

// Of agents, where `places(asked)` is nothing, or of points. Both come in an array, which is put before the
// other arguments.
struct OfAgents {
    static const OwnNeighbourhood& own(A a) { return a.of_both; }
    static Filters filters(A a) { return a.filters_of_agents(); }
    template <class Call>
    static auto with_places(A, const Call& call) {
        return call();
    }
};
struct OfPoints {
    static const OwnNeighbourhood& own(A a) { return a.of_points; }
    static Filters filters(A a) { return a.filters(a.points.size()); }
    template <class Call>
    static auto with_places(A a, const Call& call) {
        return call(given(a.points));
    }
};

template <class Of>
Call lists(const char* name, bool in_row_order) {
    return {name, Gives::lists, [=](F f, A a, R r) {
                const Status status = Of::with_places(a, [&](const auto&... places) {
                    return rows(Of::own(a), in_row_order).in([&](const auto& kind) {
                        return f.with_static().neighbours(places..., kind, r.lists, r.wall_lists,
                                                          Of::filters(a));
                    });
                });
                EXPECT_TRUE(equal_ranges(r.lists.agents(), r.wall_lists.agents()));
                r.give(r.lists);
                r.give(r.wall_lists, true);
                give_missing(f, r, in_row_order);
                return status;
            }};
}

template <class Of>
Call blocks(const char* name, bool in_row_order, std::size_t max_bytes) {
    return {name, Gives::lists, [=](F f, A a, R r) {
                std::size_t next = 0;
                const auto visit = [&](std::size_t first, const NeighbourLists& some,
                                       const NeighbourLists& walls) {
                    EXPECT_EQ(some.size(), walls.size());
                    note_block(r, next, first, some, std::max(bytes_of(some), bytes_of(walls)),
                               max_bytes / 2);
                    r.give(some, false, first);
                    r.give(walls, true, first);
                };
                give_missing(f, r, in_row_order);
                return Of::with_places(a, [&](const auto&... places) {
                    return rows(Of::own(a), in_row_order).in([&](const auto& kind) {
                        return f.with_static().for_each_answer(places..., kind, r.lists, r.wall_lists, visit,
                                                               {.max_bytes = max_bytes}, Of::filters(a));
                    });
                });
            }};
}

template <class Of>
Call counts() {
    return {"counts",
            Gives::sizes,
            [](F f, A a, R r) {
                std::vector<std::uint32_t> counts(std::max(a.ids, a.points.size()) + 2, unwritten);
                std::size_t used = f.id_bound();
                const Status status = Of::with_places(a, [&](const auto&... places) {
                    if constexpr (sizeof...(places) != 0) used = (places.size() + ...);
                    return f.with_static().count_neighbours(places..., Of::own(a).wanted().within(),
                                                            room(counts, used), Of::filters(a));
                });
                r.give_each(status, counts, used);
                return status;
            },
            false,
            nullptr,
            [](A a) { return Of::own(a).wanted().max_count != 0; }};
}

Call of_one_point() {
    return {"one point", Gives::lists,
            [](F f, A a, R r) {
                const Neighbourhood wanted = a.of_points.wanted();
                return one_by_one(a.points.size(), a, r, [&](std::size_t i, Numbers& list) {
                    Neighbourhood one = wanted;
                    if (!one.radii.empty()) one.radii = std::span<const float>(wanted.radii).subspan(i, 1);
                    const auto add = [&](const Neighbour& agent) {
                        list.push_back(number_of(agent, wanted));
                    };
                    const auto add_elements = [&](std::span<const Neighbour> elements) {
                        for (const Neighbour& element : elements)
                            list.push_back(number_of(element, wanted, true));
                    };
                    return one.in([&](const auto& kind) {
                        return f.with_static().for_each_neighbour(a.points[i], kind, add, add_elements,
                                                                  a.filter(i));
                    });
                });
            },
            true};
}

// What is found of both kinds, agents first.
Expected joined(const oracle::BothLists& lists, const Neighbourhood& wanted) {
    const oracle::BothLists both = oracle::nearest_of_both(lists, wanted);
    Expected expected = as_numbers(both.agents, wanted);
    const Expected elements = as_numbers(both.elements, wanted, true);
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i].insert(expected[i].end(), elements[i].begin(), elements[i].end());
    return expected;
}

// An agent comes before an element that is equally far away.
Kind nearest() {
    return {
        "the nearest of both",
        true,
        [](A) { return Order::given; },
        [](const Twin& twin, A a) {
            const std::vector<Filter> of_elements = a.filters_of_elements(a.points.size());
            Expected expected(a.points.size());
            for (std::size_t i = 0; i < a.points.size(); i += a.one_in) {
                const Neighbour agent = oracle::nearest(twin, a.points[i], a.filter(i)),
                                element = oracle::nearest(twin.static_layer(), a.points[i], of_elements[i]);
                const bool is_static =
                    element.found() && (!agent.found() || element.squared_distance < agent.squared_distance);
                const Neighbour& one = is_static ? element : agent;
                if (one.found()) expected[i].push_back(number(one.id, one.squared_distance, is_static));
            }
            return expected;
        },
        {{"to one point", Gives::lists,
          [](F f, A a, R r) {
              return one_by_one(a.points.size(), a, r, [&](std::size_t i, Numbers& list) {
                  const NearestNeighbour found = f.with_static().nearest(a.points[i], a.filter(i));
                  if (found.neighbour.found())
                      list.push_back(
                          number(found.neighbour.id, found.neighbour.squared_distance, found.is_static));
                  return found.status;
              });
          },
          true}}};
}

}  // namespace

std::vector<Kind> kinds_of_layered_neighbours() {
    return {{"neighbours of both",
             true,
             [](A a) { return order_of(a.of_both.wanted()); },
             [](const Twin& twin, A a) {
                 const Neighbourhood wanted = a.of_both.wanted();
                 const std::vector<Filter> of_elements = a.filters_of_elements();
                 return joined({oracle::neighbours(twin, wanted, a.filters_of_agents()),
                                oracle::neighbours_in(twin, twin.static_layer(), wanted, of_elements)},
                               wanted);
             },
             {lists<OfAgents>("lists by id", false), lists<OfAgents>("lists in row order", true),
              blocks<OfAgents>("small blocks by id", false, small_block),
              blocks<OfAgents>("large blocks in row order", true, large_block), counts<OfAgents>()}},
            {"neighbours of points among both",
             true,
             [](A a) { return order_of(a.of_points.wanted()); },
             [](const Twin& twin, A a) {
                 const Neighbourhood wanted = a.of_points.wanted();
                 const std::vector<Filter> of_elements = a.filters_of_elements(a.points.size());
                 return joined({oracle::neighbours(twin, a.points, wanted, a.filters(a.points.size())),
                                oracle::neighbours(twin.static_layer(), a.points, wanted, of_elements)},
                               wanted);
             },
             {lists<OfPoints>("lists", false), blocks<OfPoints>("large blocks", false, large_block),
              blocks<OfPoints>("small blocks", false, small_block), counts<OfPoints>(), of_one_point()}},
            nearest()};
}

}  // namespace throng::test
