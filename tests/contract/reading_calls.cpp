#include "contract/reading_calls.hpp"

#include "support/filtered_answers.hpp"
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {

namespace {

using F = const Frame&;
using Q = const ReadingWorld&;
using R = Results&;

}  // namespace

ReadingWorld::ReadingWorld(const Scene& scene, std::size_t count)
    : agents(scene.agents()),
      boxes(scene.queries(count)),
      shapes(scene, count, 9),
      casts(casts_for(scene, std::min<std::size_t>(count, 100))) {
    Random random(4);
    labels = random_labels(random, agents.size());
    points = random_points(random, agents, count);
    for (std::size_t i = 0; i < agents.size(); ++i) radii.push_back(random.uniform(0, 3));
    for (const Cast& cast : casts) cast_boxes.push_back(cast.start);
}

Status ReadingWorld::fill(Engine& engine, bool labelled, MemoryResource* memory) const {
    static const Scene walls = make_scene("giants_over_small", 200, 8);
    const StaticLayer layer(walls.boxes(),
                            {.executor = serial_executor(), .memory = memory, .isa = engine.isa()});
    const Status status = engine.set_static_layer(layer);
    if (!status) return status;
    return labelled ? engine.update(agents, labels) : engine.update(agents);
}

Casts ReadingWorld::cast_arrays() const {
    return Casts::boxes(cast_boxes, Points::arrays(&casts[0].dx, &casts[0].dy, casts.size(), sizeof(Cast)));
}

std::vector<ReadingCall> calls_for_boxes() {
    static constexpr AnswerLimit small{.max_bytes = 2000};
    return {
        {"one query", false,
         [](F f, Q q, R r) { return f.for_each_overlap(q.boxes[0], [&](AgentId id) { r.note(id); }); }},
        {"a batch", false, [](F f, Q q, R r) { return noted(f.overlaps(q.boxes, r.hits), r, r.hits); }},
        {"a batch as found", false,
         [](F f, Q q, R r) { return noted(f.overlaps(q.boxes, r.found), r, r.found); }},
        {"a batch of all agents as found", false,
         [](F f, Q q, R r) { return noted(f.overlaps(q.agents, r.found), r, r.found); }},
        {"a batch of shapes", false,
         [](F f, Q q, R r) { return noted(f.overlaps(q.shapes.all(), r.hits), r, r.hits); }},
        written<std::uint32_t>("counts of shapes", false,
                               [](F f, Q q, auto out) { return f.count(q.shapes.all(), out); }),
        written<std::uint8_t>("any of shapes", false,
                              [](F f, Q q, auto out) { return f.any(q.shapes.all(), out); }),
        {"a batch of all agents without themselves", false,
         [](F f, Q q, R r) {
             return noted(f.overlaps(q.agents, r.hits, Filters::each_without_itself({})), r, r.hits);
         }},
        {"a bounded batch", false,
         [](F f, Q q, R r) {
             std::vector<std::uint64_t> offsets(q.boxes.size() + 1);
             const Status status =
                 into<AgentId>(r, 100, [&](auto out) { return f.overlaps(q.boxes, offsets, out); });
             return noted(status, r, offsets);
         }},
        written<std::uint32_t>("a batch of counts", false,
                               [](F f, Q q, auto out) { return f.count(q.boxes, out); }),
        written<std::uint8_t>("a batch of any", false,
                              [](F f, Q q, auto out) { return f.any(q.boxes, out); }),
        {"a filtered batch", true,
         [](F f, Q q, R r) {
             return noted(f.overlaps(q.boxes, r.hits, Filters::all({.categories = 2})), r, r.hits);
         }},
        written<std::uint32_t>(
            "a filtered batch of counts", true,
            [](F f, Q q, auto out) { return f.count(q.boxes, out, Filters::all({.not_in_group = 2})); }),
        {"answers in blocks", false,
         [](F f, Q q, R r) {
             return f.for_each_answer(
                 q.agents, r.hits, [&](std::size_t first, const Hits& some) { r.note(first, some); }, small);
         }},
        written<std::uint32_t>("counts with a static layer", false,
                               [](F f, Q q, auto out) { return f.with_static().count(q.boxes, out); }),
        written<std::uint8_t>("any with a static layer", false,
                              [](F f, Q q, auto out) { return f.with_static().any(q.boxes, out); }),
        {"a batch with a static layer", false,
         [](F f, Q q, R r) {
             const Status status = f.with_static().overlaps(q.boxes, r.hits, r.walls);
             r.note(r.hits, r.walls);
             return status;
         }},
        {"answers in blocks with a static layer", false,
         [](F f, Q q, R r) {
             return f.with_static().for_each_answer(
                 q.boxes, r.hits, r.walls,
                 [&](std::size_t first, const Hits& some, const Hits& walls) { r.note(first, some, walls); },
                 small);
         }},
        {"what a frame is made of", false,
         [](F f, Q, R r) {
             return f.for_each_part([&r](const FramePart& part) {
                 r.note(static_cast<std::uint8_t>(part.kind), part.depth, part.agents, part.cells,
                        part.box.min_x, part.box.max_y);
             });
         }},
        {"a batch explained", false,
         [](F f, Q q, R r) {
             const Explain explain = f.explain(q.boxes);
             r.note(explain.rows, explain.cells, explain.hits);
             return explain.status;
         }},
        written<AgentId>("the order of the agents", false, [](F f, Q, auto out) { return f.row_order(out); }),
    };
}

std::vector<ReadingCall> calls_for_pairs() {
    const auto list = [](const char* name, bool labelled, const PairQuery& wanted) -> ReadingCall {
        return {name, labelled,
                [=](F f, Q, R r) { return noted(f.pairs(r.pairs, wanted), r, r.pairs.pairs()); }};
    };
    const auto count = [](const char* name, bool labelled, const PairQuery& wanted) -> ReadingCall {
        return {name, labelled, [=](F f, Q, R r) {
                    const Count found = f.count_pairs(wanted);
                    return noted(found.status, r, found.total);
                }};
    };
    const auto between = [](const char* name, const PairQuery& wanted) -> ReadingCall {
        return {name, false, [=](F f, Q, R r) {
                    return noted(f.pairs_with(f.static_layer(), r.pairs, wanted), r, r.pairs.pairs());
                }};
    };
    return {
        list("pairs", false, {}),
        list("filtered pairs", true, PairFilter{.a = 1, .b = 2}),
        list("pairs within a distance", false, {.within = 2}),
        list("filtered pairs within a distance", true, {.filter = {.a = 1, .b = 2}, .within = 2}),
        count("counted pairs", false, {}),
        count("counted filtered pairs", true, PairFilter{.a = 1, .b = 2}),
        count("counted pairs within a distance", false, {.within = 1}),
        between("pairs with a static layer", {}),
        between("filtered pairs with a static layer", PairFilter{.a = 1, .b = 1}),
        between("pairs with a static layer within a distance", {.within = 1}),
        {"changes of pairs", false,
         [](F f, Q, R r) {
             r.changes.clear();
             const Status status = f.pair_changes(r.changes);
             r.note(r.changes.began(), r.changes.ended(), r.changes.pairs());
             return status;
         }},
        {"sorted pairs", false,
         [](F f, Q, R r) {
             if (const Status status = f.pairs(r.pairs); !status.ok()) return status;
             const std::vector<Pair> found(r.pairs.begin(), r.pairs.end());
             const Status sorted = r.pairs.sort();
             if (sorted.ok()) return noted(sorted, r, r.pairs.pairs());
             EXPECT_TRUE(equal_ranges(found, r.pairs)) << "the list stays as it was";
             r.pairs.clear();
             return sorted;
         }},
        {"bounded pairs", false,
         [](F f, Q, R r) { return into<Pair>(r, 100, [&](auto out) { return f.pairs(out); }); }},
        {"streamed pairs", false,
         [](F f, Q, R r) {
             std::atomic<std::uint64_t> sum = 0;
             const Status status = f.for_each_pair_concurrently([&](std::span<const Pair> some) {
                 for (const Pair& pair : some) sum += std::uint64_t{pair.a} * pair.b + 1;
             });
             return noted(status, r, sum.load());
         }},
    };
}

const std::vector<ReadingCall>& reading_calls() {
    static const std::vector<ReadingCall> all = [] {
        std::vector<ReadingCall> calls = calls_for_boxes();
        for (const auto& some : {calls_for_pairs(), calls_for_neighbours(), calls_for_casts()})
            calls.insert(calls.end(), some.begin(), some.end());
        return calls;
    }();
    return all;
}

}  // namespace throng::test
