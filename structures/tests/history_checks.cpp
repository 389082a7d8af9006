#include "structures/tests/index_checks.hpp"

#include "structures/tests/test.hpp"
#include "structures/tests/worlds.hpp"

namespace throng::structures::test {
namespace {

// With one left out: mostly one that is there, and now and then one that never was.
void ask_some(const Witness& witness, Random& random, std::size_t count) {
    const std::vector<Box> boxes = witness.living_boxes();
    for (std::size_t i = 0; i < count; ++i) {
        ElementId omitted = no_element;
        if (random.one_in(2) && !boxes.empty()) omitted = witness.living()[random.below(boxes.size())];
        if (random.one_in(20)) omitted = static_cast<ElementId>(random.next());
        witness.ask(query_about(boxes, random), omitted);
    }
}

// Each element's own box, without itself: the most common query.
void ask_own_boxes(const Witness& witness, Random& random, std::size_t count) {
    for (std::size_t i = 0; i < count && witness.size() != 0; ++i) {
        const ElementId id = witness.living()[random.below(witness.size())];
        witness.ask(witness.given(id), id);
    }
}

void check_history(const IndexKind& kind, const Scene& scene, Guess guess, std::size_t steps,
                   std::uint64_t seed) {
    CountingResource memory;
    {
        Random random(seed);
        const Expected expected = mistaken(expected_of(scene.agents()), guess);
        Witness witness(kind, expected, memory);
        require(witness.works() || !is_sane(expected), "it refuses a sane configuration");
        if (!witness.works()) return;
        for (std::size_t step = 0; step < steps; ++step) {
            within(in_words("step ", step), [&] {
                edit_somehow(witness, scene, random);
                if (step % 40 == 39 || step + 1 == steps) check_all_of(witness, random);
            });
        }
    }
    require(memory.blocks_out() == 0 && !memory.misused(), "memory was not given back as it was taken");
}

// A new world in every frame, larger and smaller ones, and a frame that moves.
void check_assignments(const IndexKind& kind, const SceneRecipe& recipe, Guess guess, std::uint64_t seed) {
    CountingResource memory;
    Random random(seed);
    Scene large(recipe, scaled(500, 150), seed), small(recipe, 20, seed);
    const Expected expected = mistaken(expected_of(large.agents()), guess);
    Witness witness(kind, expected, memory);
    require(witness.works() || !is_sane(expected), "it refuses a sane configuration");
    if (!witness.works()) return;
    check_all_of(witness, random, 4);
    for (std::size_t frame = 0; frame < 6; ++frame) {
        within(in_words("frame ", frame), [&] {
            assign_acceptable(witness, frame % 3 == 1 ? small.agents() : large.agents());
            check_all_of(witness, random, 40);
            large.step();
        });
    }
    assign_acceptable(witness, {});
    check_all_of(witness, random, 4);
}

// Ids stay small, however many come and go.
void check_ids(const IndexKind& kind) {
    CountingResource memory;
    Random random(16);
    const std::vector<Box> crowd = even_crowd(200, 30, 4);
    Witness witness(kind, expected_of(crowd), memory);
    for (std::size_t round = 0; round < 10; ++round) {
        for (const Box& box : crowd) witness.insert(box);
        if (round == 8) check_all_of(witness, random);
        while (witness.size() != 0)
            static_cast<void>(witness.remove(witness.living()[random.below(witness.size())]));
        if (round % 2 == 0) witness.clean_up();
    }
    check_all_of(witness, random);
}

}  // namespace

void check_all_of(Witness& witness, Random& random, std::size_t queries) {
    witness.look();
    ask_some(witness, random, queries);
    ask_own_boxes(witness, random, queries / 2);
    witness.ask_pairs();
}

// Leaves out the elements that a structure may refuse, where the host expected others.
void assign_acceptable(Witness& witness, std::vector<Box> boxes) {
    const Status status = witness.assign(boxes);
    if (status.code != Code::too_large) return;
    std::erase_if(boxes, [&](const Box& box) { return witness.may_be_too_large(box); });
    require(witness.assign(boxes).ok(), "it refuses elements of the size that it was made for");
}

void edit_somehow(Witness& witness, const Scene& scene, Random& random) {
    const auto some_id = [&] { return witness.living()[random.below(witness.size())]; };
    const std::size_t wanted = scene.agents().size();
    const std::size_t what = random.below(1000);
    if (what < 4) return assign_acceptable(witness, scene.agents());
    if (what < 6) return witness.clear();
    if (what < 10) {
        // Nearly all elements go, the oldest first, or the youngest, or in any order.
        const std::size_t left = random.below(5);
        const std::size_t from = random.below(3);
        while (witness.size() > left)
            static_cast<void>(witness.remove(from == 0   ? witness.living().front()
                                             : from == 1 ? witness.living().back()
                                                         : some_id()));
        return;
    }
    if (what < 30) return witness.clean_up();
    if (what < 60) return witness.clean_up(random.below(20));
    const bool few = witness.size() < wanted / 2;
    if (witness.size() == 0 || what < (few ? 600u : 250u)) {
        if (witness.size() <= wanted) witness.insert(scene.place(random));
    } else if (what < (few ? 650u : 450u)) {
        static_cast<void>(witness.remove(some_id()));
    } else {
        const ElementId id = some_id();
        // Anywhere, or a short way, so that it often stays in its cell, or onto another one.
        const std::size_t how = random.below(4);
        const Box box = how == 0   ? witness.given(some_id())
                        : how == 1 ? scene.place(random)
                                   : nudged(witness.given(id), random.uniform(-0.7f, 0.7f));
        static_cast<void>(witness.move(id, box));
    }
}

// Every scene there is, and for each of them a host that is right about it and one that is not.
void check_all_assignments(const IndexKind& kind) {
    std::uint64_t seed = 1;
    for (const SceneRecipe& recipe : scene_recipes())
        for (const Guess guess : guesses)
            within(in_words(recipe.name, ", guess ", static_cast<int>(guess)),
                   [&] { check_assignments(kind, recipe, guess, ++seed); });
}

void check_all_histories(const IndexKind& kind) {
    if (kind.dynamic) {
        within("coming and going", [&] { check_ids(kind); });
        std::uint64_t seed = 1;
        for (const SceneRecipe& recipe : scene_recipes())
            for (const Guess guess : guesses)
                within(in_words(recipe.name, ", guess ", static_cast<int>(guess)), [&] {
                    const Scene scene(recipe, 200, ++seed);
                    check_history(kind, scene, guess, scaled(1500, 200), seed);
                });
    }
}

}  // namespace throng::structures::test
