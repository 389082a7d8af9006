// Pairs within a distance of each other, box to box: of one frame and of two, through every form of the call.
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();

bool by_ids(const Pair& x, const Pair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

std::vector<Pair> sorted(std::vector<Pair> pairs) {
    std::sort(pairs.begin(), pairs.end(), by_ids);
    return pairs;
}

// The pairs of two frames by brute force.
std::vector<Pair> expected_with(std::span<const Box> one, std::span<const Label> labels,
                                std::span<const Box> other, std::span<const Label> other_labels,
                                const PairQuery& wanted) {
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < one.size(); ++a)
        for (std::uint32_t b = 0; b < other.size(); ++b)
            if (oracle::are_within(one[a], other[b], wanted.within) &&
                wanted.filter.admits(labels.empty() ? Label{} : labels[a],
                                     other_labels.empty() ? Label{} : other_labels[b]))
                pairs.push_back({a, b});
    return pairs;
}

void expect_pairs_with(const Frame& frame, const Frame& other, const PairQuery& wanted,
                       const std::vector<Pair>& expected) {
    PairList list;
    ASSERT_EQ(frame.pairs_with(other, list, wanted), Status{});
    const std::vector<Pair> listed(list.begin(), list.end());
    EXPECT_EQ(sorted(listed), expected) << "within " << wanted.within;
    EXPECT_EQ(frame.count_pairs_with(other, wanted).total, expected.size());
    std::vector<Pair> room(expected.size() / 2 + 1), visited;
    const Filled filled = frame.pairs_with(other, room, wanted);
    EXPECT_EQ(filled.total, expected.size());
    EXPECT_TRUE(
        std::equal(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(filled.written), listed.begin()));
    std::mutex mutex;
    const auto visit = [&](std::span<const Pair> some) {
        const std::lock_guard lock(mutex);
        visited.insert(visited.end(), some.begin(), some.end());
    };
    EXPECT_EQ(frame.for_each_pair_with_concurrently(other, visit, wanted), Status{});
    EXPECT_EQ(sorted(visited), expected);
}

class PairsWithinScene : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(PairsWithinScene, are_those_that_brute_force_finds_between_two_frames) {
    ThreadPool pool(3);
    Random random(5);
    const Scene scene(GetParam(), std::min<std::size_t>(scaled(500, 150), GetParam().max_count), 1);
    const Scene few(GetParam(), std::min<std::size_t>(60, GetParam().max_count), 2);
    const std::vector<Label> labels = random_labels(random, scene.agents().size());
    const std::vector<PairQuery> queries{{.within = 0.4f},
                                         PairFilter{.a = 1, .b = 2},
                                         {.filter = {.a = 1, .b = ~1u}, .within = 3},
                                         {.filter = {.other_groups_only = true}, .within = 1}};
    for (const Isa isa : instruction_sets()) {
        Engine engine =
            engine_with(scene.boxes(), Labels::of(labels), {.executor = pool.executor(), .isa = isa});
        Engine other = engine_with(few.boxes(), {.isa = isa});
        for (const PairQuery& wanted : queries) {
            expect_pairs_with(engine.frame(), other.frame(), wanted,
                              expected_with(scene.agents(), labels, few.agents(), {}, wanted));
            expect_pairs_with(other.frame(), engine.frame(), wanted,
                              expected_with(few.agents(), {}, scene.agents(), labels, wanted));
            if (HasFailure()) return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(every, PairsWithinScene, enough_scenes(4), scene_name);

TEST(PairsWithin, are_measured_from_box_to_box_and_the_bound_belongs_to_them) {
    Engine engine;
    // 1 is 3 to the right and 4 above 0: 5 away. 2 touches 1.
    const std::vector<Box> boxes{{0, 0, 1, 1}, {4, 5, 6, 6}, {6, 6, 7, 7}};
    ASSERT_EQ(engine.update(boxes), Status{});
    const Frame frame = engine.frame();
    PairList list;
    const auto found = [&](float within) {
        EXPECT_EQ(frame.pairs(list, {.within = within}), Status{});
        return sorted({list.begin(), list.end()});
    };
    EXPECT_EQ(found(5), (std::vector<Pair>{{0, 1}, {1, 2}}));
    EXPECT_EQ(found(std::nextafter(5.0f, 0.0f)), (std::vector<Pair>{{1, 2}}));
    EXPECT_EQ(found(1e-45f), (std::vector<Pair>{{1, 2}}));
    EXPECT_EQ(found(std::numeric_limits<float>::max()).size(), 3u);
}

TEST(PairsWithin, are_found_at_the_edges_of_the_floats) {
    const float most = std::numeric_limits<float>::max();
    const std::vector<Box> boxes{{-most, -most, -most, most}, {most, -1, most, 1},
                                 {0, 0, 1e-45f, 0},           {3e-45f, 0, 1, 1},
                                 {1e38f, 1e38f, 2e38f, most}, {-1, -1, -1e-45f, 0}};
    oracle::BruteForce twin = twin_with(boxes);
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(boxes, {.isa = isa});
        for (const float within : {1e-45f, 2.8e-45f, 1e-30f, 1.0f, 1e38f, 3e38f, most}) {
            oracle::PairLists expected;
            ASSERT_EQ(twin.frame().pairs(expected, {.within = within}), Status{});
            PairList list = listed_pairs(engine.frame(), {.within = within});
            EXPECT_EQ(sorted({list.begin(), list.end()}), sorted({expected.begin(), expected.end()}))
                << within;
        }
    }
}

TEST(PairsWithin, of_a_frame_with_itself_are_the_pairs_of_two_frames) {
    const std::vector<Box> boxes{{0, 0, 1, 1}, {2, 0, 3, 1}};
    Engine engine = engine_with(boxes);
    expect_pairs_with(engine.frame(), engine.frame(), {.within = 1}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    expect_pairs_with(engine.frame(), engine.frame(), {}, {{0, 0}, {1, 1}});
}

TEST(PairsWithin, are_refused_if_the_distance_is_none) {
    const std::vector<Box> boxes{{0, 0, 1, 1}, {2, 0, 3, 1}};
    Engine engine = engine_with(boxes);
    const auto none = [](std::span<const Pair>) { FAIL(); };
    for (const Frame& frame : {engine.frame(), Frame()})
        for (const auto& [within, code] :
             {std::pair{-1.0f, Code::inverted}, std::pair{-infinite, Code::inverted},
              std::pair{infinite, Code::not_finite}, std::pair{nan, Code::not_finite}}) {
            const PairQuery wanted{.within = within};
            PairList list;
            PairChanges changes;
            std::vector<Pair> out(3);
            EXPECT_EQ(frame.pairs(list, wanted), Status{code});
            EXPECT_EQ(frame.pairs(out, wanted).status, Status{code});
            EXPECT_EQ(frame.count_pairs(wanted).status, Status{code});
            EXPECT_EQ(frame.for_each_pair_concurrently(none, wanted), Status{code});
            EXPECT_EQ(frame.pairs_with(frame, list, wanted), Status{code});
            EXPECT_EQ(frame.pairs_with(frame, out, wanted).status, Status{code});
            EXPECT_EQ(frame.count_pairs_with(frame, wanted).status, Status{code});
            EXPECT_EQ(frame.for_each_pair_with_concurrently(frame, none, wanted), Status{code});
            EXPECT_EQ(frame.pair_changes(changes, wanted).code, code);
        }
}

}  // namespace
}  // namespace throng::test
