#include "harness/reading_calls.hpp"

#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {

namespace {

// The arguments of a call, by their place in ReadingWorld::asked, and the calls that they are worth it for.
struct Arguments {
    const char* name;
    Given given;
    // What names of kinds begin with.
    std::vector<std::string_view> kinds;
};

const std::vector<Arguments>& arguments() {
    static const std::vector<Arguments> all{
        {"", Given::boxes, {""}},
        {", filtered", Given::labels, {"boxes", "pairs", "casts", "neighbours"}},
        {", the nearest", Given::boxes, {"neighbours"}},
        {", half", Given::boxes, {"neighbours"}},
        {", the nearest boxes within radii of their own", Given::boxes, {"neighbours"}},
        {", half, with ghosts", Given::ghosts, {"pairs", "neighbours"}},
    };
    return all;
}

// Small blocks of each kind are made once.
bool is_worth_while(const Arguments& with, const Kind& kind, const Call& call) {
    const std::string_view name = kind.name;
    const bool again = !with.kinds.front().empty();
    if (again && (call.is_single || (kind.is_layered && name.substr(0, 5) != "pairs"))) return false;
    return std::any_of(with.kinds.begin(), with.kinds.end(),
                       [&](std::string_view wanted) { return name.substr(0, wanted.size()) == wanted; });
}

// What was answered, in its order; lists that may come in any order are sorted.
void add_to_record(const Call& call, Results& results) {
    for (Numbers& list : results.answer) {
        if (call.gives == Gives::in_any_order) std::sort(list.begin(), list.end());
        results.record.push_back(list.size());
        results.record.insert(results.record.end(), list.begin(), list.end());
    }
    results.answer.clear();
}

ReadingCall reading_call(const Kind& kind, const Call& call, std::size_t with) {
    return {std::string(kind.name) + ": " + call.name + arguments()[with].name, arguments()[with].given,
            call.is_single, [&call, with](const Frame& frame, const ReadingWorld& world, Results& results) {
                results.answer.clear();
                results.changes.clear();
                const Status status = call.make(frame, world.asked[with], results);
                add_to_record(call, results);
                return status;
            }};
}

std::vector<ReadingCall> other_calls() {
    return {
        {"kept neighbours", Given::boxes, false,
         [](const Frame& frame, const ReadingWorld&, Results& results) {
             results.kept.clear();
             const Status status = results.kept.update(frame);
             const NeighbourLists& lists = results.kept.lists();
             results.note(lists.offsets(), lists.ids());
             return status;
         }},
        {"what a frame is made of", Given::boxes, true,
         [](const Frame& frame, const ReadingWorld&, Results& results) {
             return frame.for_each_part([&](const FramePart& part) {
                 results.note(static_cast<std::uint8_t>(part.kind), part.depth, part.agents, part.cells,
                              part.box.min_x, part.box.max_y);
             });
         }},
    };
}

}  // namespace

ReadingWorld::ReadingWorld(const Scene& scene, std::size_t count) : agents(scene.agents()) {
    Random random(4);
    labels = random_labels(random, agents.size());
    heights = random_bands(random, agents.size());
    std::vector<float> radii;
    for (std::size_t i = 0; i < agents.size(); ++i) radii.push_back(random.uniform(0, 3));
    const Amounts amounts{count, count, count, std::min<std::size_t>(count, 100), count / 5};
    for (std::size_t i = 0; i < arguments().size(); ++i)
        asked.emplace_back(scene, agents.size(), amounts, Filtered::not_at_all, 9);
    const auto look = [](Asked& one, const Neighbourhood& agents_look, const Neighbourhood& points_look) {
        one.of_agents = one.of_both = OwnNeighbourhood(agents_look);
        one.of_points = OwnNeighbourhood(points_look);
        one.pair_queries = {{}, {.within = 2}};
    };
    look(asked[0], {.radius = 2, .distances = true}, {.radius = 3, .distances = true});
    look(asked[1], {.radius = 2}, {.max_count = 3, .distances = true});
    look(asked[2], {.max_count = 8, .distances = true}, {.max_count = 3});
    look(asked[3], {.radius = 2, .half = true}, {.radius = 2});
    look(asked[5], {.radius = 2, .half = true, .distances = true}, {.radius = 2});
    look(asked[4], {.radii = radii, .max_count = 20, .agents_as = AgentsAs::boxes}, {.max_count = 20});
    asked[1].of_agents = OwnNeighbourhood({.radii = radii, .either_reaches = true, .distances = true});
    asked[1].pair_queries = {PairFilter{.a = 1, .b = 2}, {.filter = {.a = 1, .b = 2}, .within = 2}};
    asked[1].filtered = Filtered::all_by_one;
    asked[1].each[0] = {.categories = 2, .not_in_group = 2, .heights = {1, 5}};
}

Status ReadingWorld::fill(Engine& engine, Given given, MemoryResource* memory) const {
    static const Scene walls = make_scene("giants_over_small", 200, 8);
    const StaticLayer layer(walls.boxes(),
                            {.executor = serial_executor(), .memory = memory, .isa = engine.isa()});
    const Status status = engine.set_static_layer(layer);
    if (!status) return status;
    switch (given) {
    case Given::labels: return engine.update(agents, {labels, heights});
    case Given::ghosts: return engine.update(agents, {.owned = agents.size() * 3 / 4});
    case Given::boxes: break;
    }
    return engine.update(agents);
}

const std::vector<ReadingCall>& reading_calls() {
    static const std::vector<ReadingCall> all = [] {
        std::vector<ReadingCall> calls = other_calls();
        // Which arguments do not go together does not depend on the world.
        const ReadingWorld small(make_scene("uniform", 20), 5);
        for (std::size_t with = 0; with < arguments().size(); ++with)
            for (const Kind& kind : kinds())
                for (const Call& call : kind.calls)
                    if (is_worth_while(arguments()[with], kind, call) &&
                        !(call.is_refused && call.is_refused(small.asked[with])) &&
                        !(call.is_none && call.is_none(small.asked[with])))
                        calls.push_back(reading_call(kind, call, with));
        return calls;
    }();
    return all;
}

}  // namespace throng::test
