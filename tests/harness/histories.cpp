#include "harness/histories.hpp"

#include "support/filtered_answers.hpp"
#include "support/ids_with_holes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Elements of the same kind as the agents. Some are where agents are, and a few cross half of the world.
std::vector<Box> walls_for(const Scene& scene, Random& random) {
    std::vector<Box> walls;
    const std::size_t count = 20 + scene.agents().size() / 8;
    for (std::size_t i = 0; i < count; ++i) {
        Box wall = scene.place(random);
        const Box end = scene.agents().empty() ? wall : scene.agents()[random.below(scene.agents().size())];
        if (i % 3 == 0) wall = end;
        if (i % 7 == 0) wall.max_x = std::max(wall.max_x, end.max_x);
        if (i % 11 == 0) wall.max_y = std::max(wall.max_y, end.max_y);
        walls.push_back(wall);
    }
    return walls;
}

void edit(const Scene& scene, const State& state, Twins& twins, Random& random) {
    const std::size_t ids = scene.agents().size() + 20;
    for (std::size_t left = 2 + ids / (random.one_in(2) ? 4 : 40); left > 0; --left) {
        auto id = static_cast<AgentId>(random.below(ids));
        const Box box = scene.place(random);
        const std::vector<Band> height = random_bands(random, state.with_heights && random.one_in(2) ? 1 : 0);
        if (!twins.knows(id))
            twins.insert(Boxes::of({&box, 1}), {&id, 1}, UpdateOptions{.heights = height});
        else if (!height.empty() && random.one_in(3))
            twins.move(id, box, height[0]);
        else if (state.labelled && random.one_in(3))
            twins.relabel(id, random_label(random));
        else
            random.one_in(3) ? twins.remove(id) : twins.move(id, box);
    }
    if (random.one_in(2)) twins.release_memory();
    twins.commit();
}

void give_other_ids(Twins& twins, Random& random) {
    std::vector<AgentId> order(twins.frame().size());
    EXPECT_EQ(twins.frame().row_order(order).written, order.size());
    if (random.one_in(2)) shuffle(order, random);
    twins.renumber(order);
}

}  // namespace

std::vector<State> enough_states(std::size_t start) {
    std::vector<State> all;
    for (const bool labelled : {false, true})
        for (const bool layered : {true, false})
            for (const By by : {By::update, By::ids_with_holes, By::edits, By::other_ids, By::another_origin})
                for (const bool with_heights : {false, true})
                    all.push_back({by, labelled, layered, with_heights, all.size() % 3 == 1});
    // Neighbours in the list are much alike, so steps of seven meet all kinds sooner. A full run takes half
    // of the states; another start takes others.
    std::vector<State> some;
    while (some.size() < scaled(all.size() / 2, 5))
        some.push_back(all[(start + 7 * some.size()) % all.size()]);
    return some;
}

void bring_into(const State& state, const Scene& scene, Twins& twins, Random& random) {
    const std::vector<Box> walls = walls_for(scene, random);
    if (state.layered)
        twins.set_static_layer(walls, random_labels(random, state.labelled ? walls.size() : 0),
                               random_bands(random, state.with_heights ? walls.size() : 0));
    else
        twins.clear_static_layer();
    const std::size_t count = scene.agents().size();
    const std::vector<Label> labels = random_labels(random, state.labelled ? count : 0);
    const std::vector<Band> heights = random_bands(random, state.with_heights ? count : 0);
    UpdateOptions options{labels, heights};
    if (state.with_ghosts) options.owned = count - random.below(random.one_in(2) ? count + 1 : count / 8 + 1);
    if (state.by != By::ids_with_holes) {
        twins.update(scene.boxes(), options);
    } else {
        std::vector<AgentId> ids = ids_with_holes(count, 1 + random.below(3), random);
        if (random.one_in(2)) shuffle(ids, random);
        twins.update(ids, scene.boxes(), options);
    }
    if (state.by == By::edits) edit(scene, state, twins, random);
    if (state.by == By::other_ids) give_other_ids(twins, random);
    if (state.by == By::another_origin) random.one_in(2) ? twins.rebase(1000, -33.3f) : twins.rebase(0.1f, 0);
    if (random.one_in(2)) twins.release_memory();
}

void expect_every_call_to_agree(Scene scene, const std::vector<State>& states, const Amounts& amounts,
                                const EngineConfig& config, bool has_islands) {
    ManyTwins worlds(config);
    Random random(scene.agents().size());
    for (std::size_t i = 0; i < states.size(); ++i, scene.step()) {
        SCOPED_TRACE(scene.name() + ", " + std::to_string(scene.agents().size()) + " agents, state " +
                     std::to_string(i));
        bring_into(states[i], scene, worlds.twins(), random);
        ASSERT_TRUE(!has_islands || i != 0 || states[i].with_heights ||
                    worlds.twins().engine().frame().tuning().islands != 0);
        ASSERT_TRUE(worlds.agree(scene.with(worlds.twins().twin().boxes()), amounts,
                                 static_cast<Filtered>(random.below(4)), random.next()));
        if (::testing::Test::HasFailure()) return;
    }
}

}  // namespace throng::test
