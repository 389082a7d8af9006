// What heights are, which filters they have, and what a world without them is spared.
#include <concepts>

#include "support/filtered_answers.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

constexpr float highest = std::numeric_limits<float>::infinity(),
                no_height = std::numeric_limits<float>::quiet_NaN();

TEST(Band, is_every_height_unless_said_and_closed) {
    EXPECT_TRUE(Band{}.overlaps({1e38f, 1e38f}));
    EXPECT_TRUE((Band{1, 2}.overlaps({2, 3})));
    EXPECT_TRUE((Band{1, 2}.overlaps({0, 1})));
    EXPECT_FALSE((Band{1, 2}.overlaps({2.0000002f, 3})));
    EXPECT_TRUE((Band{0, 0}.overlaps({-0.0f, -0.0f})));
    EXPECT_TRUE((Band{highest, highest}.overlaps({})));
    EXPECT_FALSE((Band{-highest, -highest}.overlaps({highest, highest})));
}

TEST(Filter, admits_by_height) {
    EXPECT_TRUE((Filter{.heights = {1, 2}}.admits(1, {}, {2, 3})));
    EXPECT_FALSE((Filter{.heights = {1, 2}}.admits(1, {}, {2.5f, 3})));
    EXPECT_TRUE((Filter{.heights = {1, 2}}.admits(1, {}))) << "it has every height";
}

TEST(Heights, are_read_from_arrays_members_and_bases) {
    struct Agent {
        float feet;
        std::uint32_t kind;
        float head;
        Band band;
    };
    const std::vector<Agent> agents{{1, 7, 2, {5, 6}}, {3, 7, 4, {7, 8}}}, none;
    const std::vector<float> low{1, 3}, high{2, 4};
    const std::vector<Band> bands{{1, 2}, {3, 4}};
    const auto expect = [](const Heights& heights, const Band& first, const Band& second) {
        EXPECT_EQ(heights.fault(), Code::ok);
        ASSERT_EQ(heights.size(), 2u);
        EXPECT_EQ(heights[0], first);
        EXPECT_EQ(heights[1], second);
    };
    expect(bands, {1, 2}, {3, 4});
    expect(Heights::arrays(low, high), {1, 2}, {3, 4});
    expect(Heights::bases(low, 1.5f), {1, 2.5f}, {3, 4.5f});
    expect(Heights::members(agents, &Agent::feet, &Agent::head), {1, 2}, {3, 4});
    expect(Heights::members(agents, &Agent::band), {5, 6}, {7, 8});
    expect(Heights::bases(agents, &Agent::feet, 2), {1, 3}, {3, 5});
    expect(Heights::bases(agents, member_path(&Agent::band, &Band::min_z), 2), {5, 7}, {7, 9});
    expect(Heights::arrays(&agents[0].feet, &agents[0].head, 2, sizeof(Agent)), {1, 2}, {3, 4});
    expect(Heights::bases(&agents[0].feet, 1, 2, sizeof(Agent)), {1, 2}, {3, 4});
    EXPECT_TRUE(Heights::members(none, &Agent::band).empty() && Heights().empty());
    EXPECT_EQ(Heights::members(none, &Agent::band).fault(), Code::ok);
    EXPECT_EQ(Heights()[3], Band{});
    static_assert(!std::convertible_to<std::vector<Band>, Heights>, "it would dangle");
}

TEST(Heights, name_what_is_wrong_with_them) {
    const std::vector<float> two{1, 2}, three{1, 2, 3};
    EXPECT_EQ(Heights::arrays(two, three).fault(), Code::size_mismatch);
    EXPECT_EQ(Heights::arrays(nullptr, two.data(), 2).fault(), Code::null_view);
    EXPECT_EQ(Heights::arrays(two.data(), nullptr, 2).fault(), Code::null_view);
    EXPECT_EQ(Heights::bases(nullptr, 1, 2).fault(), Code::null_view);
    EXPECT_EQ(Heights::bases(two.data(), 1, 2, 3).fault(), Code::bad_stride);
    EXPECT_EQ(Heights::bases(two.data(), 1, 1, 3).fault(), Code::ok) << "one element needs no stride";
}

struct Storeys : ::testing::Test {
    // Three agents above each other, and one that has every height.
    const std::vector<Box> boxes{{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}};
    const std::vector<Band> bands{{0, 2}, {3, 5}, {6, 8}, {}};
    Engine engine;
    std::vector<AgentId> found(const Filter& filter) {
        std::vector<AgentId> ids;
        EXPECT_EQ(engine.frame().for_each_overlap(
                      boxes[0], [&](AgentId id) { ids.push_back(id); }, filter),
                  Status{});
        return ids;
    }
};
using Ids = std::vector<AgentId>;

TEST_F(Storeys, are_told_apart_by_all_kinds_of_queries) {
    ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
    const Frame frame = engine.frame();
    EXPECT_EQ(found({}), (Ids{0, 1, 2, 3}));
    EXPECT_EQ(found({.heights = {4, 6}}), (Ids{1, 2, 3}));
    EXPECT_EQ(found({.self = 3, .heights = {5.5f, 5.9f}}), Ids{});
    EXPECT_EQ(frame.count(boxes[0], {.heights = {2, 3}}).total, 3u);
    EXPECT_EQ(frame.first_hit(Cast::ray(-5, 0.5f, 9, 0), {.self = 3, .heights = {7, 7}}).hit.id, 2u);
    EXPECT_FALSE(frame.blocked(Cast::ray(-5, 0.5f, 9, 0), {.self = 3, .heights = {9, 9}}).found);
    EXPECT_EQ(frame.nearest({4, 4}, {.self = 3, .heights = {4, 4}}).neighbour.id, 1u);
    EXPECT_EQ(frame.height(1), (Band{3, 5}));
    EXPECT_EQ(frame.height(3), Band{});
    EXPECT_EQ(frame.height(99), Band{});
}

TEST_F(Storeys, have_neighbours_and_pairs_of_their_own) {
    ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
    const Frame frame = engine.frame();
    NeighbourLists lists;
    const auto list = [&](AgentId id) { return Ids(lists[id].begin(), lists[id].end()); };
    ASSERT_EQ(frame.neighbours(Within{.radius = 1}, lists), Status{});
    EXPECT_EQ(list(0), Ids{3});
    EXPECT_EQ(list(3), (Ids{0, 1, 2})) << "it has every height";
    ASSERT_EQ(frame.neighbours(Nearest{.count = 2}, lists, Filter{.heights = {4, 4}}), Status{});
    EXPECT_EQ(list(3), Ids{1}) << "a filter comes on top";
    EXPECT_EQ(list(1), Ids{3});
    ASSERT_EQ(frame.neighbours(Within{.radius = 1, .half = true}, lists), Status{});
    EXPECT_EQ(list(2), Ids{3});
    EXPECT_EQ(list(0), Ids{3});
    std::vector<std::uint32_t> counts(4);
    ASSERT_EQ(frame.count_neighbours(Within{.radius = 1}, counts), Status{});
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{1, 1, 1, 3}));
    const std::vector<Point> middle{{0.5f, 0.5f}};
    ASSERT_EQ(frame.neighbours(middle, Within{.radius = 1}, lists), Status{});
    EXPECT_EQ(lists[0].size(), 4u) << "a point is at every height";
    PairList pairs;
    ASSERT_EQ(frame.pairs(pairs), Status{});
    EXPECT_EQ(pairs.size(), 3u);
    KeptNeighbours kept({.radius = 1, .skin = 1});
    ASSERT_EQ(kept.update(frame), Status{});
    EXPECT_EQ(kept.lists()[0].size(), 3u) << "those at all heights";
}

// A hill, where all neighbours share a height though the crowd shares none. And storeys above each other,
// several of them in a packet of agents. Both are compared with each agent's own filter.
TEST(HeightsInACrowd, of_a_hill_or_a_tower_are_each_agents_own) {
    constexpr std::size_t agents = 3000;
    Random random(3);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < agents; ++i)
        boxes.push_back(Box::around(random.uniform(0, 60), random.uniform(0, 60), 0.5f, 0.5f));
    for (const bool tower : {false, true}) {
        std::vector<Filter> own(agents);
        std::vector<Band> bands;
        for (std::size_t i = 0; i < agents; ++i) {
            const float base =
                tower ? static_cast<float>(i % 4) * 3 : boxes[i].min_x + 0.01f * boxes[i].min_y;
            bands.push_back({base, base + 2.5f});
            own[i].heights = bands.back();
        }
        Engine engine;
        ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
        const Frame frame = engine.frame();
        NeighbourLists lists, filtered;
        for (const bool nearest : {false, true}) {
            const auto find = [&](NeighbourLists& to, const Filters& filters) {
                return nearest ? frame.neighbours(Nearest{.count = 8, .distances = true}, to, filters)
                               : frame.neighbours(Within{.radius = 2, .distances = true}, to, filters);
            };
            ASSERT_EQ(find(lists, {}), Status{});
            ASSERT_EQ(find(filtered, own), Status{});
            ASSERT_EQ(lists.ids().size(), filtered.ids().size());
            EXPECT_GT(lists.ids().size(), agents);
            EXPECT_TRUE(std::equal(lists.ids().begin(), lists.ids().end(), filtered.ids().begin()));
        }
    }
}

TEST_F(Storeys, stay_with_their_agents_through_edits) {
    ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
    ASSERT_EQ(engine.move(2, {0, 0, 1, 1.5f}), Status{});
    ASSERT_EQ(engine.relabel(1, {.categories = 4}), Status{});
    AgentId id;
    ASSERT_EQ(engine.insert(boxes[0], id), Status{});
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().height(2), (Band{6, 8}));
    EXPECT_EQ(engine.frame().height(id), Band{}) << "as the agents of an update without heights";
    EXPECT_EQ(found({.categories = 4, .heights = {3, 3}}), Ids{1});
    EXPECT_TRUE(engine.validate().sound());
    ASSERT_EQ(engine.update(boxes), Status{});
    EXPECT_EQ(engine.frame().height(2), Band{}) << "heights belong to the frame";
}

TEST_F(Storeys, that_all_agents_share_are_a_filter_once_an_edit_ends_it) {
    const std::vector<Band> shared{{0, 2}, {1, 3}, {1.5f, 2.5f}, {}};
    ASSERT_EQ(engine.update(boxes, {.heights = shared}), Status{});
    NeighbourLists lists;
    const auto listed = [&] {
        EXPECT_EQ(engine.frame().neighbours(Within{.radius = 1}, lists), Status{});
        return lists.ids().size();
    };
    EXPECT_EQ(found({.heights = {2, 2}}), (Ids{0, 1, 2, 3}));
    EXPECT_EQ(found({.heights = {2.5f, 9}}), (Ids{1, 2, 3}));
    EXPECT_EQ(engine.frame().count_pairs().total, 6u);
    EXPECT_EQ(listed(), 12u);
    ASSERT_EQ(engine.move(1, boxes[1], {5, 6}), Status{});
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(found({.heights = {2, 2}}), (Ids{0, 2, 3}));
    EXPECT_EQ(engine.frame().count_pairs().total, 4u);
    EXPECT_EQ(listed(), 8u);
    EXPECT_TRUE(engine.validate().sound());
}

TEST_F(Storeys, cost_nothing_where_all_agents_have_every_height) {
    ASSERT_EQ(engine.update(boxes), Status{});
    const std::uint64_t without = engine.frame().fingerprint();
    const std::vector<Band> usual(4);
    ASSERT_EQ(engine.update(boxes, {.heights = usual}), Status{});
    EXPECT_EQ(engine.frame().fingerprint(), without);
    EXPECT_EQ(found({.heights = {4, 4}}), (Ids{0, 1, 2, 3}));
    const std::uint64_t agents = engine.frame().agents_fingerprint();
    ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
    EXPECT_NE(engine.frame().agents_fingerprint(), agents);
}

TEST_F(Storeys, are_refused_by_the_first_that_is_not_legal_and_nothing_changes) {
    ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
    const std::uint64_t number = engine.frame().number();
    std::vector<Band> bad = bands;
    bad[2] = {3, 2};
    const Status inverted = engine.update(boxes, {.heights = bad});
    EXPECT_EQ(inverted, (Status{Code::inverted, 2}));
    EXPECT_EQ(inverted.argument, Argument::heights);
    bad[1].min_z = no_height;
    EXPECT_EQ(engine.update(boxes, {.heights = bad}), (Status{Code::not_finite, 1}));
    bad.resize(3);
    EXPECT_EQ(engine.update(boxes, {.heights = bad}), Status{Code::size_mismatch});
    const std::vector<AgentId> ids{9, 4, 6, 5};
    bad = bands;
    bad[3] = {highest, 1};
    EXPECT_EQ(engine.update(ids, boxes, {.heights = bad}), (Status{Code::inverted, 3}));
    EXPECT_EQ(engine.frame().number(), number);
    std::vector<AgentId> listed(4);
    LeftOut left_out{listed};
    EXPECT_EQ(engine.update(ids, boxes, {.heights = bad, .left_out = &left_out}), Status{});
    ASSERT_EQ(left_out.total, 1u);
    EXPECT_EQ(listed[0], 5u);
    EXPECT_EQ(engine.frame().height(6), (Band{6, 8}));
    bad[0] = {no_height, no_height};
    EXPECT_EQ(engine.update(boxes, {.heights = bad, .left_out = &left_out}), Status{});
    EXPECT_EQ(left_out.total, 2u);
    EXPECT_EQ(engine.frame().height(2), (Band{6, 8}));
}

TEST_F(Storeys, of_filters_are_refused_as_well) {
    ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
    const Frame frame = engine.frame();
    const Filter bad{.heights = {3, 2}};
    const Status inverted{Code::inverted};
    std::vector<std::uint32_t> counts(4);
    OverlapLists lists;
    EXPECT_EQ(frame.count(boxes[0], bad).status, inverted);
    EXPECT_EQ(frame.any(Circle{0, 0, 1}, bad).status, inverted);
    EXPECT_EQ(frame.for_each_overlap(
                  boxes[0], [](AgentId) {}, bad),
              inverted);
    EXPECT_EQ(frame.for_each_overlap(
                  boxes[0], [](AgentId, const Box&) {}, bad),
              inverted);
    EXPECT_EQ(frame.first_hit(Cast::ray(0, 0, 1, 1), bad).status, inverted);
    EXPECT_EQ(frame.blocked(Cast::ray(0, 0, 1, 1), bad).status, inverted);
    EXPECT_EQ(frame.for_each_hit(
                  Cast::ray(0, 0, 1, 1), [](const CastHit&) {}, bad),
              inverted);
    EXPECT_EQ(frame.nearest({0, 0}, bad).status, inverted);
    EXPECT_EQ(frame.overlaps(boxes, lists, bad), inverted);
    EXPECT_EQ(frame.with_static().count(boxes[0], bad).status, inverted);
    std::vector<Filter> each(4);
    each[2].heights.max_z = no_height;
    const Status status = frame.count(boxes, counts, each);
    EXPECT_EQ(status, (Status{Code::not_finite, 2}));
    EXPECT_EQ(status.argument, Argument::heights);
}

// In a labelled world the first heights make all rows anew, and edits go on from there.
TEST(HeightsInACrowd, are_kept_by_commits_of_any_size) {
    Random random(7);
    Twins twins;
    const Scene scene = make_scene("uniform", 600);
    const std::vector<Band> bands = random_bands(random, 600);
    ASSERT_EQ(twins.update(scene.boxes(), UpdateOptions{.heights = bands}), Code::ok);
    for (const std::size_t edits : {1u, 3u, 40u, 500u}) {
        for (std::size_t i = 0; i < edits; ++i) {
            const auto id = static_cast<AgentId>(random.below(600));
            if (twins.knows(id)) twins.move(id, scene.agents()[random.below(600)]);
        }
        ASSERT_EQ(twins.commit(), Code::ok);
        EXPECT_TRUE(twins.agree_by_id());
    }
}

// Of some agents and of all, of new ones and old ones, in one commit or over several.
TEST(HeightsInACrowd, that_were_edited_are_those_of_a_world_that_was_made_so) {
    Random random(8);
    Twins twins;
    const Scene scene = make_scene("uniform", 600);
    ASSERT_EQ(twins.update(scene.boxes()), Code::ok);
    for (const std::size_t edits : {1u, 4u, 90u, 1u, 400u, 30u}) {
        std::vector<AgentId> ids;
        for (AgentId id = 0; ids.size() < edits; ++id)
            if (twins.knows(id)) ids.push_back(id);
        shuffle(ids, random);
        std::vector<AgentId> fresh(edits / 3);
        const std::vector<Box> boxes = scene.queries(edits, random.next());
        const std::vector<Band> bands = random_bands(random, edits),
                                more = random_bands(random, fresh.size());
        const std::span<const Box> some = std::span(boxes).first(fresh.size());
        ASSERT_EQ(twins.move(ids.back(), boxes[0]), Code::ok);
        ASSERT_EQ(twins.move(ids, Boxes::of(std::span(boxes).first(ids.size())), bands), Code::ok);
        ASSERT_EQ(twins.insert(Boxes::of(some), fresh, UpdateOptions{.heights = more}), Code::ok);
        ASSERT_EQ(twins.move(ids[0], boxes[0]), Code::ok) << "which leaves it the height that it just got";
        if (edits == 30) twins.discard();
        ASSERT_EQ(twins.commit(), Code::ok);
        ASSERT_TRUE(twins.agree(scene.queries(30, random.next())));
        const std::vector<Band> heights = twins.twin().heights();
        const std::vector<Box> there = twins.twin().boxes();
        Engine made_so;
        ASSERT_EQ(made_so.update(twins.twin().ids(), there, UpdateOptions{.heights = heights}), Status{});
        EXPECT_EQ(made_so.frame().agents_fingerprint(), twins.frame().agents_fingerprint());
    }
}

// Heights are looked at while agents are put into their rows: some at a time, by several threads.
TEST(HeightsInACrowd, are_refused_by_the_first_that_is_not_legal_before_any_box) {
    const Scene scene = make_scene("uniform", 20'000);
    const std::vector<Box> boxes(scene.agents().begin(), scene.agents().end()),
        far_too_large(boxes.size(), {-1e6f, -1e6f, 1e6f, 1e6f});
    std::vector<Band> bands;
    std::vector<AgentId> ids;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        bands.push_back({3.0f * static_cast<float>(i % 4), 3.0f * static_cast<float>(i % 4) + 2});
        ids.push_back(static_cast<AgentId>(2 * (boxes.size() - i)));
    }
    CountingExecutor threads;
    for (const Executor& executor : {serial_executor(), threads.executor()})
        for (const std::vector<Box>* const legal : {&boxes, &far_too_large}) {
            Engine engine({.executor = executor}), spared({.executor = executor});
            for (Engine* const each : {&engine, &spared})
                ASSERT_EQ(each->update(*legal, {.heights = bands}), Status{});
            for (const std::size_t wrong : {0u, 1023u, 1024u, 11'111u, 19'999u}) {
                std::vector<Box> some = *legal;
                std::vector<Band> illegal = bands;
                illegal[wrong] = {3, 2};
                some[wrong / 2].min_x = illegal.back().min_z = no_height;
                const Status expected{wrong == 19'999 ? Code::not_finite : Code::inverted, wrong};
                for (const Status& status :
                     {engine.update(*legal, {.heights = illegal}), engine.update(some, {.heights = illegal}),
                      engine.update(ids, some, {.heights = illegal})}) {
                    EXPECT_EQ(status, expected);
                    EXPECT_EQ(status.argument, Argument::heights);
                }
                EXPECT_EQ(engine.update(some, {.heights = bands}), (Status{Code::not_finite, wrong / 2}));
            }
            for (Engine* const each : {&engine, &spared})
                ASSERT_EQ(each->update(boxes, {.heights = bands}), Status{});
            EXPECT_EQ(engine.frame().fingerprint(), spared.frame().fingerprint());
        }
}

TEST(HeightsOfEdits, are_refused_by_element_and_then_nothing_has_changed) {
    Engine engine;
    const std::vector<Box> boxes(3, {0, 0, 1, 1}), illegal{{0, 0, 1, 1}, {1, 0, 0, 1}, {0, 0, 1, 1}};
    ASSERT_EQ(engine.update(boxes), Status{});
    std::vector<AgentId> ids{0, 1, 2}, fresh(3, no_agent);
    std::vector<Band> bands{{0, 1}, {0, 1}, {0, no_height}};
    const auto refused = [&](const Status& status, Code code, std::size_t index) {
        EXPECT_EQ(status, (Status{code, index}));
        EXPECT_EQ(status.argument, Argument::heights);
        EXPECT_EQ(engine.staged(), 0u);
    };
    refused(engine.move(ids, boxes, bands), Code::not_finite, 2);
    refused(engine.insert(boxes, fresh, {.heights = bands}), Code::not_finite, 2);
    EXPECT_EQ(engine.move(ids, illegal, bands), (Status{Code::inverted, 1})) << "the lowest element";
    bands[1] = {1, 0};
    refused(engine.move(ids, illegal, bands), Code::inverted, 1);
    refused(engine.move(2, boxes[0], Band{1, 0}), Code::inverted, 0);
    refused(engine.insert(boxes[0], fresh[0], Label{}, Band{1, 0}), Code::inverted, 0);
    ids[1] = 9;
    EXPECT_EQ(engine.move(ids, boxes, bands), (Status{Code::unknown_id, 1}));
    bands.pop_back();
    refused(engine.move(ids, boxes, bands), Code::size_mismatch, Status::no_index);
    refused(engine.insert(boxes, fresh, {.heights = bands}), Code::size_mismatch, Status::no_index);
    const Status of_ghosts = engine.insert(boxes, fresh, {.owned = 2});
    EXPECT_EQ(of_ghosts, Status{Code::bad_config});
    EXPECT_EQ(of_ghosts.argument, Argument::owned);
    EXPECT_EQ(fresh[0], no_agent);
    ASSERT_EQ(engine.insert(boxes, fresh, {.owned = 3}), Status{});
    ASSERT_EQ(engine.move(0, boxes[0], {4, 5}), Status{});
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().height(0), (Band{4, 5}));
    EXPECT_EQ(engine.frame().height(5), Band{});
}

}  // namespace
}  // namespace throng::test
