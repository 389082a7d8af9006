// The calls for neighbours, and for pairs within a distance, that may run out of memory.
#include "contract/out_of_memory_calls.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// What a call for lists of neighbours gives, as numbers.
template <class Find>
Status answer_lists(World& world, const Find& find) {
    Neighbours lists(&world.memory);
    const Status status = find(world.engine.frame(), lists);
    world.answer.assign(lists.offsets().begin(), lists.offsets().end());
    world.answer.insert(world.answer.end(), lists.ids().begin(), lists.ids().end());
    if (!status && !lists.empty()) ADD_FAILURE() << "a call that failed left lists";
    return status;
}
// The same for a call that gives them in blocks.
template <class Find>
Status answer_blocks(World& world, const Find& find) {
    Neighbours block(&world.memory);
    const auto add = [&](std::size_t, const Neighbours& some) {
        world.answer.insert(world.answer.end(), some.offsets().begin(), some.offsets().end());
        world.answer.insert(world.answer.end(), some.ids().begin(), some.ids().end());
    };
    world.answer.clear();
    const Status status = find(world.engine.frame(), block, add);
    if (!status && !block.empty()) ADD_FAILURE() << "a call that failed left lists";
    return status;
}
// The same for one that gives those of agents and of elements: what is left of a block is not looked at.
template <class Find>
Status answer_both(World& world, const Find& find) {
    Neighbours agents(&world.memory), elements(&world.memory);
    const Status status = find(world.engine.frame().with_static(), agents, elements);
    world.answer.clear();
    for (const Neighbours* lists : {&agents, &elements})
        world.answer.insert(world.answer.end(), lists->ids().begin(), lists->ids().end());
    if (!status && !(agents.empty() && elements.empty())) ADD_FAILURE() << "a call that failed left lists";
    return status;
}
const std::vector<Point>& some_places() {
    static const std::vector<Point> places = [] {
        std::vector<Point> some;
        for (const Box& box : first_scene().queries(600)) some.push_back({box.min_x, box.max_y});
        return some;
    }();
    return places;
}
const std::vector<float>& some_radii() {
    static const std::vector<float> radii = [] {
        Random random(4);
        std::vector<float> some;
        for (std::size_t i = 0; i < first_scene().agents().size(); ++i) some.push_back(random.uniform(0, 3));
        return some;
    }();
    return radii;
}

}  // namespace

std::vector<Call> reading_calls_for_neighbours() {
    return {
        {"neighbours by id", populate,
         [](World& world) {
             return answer_lists(world, [](const Frame& frame, Neighbours& lists) {
                 return frame.neighbours({.radius = 2, .distances = true}, lists);
             });
         }},
        {"neighbours in row order", populate,
         [](World& world) {
             return answer_lists(world, [](const Frame& frame, Neighbours& lists) {
                 return frame.neighbours({.max_count = 5, .in_row_order = true}, lists);
             });
         }},
        {"kept neighbours", populate,
         [](World& world) {
             KeptNeighbours kept({.radius = 2, .skin = 0.5f}, &world.memory);
             const Status status = world.engine.frame().neighbours(kept);
             world.answer.assign(kept.lists().ids().begin(), kept.lists().ids().end());
             return status;
         }},
        {"neighbours of which either reaches the other", populate_with_labels,
         [](World& world) {
             return answer_lists(world, [](const Frame& frame, Neighbours& lists) {
                 return frame.neighbours({.radii = some_radii(), .either = true, .distances = true}, lists,
                                         Filter{.other_than = 2});
             });
         }},
        {"counts of those", populate,
         [](World& world) {
             std::vector<std::uint32_t> counts(some_radii().size());
             const Status status =
                 world.engine.frame().count_neighbours({.radii = some_radii(), .half = true}, counts);
             world.answer.assign(counts.begin(), counts.end());
             return status;
         }},
        {"neighbours of points", populate,
         [](World& world) {
             return answer_lists(world, [](const Frame& frame, Neighbours& lists) {
                 return frame.neighbours(some_places(), {.max_count = 3, .distances = true}, lists);
             });
         }},
        {"neighbours in blocks by id", populate,
         [](World& world) {
             return answer_blocks(world, [](const Frame& frame, Neighbours& block, const auto& add) {
                 return frame.for_each_answer({.radius = 2, .half = true}, block, add, {.max_bytes = 2000});
             });
         }},
        {"neighbours in blocks in row order", populate,
         [](World& world) {
             return answer_blocks(world, [](const Frame& frame, Neighbours& block, const auto& add) {
                 return frame.for_each_answer({.max_count = 5, .distances = true, .in_row_order = true},
                                              block, add, {.max_bytes = 3000});
             });
         }},
        {"neighbours in another frame in blocks by id", populate_with_layer,
         [](World& world) {
             return answer_blocks(world, [](const Frame& frame, Neighbours& block, const auto& add) {
                 return frame.for_each_answer(frame.static_layer(), {.radius = 2}, block, add,
                                              {.max_bytes = 2000});
             });
         }},
        {"neighbours in an empty frame in blocks in row order", populate,
         [](World& world) {
             return answer_blocks(world, [](const Frame& frame, Neighbours& block, const auto& add) {
                 return frame.for_each_answer(Frame(), {.radius = 2, .in_row_order = true}, block, add,
                                              {.max_bytes = 2000});
             });
         }},
        {"neighbours of points in blocks", populate,
         [](World& world) {
             return answer_blocks(world, [](const Frame& frame, Neighbours& block, const auto& add) {
                 return frame.for_each_answer(some_places(), {.radius = 2}, block, add, {.max_bytes = 2000});
             });
         }},
        {"neighbours of both kinds", populate_with_layer,
         [](World& world) {
             return answer_both(world, [](const WithStatic& both, Neighbours& agents, Neighbours& walls) {
                 return both.neighbours({.max_count = 4}, agents, walls);
             });
         }},
        {"neighbours of both kinds around points", populate_with_layer,
         [](World& world) {
             return answer_both(world, [](const WithStatic& both, Neighbours& agents, Neighbours& walls) {
                 return both.neighbours(some_places(), {.radius = 3}, agents, walls);
             });
         }},
        {"neighbours of both kinds in blocks", populate_with_layer,
         [](World& world) {
             return answer_both(world, [](const WithStatic& both, Neighbours& agents, Neighbours& walls) {
                 return both.for_each_answer({.radius = 3}, agents, walls,
                                             [](std::size_t, const Neighbours&, const Neighbours&) {},
                                             {.max_bytes = 3000});
             });
         }},
        {"counts of neighbours of both kinds", populate_with_layer,
         [](World& world) {
             std::vector<std::uint32_t> counts(some_radii().size());
             const Status status = world.engine.frame().with_static().count_neighbours({.radius = 3}, counts);
             world.answer.assign(counts.begin(), counts.end());
             return status;
         }},
        {"pairs within a distance", populate,
         [](World& world) { return world.engine.frame().pairs(world.list, {.within = 2}); }},
        {"filtered pairs within a distance", populate_with_labels,
         [](World& world) { return world.engine.frame().pairs(world.list, {.a = 1, .b = 2, .within = 2}); }},
        {"filtered pairs with a static layer", populate_with_layer,
         [](World& world) {
             const Frame frame = world.engine.frame();
             return frame.pairs_with(frame.static_layer(), world.list, {.a = 1, .b = 1});
         }},
        {"counts of neighbours of points", populate,
         [](World& world) {
             std::vector<std::uint32_t> counts(some_places().size());
             const Status status =
                 world.engine.frame().count_neighbours(some_places(), {.radius = 2}, counts);
             world.answer.assign(counts.begin(), counts.end());
             return status;
         }},
    };
}

}  // namespace throng::test
