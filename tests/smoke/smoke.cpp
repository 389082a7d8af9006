// Whether the library works where it was built: all kinds of queries on a few small worlds, on every
// instruction set that runs here, against brute force. It prints which world it asked and what differs, and
// ends with 1 if anything does. It uses the library and the oracle and no test framework, so it is the first
// thing to build for a new platform.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "oracle/brute_force.hpp"
#include "oracle/neighbours.hpp"
#include "oracle/pair_changes.hpp"
#include "smoke/worlds.hpp"
#include "support/instruction_sets.hpp"
#include "throng/throng.hpp"
#include "throng/version.hpp"

// From the host in tests/install: uses something of every class, and of every small structure.
bool every_class_answers();
bool every_structure_answers();

namespace throng::test {
namespace {

std::size_t compared = 0, different = 0;

void expect(bool holds, const char* what) {
    ++compared;
    if (holds) return;
    ++different;
    std::printf("    differs: %s\n", what);
}

// Brute force answers by id, and of a pair the lower id is first; the engine has an order of its own.
std::vector<AgentId> in_order(std::span<const AgentId> ids) {
    std::vector<AgentId> sorted(ids.begin(), ids.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}
std::vector<Pair> in_order(std::span<const Pair> pairs, bool of_one_frame = true) {
    std::vector<Pair> sorted;
    for (const Pair& pair : pairs)
        sorted.push_back(pair.a > pair.b && of_one_frame ? Pair{pair.b, pair.a} : pair);
    std::sort(sorted.begin(), sorted.end(), [](const Pair& one, const Pair& other) {
        return one.a != other.a ? one.a < other.a : one.b < other.b;
    });
    return sorted;
}
template <class T>
bool same(std::span<const T> one, std::span<const T> other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

// The two that are compared. The world says where agents were at first, which is near where they are.
struct Asked {
    const World& world;
    const Frame& frame;
    const oracle::BruteForceFrame& twin;

    Box some_box(Random& random) const {
        return world.agents.empty() ? Box{0, 0, 1, 1} : world.agents[random.below(world.agents.size())];
    }
};

// Boxes or shapes, in a batch and one by one.
template <class Query>
void ask_overlaps(const Asked& asked, const std::vector<Query>& queries, const Filter& filter) {
    OverlapLists hits;
    oracle::OverlapLists expected;
    expect(asked.frame.overlaps(queries, hits, filter) == asked.twin.overlaps(queries, expected, filter),
           "status of overlaps");
    std::vector<std::uint32_t> counts(queries.size()), expected_counts(queries.size());
    std::vector<std::uint8_t> any(queries.size()), expected_any(queries.size());
    expect(asked.frame.count(queries, counts, filter) == asked.twin.count(queries, expected_counts, filter) &&
               counts == expected_counts,
           "count");
    expect(asked.frame.any(queries, any, filter) == asked.twin.any(queries, expected_any, filter) &&
               any == expected_any,
           "any");
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::vector<AgentId> all = in_order(expected[i]);
        expect(in_order(hits[i]) == all, "overlaps");
        std::vector<AgentId> visited;
        const auto note = [&](AgentId id) { visited.push_back(id); };
        expect(asked.frame.for_each_overlap(queries[i], note, filter).ok() && in_order(visited) == all,
               "for_each_overlap");
    }
}

void ask_boxes_and_shapes(const Asked& asked) {
    Random random(11);
    std::vector<Box> boxes{{-3e38f, -3e38f, 3e38f, 3e38f}};
    std::vector<Shape> shapes;
    std::vector<std::array<Point, 3>> corners(20);
    for (std::array<Point, 3>& triangle : corners) {
        const Box box = asked.some_box(random), other = asked.some_box(random);
        boxes.push_back(box);
        boxes.push_back(random.one_in(4) ? box.united(other) : Box::around(box.centre(), asked.world.reach));
        const Point at = box.centre(), to = other.centre();
        triangle = {Point{box.min_x, box.min_y}, Point{box.max_x, at.y}, Point{at.x, box.max_y}};
        shapes.push_back(Circle{at.x, at.y, asked.world.reach});
        shapes.push_back(Circle{at.x, at.y, asked.world.reach, AgentsAs::circles});
        shapes.push_back(ThickSegment{at, to, asked.world.reach / 2});
        shapes.push_back(ConvexPolygon(triangle));
    }
    // Boxes without a finite extent are refused, and the whole batch with them.
    std::erase_if(boxes, [&](const Box& box) { return !asked.frame.count(box).status; });
    std::erase_if(shapes, [&](const Shape& shape) { return !asked.frame.count(shape).status; });
    ask_overlaps(asked, boxes, {});
    ask_overlaps(asked, boxes, {.categories = 2, .not_in_group = 1});
    ask_overlaps(asked, shapes, {});
}

void ask_pairs(const Asked& asked) {
    for (const PairQuery& wanted : {PairQuery{}, PairQuery{.within = asked.world.reach}}) {
        PairList list;
        oracle::PairLists expected;
        expect(asked.frame.pairs(list, wanted) == asked.twin.pairs(expected, wanted) &&
                   in_order(list.pairs()) == in_order(expected.pairs()),
               "pairs");
        expect(asked.frame.count_pairs(wanted).total == expected.size(), "count_pairs");
    }
}

void ask_neighbours(const Asked& asked) {
    const float reach = asked.world.reach;
    for (const oracle::Neighbourhood& wanted :
         {oracle::Neighbourhood{.radius = reach}, oracle::Neighbourhood{.radius = reach, .half = true},
          oracle::Neighbourhood{.max_count = 5, .distances = true},
          oracle::Neighbourhood{
              .radius = reach, .max_count = 9, .agents_as = AgentsAs::boxes, .distances = true}}) {
        NeighbourLists lists;
        const bool is_nearest = wanted.max_count != 0;
        expect(wanted.in([&](const auto& query) { return asked.frame.neighbours(query, lists); }).ok(),
               "status of neighbours");
        const oracle::NeighbourLists expected = oracle::neighbours(asked.twin, wanted);
        for (std::size_t id = 0; id < expected.size(); ++id) {
            std::vector<AgentId> ids;
            std::vector<float> distances;
            for (const Neighbour& neighbour : expected[id]) {
                ids.push_back(neighbour.id);
                distances.push_back(neighbour.squared_distance);
            }
            expect(is_nearest ? same<AgentId>(lists[id], ids) : in_order(lists[id]) == ids, "neighbours");
            if (wanted.distances)
                expect(same<float>(lists.squared_distances(id), distances), "squared distances");
        }
    }
    Random random(12);
    std::vector<Point> points;
    for (int i = 0; i < 20; ++i) {
        points.push_back(asked.some_box(random).centre());
        expect(asked.frame.nearest(points.back()).neighbour == oracle::nearest(asked.twin, points.back()),
               "nearest");
    }
    NeighbourLists lists;
    expect(asked.frame.neighbours(points, Within{.radius = reach}, lists).ok(), "neighbours of points");
    const oracle::NeighbourLists expected = oracle::neighbours(asked.twin, points, {.radius = reach});
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<AgentId> ids;
        for (const Neighbour& neighbour : expected[i]) ids.push_back(neighbour.id);
        expect(in_order(lists[i]) == ids, "neighbours of points");
    }
}

void ask_casts(const Asked& asked) {
    Random random(13);
    std::vector<Cast> casts;
    for (int i = 0; i < 60; ++i) {
        const Box box = asked.some_box(random);
        const Point from = box.centre(), to = asked.some_box(random).centre();
        Cast cast = Cast::segment(from, to);
        if (i % 3 == 1) cast = Cast::box(box, cast.dx, cast.dy);
        if (i % 3 == 2) cast.radius = asked.world.reach / 4;
        if (asked.frame.first_hit(cast).status.ok()) casts.push_back(cast);
    }
    std::vector<CastHit> hits(casts.size()), expected(casts.size());
    expect(asked.frame.first_hits(casts, hits) == asked.twin.first_hits(casts, expected) && hits == expected,
           "first_hits");
    std::vector<std::uint8_t> blocked(casts.size()), expected_blocked(casts.size());
    expect(asked.frame.blocked(casts, blocked) == asked.twin.blocked(casts, expected_blocked) &&
               blocked == expected_blocked,
           "blocked");
    CastHits all;
    std::vector<std::vector<CastHit>> expected_all;
    expect(asked.frame.all_hits(casts, all) == asked.twin.all_hits(casts, expected_all),
           "status of all_hits");
    for (std::size_t i = 0; i < expected_all.size(); ++i)
        expect(same<CastHit>(all[i], expected_all[i]), "all_hits");
}

void ask_with_walls(const Asked& asked) {
    const oracle::BruteForceFrame walls = asked.twin.static_layer();
    const std::vector<AgentId> ids = asked.twin.ids();
    const std::vector<Box> boxes = asked.twin.boxes();
    std::vector<Pair> expected;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto note = [&](AgentId wall) { expected.push_back({ids[i], wall}); };
        expect(walls.for_each_overlap(boxes[i], note).ok(), "walls");
    }
    PairList list;
    const Frame layer = asked.frame.static_layer();
    expect(asked.frame.pairs(list, {.with = &layer}).ok() && in_order(list.pairs(), false) == expected,
           "pairs with the static layer");
    for (std::size_t i = 0; i < boxes.size(); i += 50)
        expect(asked.frame.with_static().count(boxes[i]).total ==
                   asked.twin.count(boxes[i]).total + walls.count(boxes[i]).total,
               "with_static");
}

// The three ways to write: all agents, some of them, and all by ids with holes.
template <class AnyEngine>
Status write(AnyEngine& engine, int way, const World& world) {
    const std::vector<Box>& agents = world.agents;
    const std::size_t count = agents.size();
    std::vector<Label> labels(count);
    std::vector<AgentId> ids(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        labels[i] = {1u << i % 3, i % 4 == 3 ? no_group : i % 4};
        ids[i] = 2 * i + i % 2;
    }
    if (way == 0) return engine.update(agents, {.labels = labels});
    if (way == 2) return engine.update(ids, agents, {.labels = labels});
    Status status;
    for (AgentId id = 0; id < count && status; ++id)
        if (id % 3 == 0) status = engine.move(id, agents[id * 7 % count]);
    for (AgentId id = 5; id < count && status; id += 11) status = engine.remove(id);
    AgentId added = 0;
    for (int i = 0; i < 3 && status; ++i) status = engine.insert({0, 0, 1, 1}, added);
    return status ? engine.commit() : status;
}

void try_world(const World& world, Isa isa) {
    Random random(14);
    std::vector<Box> walls{{0, 0, 0, 1e6f}};
    for (int i = 0; i < 200; ++i) walls.push_back(Box::around(somewhere(random, 300), 5));
    oracle::BruteForce twin, twin_of_walls;
    Engine engine({.isa = isa});
    expect(engine.status().ok() && engine.isa() == isa, "the instruction set");
    expect(twin_of_walls.update(walls).ok() && engine.set_static_layer(StaticLayer(walls)).ok(), "walls");
    twin.set_static_layer(twin_of_walls.frame());
    PairChanges changes;
    oracle::PairChanges expected_changes;
    for (int way = 0; way < 3; ++way) {
        expect(write(engine, way, world).ok() && write(twin, way, world).ok(), "writing");
        const Frame frame = engine.frame();
        const oracle::BruteForceFrame expected = twin.frame();
        const Asked asked{world, frame, expected};
        expect(frame.size() == expected.size(), "size");
        ask_boxes_and_shapes(asked);
        ask_pairs(asked);
        ask_neighbours(asked);
        ask_casts(asked);
        ask_with_walls(asked);
        oracle::PairLists pairs;
        expect(expected.pairs(pairs).ok() && changes.update(frame).ok(), "status of changes of pairs");
        expected_changes.see(pairs);
        expect(in_order(changes.began()) == expected_changes.began() &&
                   in_order(changes.ended()) == expected_changes.ended(),
               "pair_changes");
        expect(engine.validate().sound(), "validate");
    }
    std::printf("%-12s %-24s %5zu agents, last frame %016llx\n", to_string(isa), world.name,
                engine.frame().size(), static_cast<unsigned long long>(engine.frame().fingerprint()));
}

}  // namespace
}  // namespace throng::test

int main() {
    using namespace throng;
    std::array<char, 300> text{};
    describe(build_info(), text);
    std::printf("%s\n", text.data());
    test::expect(every_class_answers(), "a class");
    test::expect(every_structure_answers(), "a structure");
    for (const Isa isa : test::instruction_sets())
        for (const test::World& world :
             {test::even_crowd(), test::villages(), test::giants_over_small_ones(), test::pile_on_a_lattice(),
              test::any_floats(), test::a_few(), test::none()})
            test::try_world(world, isa);
    std::printf("%zu answers compared, %zu differ\n", test::compared, test::different);
    return test::different == 0 && best_isa() != Isa::automatic ? 0 : 1;
}
