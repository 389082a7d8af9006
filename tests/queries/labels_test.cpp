// What labels are, what they cost, and what they spare.
#include <concepts>

#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(Label, is_the_first_category_and_no_group_unless_said) {
    EXPECT_EQ(Label{}.categories, 1u);
    EXPECT_EQ(Label{}.group, no_group);
}

TEST(Filter, admits_by_category_and_refuses_oneself_and_ones_own_group) {
    EXPECT_TRUE((Filter{.categories = 6}.admits(1, {.categories = 4})));
    EXPECT_FALSE((Filter{.categories = 6}.admits(1, {.categories = 9})));
    EXPECT_FALSE(Filter{.categories = 6}.admits(1, {.categories = 0}));
    EXPECT_TRUE(Filter{}.admits(1, {.categories = 0})) << "no filter at all";
    EXPECT_FALSE(Filter{.self = 1}.admits(1, {}));
    EXPECT_TRUE(Filter{.self = 1}.admits(2, {}));
    EXPECT_FALSE((Filter{.not_in_group = 7}.admits(1, {.group = 7})));
    EXPECT_TRUE((Filter{.not_in_group = 7}.admits(1, {.group = 8})));
    EXPECT_TRUE(Filter{.not_in_group = 7}.admits(1, {}));
}

TEST(Labels, are_read_from_arrays_of_any_stride) {
    struct Agent {
        std::uint32_t team;
        float health;
        std::uint32_t kind;
    };
    const Agent agents[] = {{7, 1, 2}, {8, 1, 3}};
    const Labels both = Labels::arrays(&agents[0].kind, &agents[0].team, 2, sizeof(Agent));
    EXPECT_EQ(both[1], (Label{3, 8}));
    const Labels kinds = Labels::categories(&agents[0].kind, 2, sizeof(Agent));
    EXPECT_EQ(kinds[0], (Label{2, no_group}));
    const Label labels[] = {{4, 1}, {5, 2}};
    EXPECT_EQ(Labels::of(labels)[1], (Label{5, 2}));
    EXPECT_TRUE(Labels().empty());
    EXPECT_EQ(Labels::categories(nullptr, 2).fault(), Code::null_view);
    EXPECT_EQ(Labels().fault(), Code::ok);
}

TEST(Labels, are_read_from_members_of_the_hosts_own_structs) {
    struct Named {
        std::uint32_t team;
    };
    struct Agent : Named {
        float health;
        std::uint32_t kind;
        Label label;
    };
    const std::vector<Agent> agents{{{7}, 1, 2, {4, 9}}, {{8}, 1, 3, {5, 10}}}, none;
    const auto expect = [](const Labels& labels, const Label& first, const Label& second) {
        EXPECT_EQ(labels.fault(), Code::ok);
        ASSERT_EQ(labels.size(), 2u);
        EXPECT_EQ(labels[0], first);
        EXPECT_EQ(labels[1], second);
    };
    expect(Labels::members(agents, &Agent::kind, &Agent::team), {2, 7}, {3, 8});
    expect(Labels::members(agents, &Agent::label), {4, 9}, {5, 10});
    expect(Labels::groups(agents, member_path(&Agent::label, &Label::group)), {1, 9}, {1, 10});
    expect(Labels::categories(agents, &Agent::kind), {2, no_group}, {3, no_group});
    expect(Labels::groups(agents, &Agent::team), {1, 7}, {1, 8});
    for (const Labels& empty :
         {Labels::members(none, &Agent::kind, &Agent::team), Labels::members(none, &Agent::label),
          Labels::groups(std::span<const Agent>(), &Agent::team)}) {
        EXPECT_TRUE(empty.empty());
        EXPECT_EQ(empty.fault(), Code::ok);
    }
}

// As with Boxes: a view of a container that goes at the end of the line would dangle.
template <class Range>
concept ViewedAsCategories = requires(Range&& range) {
    Labels::categories(std::forward<Range>(range));
};
template <class Range>
concept ViewedAsFilters = requires(Range&& range) {
    Filters::of(std::forward<Range>(range));
};
template <class Range>
concept ViewedByMember = requires(Range&& range) {
    Labels::members(std::forward<Range>(range), &Label::categories, &Label::group);
};
static_assert(std::convertible_to<std::vector<Label>&, Labels> &&
              std::convertible_to<std::span<Label>, Labels>);
static_assert(!std::convertible_to<std::vector<Label>, Labels>);
static_assert(std::convertible_to<const std::vector<Filter>&, Filters> &&
              std::convertible_to<std::span<const Filter>, Filters> &&
              !std::convertible_to<std::vector<Filter>, Filters>);
static_assert(ViewedAsCategories<const std::vector<std::uint32_t>&> &&
              !ViewedAsCategories<std::vector<std::uint32_t>>);
static_assert(ViewedAsFilters<std::vector<Filter>&> && !ViewedAsFilters<std::vector<Filter>>);
static_assert(ViewedByMember<std::vector<Label>&> && !ViewedByMember<std::vector<Label>>);

class LabelledWorld : public ::testing::Test {
protected:
    LabelledWorld() : scene_(make_scene("uniform", 3000)), labels_(scene_.agents().size()) {
        for (std::size_t i = 0; i < labels_.size(); ++i)
            labels_[i] = {i % 1000 == 0 ? 3u : 1u, static_cast<std::uint32_t>(i % 2)};
    }
    Status update(Engine& engine) { return engine.update(scene_.boxes(), {.labels = Labels::of(labels_)}); }

    Scene scene_;
    std::vector<Label> labels_;
    Engine engine_{{.executor = serial_executor()}};
    const Box everywhere_{-1e30f, -1e30f, 1e30f, 1e30f};
};

TEST_F(LabelledWorld, forgets_its_labels_in_an_update_without_them) {
    ASSERT_EQ(update(engine_), Status{});
    EXPECT_EQ(engine_.frame().count(everywhere_, {.categories = 2}).total, 3u);
    EXPECT_EQ(engine_.frame().count(everywhere_, {.not_in_group = 0}).total, 1500u);
    ASSERT_EQ(engine_.update(scene_.boxes()), Status{});
    EXPECT_EQ(engine_.frame().count(everywhere_, {.categories = 2}).total, 0u);
    EXPECT_EQ(engine_.frame().count(everywhere_, {.categories = 1}).total, 3000u);
    EXPECT_EQ(engine_.frame().count(everywhere_, {.not_in_group = 0}).total, 3000u);
    EXPECT_EQ(engine_.frame().count(everywhere_, {.self = 5}).total, 2999u);
    EXPECT_EQ(engine_.frame().count_pairs(PairFilter{.a = 2}).total, 0u);
    EXPECT_EQ(engine_.frame().count_pairs(PairFilter{.a = 1}).total, engine_.frame().count_pairs().total);
}

TEST_F(LabelledWorld, costs_nothing_while_all_labels_are_the_default_one) {
    Engine plain = engine_with(scene_.boxes(), {.executor = serial_executor()});
    labels_.assign(labels_.size(), Label{});
    ASSERT_EQ(update(engine_), Status{});
    EXPECT_EQ(engine_.memory().total(), plain.memory().total());
    EXPECT_EQ(engine_.frame().fingerprint(), plain.frame().fingerprint());
    ASSERT_EQ(committed(engine_, engine_.relabel(7, Label{})), Status{});
    EXPECT_EQ(engine_.frame().fingerprint(), plain.frame().fingerprint());
}

TEST_F(LabelledWorld, answers_without_a_filter_as_if_it_had_no_labels) {
    Engine plain = engine_with(scene_.boxes(), {.executor = serial_executor()});
    ASSERT_EQ(update(engine_), Status{});
    OverlapLists hits, expected;
    const std::vector<Box> queries = scene_.queries(500);
    ASSERT_EQ(engine_.frame().overlaps(Boxes::of(queries), hits), Status{});
    ASSERT_EQ(plain.frame().overlaps(Boxes::of(queries), expected), Status{});
    EXPECT_TRUE(equal_ranges(hits.ids(), expected.ids()));
    EXPECT_NE(engine_.frame().fingerprint(), plain.frame().fingerprint()) << "labels belong to the content";
}

TEST_F(LabelledWorld, looks_at_few_agents_when_few_are_wanted) {
    ASSERT_EQ(update(engine_), Status{});
    const Frame frame = engine_.frame();
    const Explain all = frame.explain(everywhere_, {.categories = 1});
    const Explain rare = frame.explain(everywhere_, {.categories = 2});
    const Explain none = frame.explain(everywhere_, {.categories = 4});
    EXPECT_EQ(all.hits, 3000u);
    EXPECT_EQ(all.tested, frame.explain(everywhere_).tested) << "what all have is no filter";
    EXPECT_EQ(rare.hits, 3u);
    EXPECT_GE(rare.tested, 3u);
    EXPECT_LT(rare.tested, 150u);
    EXPECT_LE(rare.rows, 3u);
    EXPECT_EQ(none.tested + none.rows + none.cells + none.hits, 0u);

    const Explain batch = frame.explain(scene_.boxes(), Filters::all({.categories = 2}));
    const Explain plain = frame.explain(scene_.boxes());
    EXPECT_EQ(batch.queries, 3000u);
    EXPECT_LT(batch.tested * 20, plain.tested + plain.covered);
}

TEST_F(LabelledWorld, skips_giants_that_are_not_wanted) {
    std::vector<Box> boxes = scene_.agents();
    for (std::size_t i = 0; i < 40; ++i)
        boxes.push_back({static_cast<float>(i), 0, static_cast<float>(i) + 90, 90});
    labels_.resize(boxes.size());
    labels_.back().categories = 8;
    ASSERT_EQ(engine_.update(Boxes::of(boxes), {.labels = Labels::of(labels_)}), Status{});
    ASSERT_GE(engine_.frame().tuning().oversized, 40u);
    const Box spot{45, 45, 46, 46};
    EXPECT_EQ(engine_.frame().explain(spot, {.categories = 16}).oversized, 0u);
    EXPECT_EQ(engine_.frame().explain(spot, {.categories = 16}).nodes, 1u);
    EXPECT_EQ(engine_.frame().explain(spot, {.categories = 8}).hits, 1u);
    EXPECT_LE(engine_.frame().explain(spot, {.categories = 8}).oversized, 16u);
}

TEST_F(LabelledWorld, answers_misuse) {
    ASSERT_EQ(update(engine_), Status{});
    const std::uint64_t before = engine_.frame().fingerprint();
    const std::vector<Label> few(5);
    EXPECT_EQ(engine_.update(scene_.boxes(), {.labels = Labels::of(few)}).code, Code::size_mismatch);
    EXPECT_EQ(engine_.update(scene_.boxes(), {.labels = Labels::categories(nullptr, 3000)}).code,
              Code::null_view);
    AgentId ids[3] = {1, 2, 1};
    const std::vector<Box> boxes(3);
    EXPECT_EQ(engine_.insert(Boxes::of(boxes), ids, {.labels = Labels::of(few)}).code, Code::size_mismatch);
    EXPECT_EQ(engine_.insert(Boxes::of(boxes), ids, {.labels = Labels::categories(nullptr, 3)}).code,
              Code::null_view);
    const std::vector<Label> three(3);
    EXPECT_EQ(engine_.relabel(ids, Labels::of(few)).code, Code::size_mismatch);
    EXPECT_EQ(engine_.relabel(ids, Labels::of(three)), (Status{Code::duplicate_id, 2}));
    EXPECT_EQ(engine_.relabel(ids, Labels::categories(nullptr, 3)).code, Code::null_view);
    EXPECT_EQ(
        engine_.relabel(std::span<const AgentId>(static_cast<const AgentId*>(nullptr), 3), Labels::of(three))
            .code,
        Code::null_view);
    EXPECT_EQ(engine_.relabel(3000, {}).code, Code::unknown_id);
    EXPECT_EQ(engine_.relabel(no_agent, {}).code, Code::unknown_id);
    EXPECT_EQ(engine_.staged(), 0u);
    EXPECT_EQ(engine_.frame().fingerprint(), before);

    const Frame frame = engine_.frame();
    OverlapLists hits;
    const std::vector<Filter> filters(2);
    std::uint32_t counts[3];
    std::uint8_t any[3];
    std::uint64_t offsets[4];
    EXPECT_EQ(frame.overlaps(Boxes::of(boxes), hits, filters).code, Code::size_mismatch);
    EXPECT_EQ(frame.count(Boxes::of(boxes), counts, Filters::of(filters)).code, Code::size_mismatch);
    EXPECT_EQ(frame.any(Boxes::of(boxes), any, Filters::of(filters)).code, Code::size_mismatch);
    EXPECT_EQ(frame.overlaps(Boxes::of(boxes), offsets, ids, Filters::of(filters)).status.code,
              Code::size_mismatch);
    EXPECT_EQ(frame.explain(Boxes::of(boxes), Filters::of(filters)).status.code, Code::size_mismatch);
    const Filters missing = Filters::of({static_cast<const Filter*>(nullptr), 3});
    EXPECT_EQ(frame.overlaps(Boxes::of(boxes), hits, missing).code, Code::null_view);
    EXPECT_EQ(frame.count(Boxes::of(boxes), counts, missing).code, Code::null_view);
    EXPECT_EQ(frame.explain(Boxes::of(boxes), missing).status.code, Code::null_view);
    const Box bad{0, 0, std::numeric_limits<float>::quiet_NaN(), 1}, inverted{1, 0, 0, 0};
    EXPECT_EQ(frame.count(bad, {.categories = 2}).status, (Status{Code::not_finite, 0}));
    EXPECT_EQ(frame.any(inverted, {.categories = 2}).status, (Status{Code::inverted, 0}));
    const std::vector<Box> some{{}, {}, bad};
    EXPECT_EQ(frame.overlaps(Boxes::of(some), hits, Filters::all({.categories = 2})),
              (Status{Code::not_finite, 2}));
    EXPECT_EQ(hits.size(), 0u);
}

TEST(EmptyFrame, answers_filters_with_nothing) {
    const Frame frame;
    OverlapLists hits;
    PairList list;
    const Box box{0, 0, 1, 1};
    EXPECT_EQ(frame.count(box, {.categories = 2}).total, 0u);
    EXPECT_EQ(frame.any(box, {}).found, 0u);
    EXPECT_EQ(frame.overlaps(Boxes::of({&box, 1}), hits, Filters::all({})), Status{});
    EXPECT_EQ(hits.size(), 1u);
    EXPECT_EQ(frame.pairs(list, PairFilter{.a = 2}), Status{});
    EXPECT_EQ(Engine().frame().count(box, {.categories = 2}).total, 0u);
}

TEST(Filters, are_copied_as_they_are) {
    const std::vector<Filter> three(3, Filter{.categories = 2});
    Filters one(Filter{.categories = 4}), each(three), itself = Filters::each_without_itself();
    const Filters copies[] = {one, each, itself, Filters(std::move(one))};
    EXPECT_TRUE(copies[0].one_for_all() && copies[3].one_for_all());
    EXPECT_EQ(copies[0][2].categories, 4u);
    EXPECT_FALSE(copies[1].one_for_all());
    EXPECT_EQ(copies[1].size(), 3u);
    EXPECT_EQ(copies[1].first(), &three[0].categories);
    EXPECT_TRUE(copies[2].each_leaves_out_itself());
    EXPECT_EQ(copies[2][7].self, 7u);
}

TEST(Filters, keep_their_numbers_in_a_part) {
    const Box box{0, 0, 1, 1};
    const std::vector<Box> boxes(9, box);
    Engine engine = engine_with(boxes, {}, {.executor = serial_executor()});
    std::vector<Filter> each(boxes.size());
    for (AgentId i = 0; i < each.size(); ++i) each[i].self = i;
    const Filter all{};
    for (const Filters& filters : {Filters::each_without_itself(), Filters::of(each), Filters(all)})
        for (const Filters& part : {filters.part(5, 3), filters.part(1, 7).part(4, 3)}) {
            OverlapLists hits;
            ASSERT_EQ(engine.frame().overlaps(std::span(boxes).first(3), hits, part), Status{});
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_EQ(part[i], filters[5 + i]);
                EXPECT_EQ(hits[i].size(), boxes.size() - (filters[0].self == 0));
                EXPECT_EQ(std::count(hits[i].begin(), hits[i].end(), part[i].self), 0);
            }
        }
}

// A world with labels is the same, in whichever way it was made.
TEST(LabelledEdits, come_to_the_same_frame_as_an_update) {
    const Scene scene = make_scene("mixed_sizes", 2000);
    Random random(4);
    const std::vector<Label> labels = random_labels(random, scene.agents().size());
    Engine updated = engine_with(scene.boxes(), Labels::of(labels), {.executor = serial_executor()});
    Engine edited = engine_with(scene.boxes(), {.executor = serial_executor()});
    for (AgentId id = 0; id < labels.size(); ++id) {
        ASSERT_EQ(edited.relabel(id, labels[id]), Status{});
        if (id % 50 == 0) {
            ASSERT_EQ(edited.commit(), Status{});
        }
    }
    ASSERT_EQ(edited.commit(), Status{});
    EXPECT_EQ(edited.frame().fingerprint(), updated.frame().fingerprint());
}

// A category that all agents have admits all of them without a look at each, until an agent comes that lacks
// it.
TEST(Labels, find_all_agents_by_a_category_that_all_have_and_no_longer_after_edits) {
    const Scene scene = make_scene("clustered", 300);
    for (const Isa isa : instruction_sets()) {
        oracle::BruteForce twin;
        const std::vector<Label> labels(300, Label{4 | 2, 1});
        Engine engine = engine_with(scene.boxes(), Labels::of(labels),
                                    scene.configure({.executor = serial_executor(), .isa = isa}));
        ASSERT_EQ(twin.update(scene.boxes(), {.labels = Labels::of(labels)}), Status{});
        const auto expect_agreement = [&](const char* after) {
            for (const Filter& filter :
                 {Filter{.categories = 4}, Filter{.categories = 2}, Filter{.categories = 1},
                  Filter{.categories = 4, .self = 7}, Filter{.categories = 4, .not_in_group = 1}})
                for (const Box& box : scene.queries(40)) {
                    ASSERT_EQ(engine.frame().count(box, filter).total, twin.frame().count(box, filter).total)
                        << after << ", categories " << filter.categories;
                    const Cast cast = Cast::segment({box.min_x, box.min_y}, {box.max_x, box.max_y});
                    ASSERT_EQ(engine.frame().first_hit(cast, filter).hit,
                              twin.frame().first_hit(cast, filter).hit)
                        << after;
                }
            EXPECT_TRUE(engine.validate().sound()) << after;
        };
        const auto edit = [&](const char* what, const auto& call) {
            call(engine);
            call(twin);
            ASSERT_EQ(engine.commit(), Status{});
            ASSERT_EQ(twin.commit(), Status{});
            expect_agreement(what);
        };
        expect_agreement("an update");
        AgentId id = 0;
        edit("moves", [&](auto& world) { ASSERT_EQ(world.move(9, scene.agents()[10]), Status{}); });
        edit("a relabel", [&](auto& world) { ASSERT_EQ(world.relabel(5, Label{4, 1}), Status{}); });
        edit("an insert", [&](auto& world) { ASSERT_EQ(world.insert(scene.agents()[3], id), Status{}); });
        edit("a remove", [&](auto& world) { ASSERT_EQ(world.remove(id), Status{}); });
        ASSERT_EQ(engine.update(scene.boxes(), {.labels = Labels::of(labels)}), Status{});
        ASSERT_EQ(twin.update(scene.boxes(), {.labels = Labels::of(labels)}), Status{});
        expect_agreement("another update");
    }
}

// An agent that has one of `a` and one of `b` looks for all categories, but not for none.
TEST(PairFilter, finds_no_agent_without_a_category_unless_one_side_may_be_anything) {
    constexpr std::uint32_t a = 1, b = ~a;
    const std::vector<Box> boxes(3, Box{0, 0, 1, 1});
    const std::vector<Label> labels{{.categories = 3}, {.categories = 0}, {.categories = 4}};
    for (const Isa isa : instruction_sets()) {
        const Frame frame = engine_with(boxes, labels, {.isa = isa}).frame();
        for (const float within : {0.0f, 1.0f}) {
            const auto found = [&](const PairFilter& filter) {
                return in_order(listed_pairs(frame, {.filter = filter, .within = within}).pairs());
            };
            EXPECT_EQ(found({.a = a, .b = b}), (std::vector<Pair>{{0, 2}})) << to_string(isa);
            EXPECT_EQ(found({.a = a}), (std::vector<Pair>{{0, 1}, {0, 2}})) << to_string(isa);
        }
    }
}

}  // namespace
}  // namespace throng::test
