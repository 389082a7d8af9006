// What the engine says about its grid: the reason, and all of it in a sentence.
#include <cstdio>

#include "support/test.hpp"
#include "support/tuning_of.hpp"

namespace throng::test {
namespace {

// Through forty octaves around a centre, with sizes by the distance from it: on any grid most agents are
// oversized.
std::vector<Box> boxes_of_all_scales(std::size_t count) {
    Random random(5);
    std::vector<Box> boxes;
    while (boxes.size() < count) {
        const float scale = std::ldexp(1.0f, random.between(-10, 30));
        const float x = random.uniform(-scale, scale), y = random.uniform(-scale, scale);
        const float half = random.uniform(0.02f, 0.3f) * scale;
        boxes.push_back(Box::around(x, y, half, half));
    }
    return boxes;
}

// --- Reasons -----------------------------------------------------------------------------------------------

TEST(Tuning, has_a_reason_with_a_name_of_its_own) {
    Engine none, few, sizes, fixed({.cell_width = 3, .row_height = 9}), sparse, islands, all_oversized;
    ASSERT_EQ(few.update(make_scene("uniform", 20).boxes()), Status{});
    ASSERT_EQ(sizes.update(make_scene("uniform", 3000).boxes()), Status{});
    ASSERT_EQ(fixed.update(make_scene("uniform", 3000).boxes()), Status{});
    ASSERT_EQ(sparse.update(make_scene("two_worlds", 100).boxes()), Status{});
    ASSERT_EQ(islands.update(make_island_scene("villages", 3000).boxes()), Status{});
    const std::vector<Box> of_all_scales = boxes_of_all_scales(3000);
    ASSERT_EQ(all_oversized.update(of_all_scales), Status{});
    std::set<std::string_view> names;
    const auto expect_reason = [&](const Engine& engine, TuningReason reason) {
        EXPECT_EQ(engine.frame().tuning().reason, reason) << describe(engine.frame().tuning().reason);
        const std::string_view name = describe(reason);
        EXPECT_GT(name.size(), 10u);
        EXPECT_TRUE(names.insert(name).second) << name;
    };
    expect_reason(none, TuningReason::nothing_to_fit);
    expect_reason(few, TuningReason::few);
    expect_reason(sizes, TuningReason::sizes);
    expect_reason(fixed, TuningReason::set_by_host);
    expect_reason(sparse, TuningReason::sparse);
    expect_reason(islands, TuningReason::islands);
    expect_reason(all_oversized, TuningReason::all_oversized);
}

// --- In words ----------------------------------------------------------------------------------------------

std::string in_words(const Tuning& tuning) {
    std::vector<char> text(describe(tuning, {}) + 1, '?');
    EXPECT_EQ(describe(tuning, text), text.size() - 1);
    EXPECT_EQ(text.back(), '\0');
    return text.data();
}

TEST(Tuning, says_in_words_which_cells_it_has_and_how_many_agents_are_oversized) {
    const Tuning tuning = tuning_of(make_scene("mixed_sizes", 3000));
    ASSERT_GT(tuning.oversized, 0u);
    const std::string words = in_words(tuning);
    EXPECT_NE(words.find(std::to_string(tuning.columns) + " x " + std::to_string(tuning.rows)), words.npos);
    EXPECT_NE(words.find(std::to_string(tuning.oversized) + " agents larger"), words.npos) << words;
    EXPECT_NE(words.find(describe(tuning.reason)), words.npos) << words;
    EXPECT_EQ(words.find("islands with"), words.npos) << words;
}

TEST(Tuning, says_lengths_in_four_digits_as_printf_does) {
    Tuning tuning = tuning_of(make_scene("uniform", 3000));
    std::vector<float> lengths{0,       1,           9999,     9999.6f, 10000,  99996,   0.001f,
                               0.0001f, 0.00009999f, 0.00012f, 999.96f, 1e-45f, 3.4e38f, 12.5f,
                               123456,  1000,        0.1f,     0.25f,   7e-5f};
    Random random(4);
    for (std::size_t i = 0; i < scaled(10'000, 500); ++i) lengths.push_back(random.any_finite());
    for (const float length : lengths) {
        tuning.cell_width = length;
        char digits[32];
        ASSERT_GT(std::snprintf(digits, sizeof digits, " of %.4g x ", static_cast<double>(length)), 0);
        ASSERT_NE(in_words(tuning).find(digits), std::string::npos) << in_words(tuning) << ", not" << digits;
    }
}

TEST(Tuning, says_in_words_how_many_islands_there_are) {
    Engine engine = engine_with(make_island_scene("villages", 3000).boxes());
    const std::string words = in_words(engine.frame().tuning());
    EXPECT_NE(words.find(std::to_string(engine.frame().tuning().islands) + " islands"), words.npos) << words;
}

TEST(Tuning, tells_of_no_grid_where_all_agents_are_in_the_tree) {
    const std::vector<Box> boxes = boxes_of_all_scales(3000);
    Engine engine = engine_with(boxes);
    const Tuning tuning = engine.frame().tuning();
    EXPECT_EQ(tuning.oversized, boxes.size());
    EXPECT_EQ(tuning.columns, 0u);
    EXPECT_EQ(tuning.common_width, 0);
    EXPECT_TRUE(in_words(tuning).starts_with(describe(TuningReason::all_oversized))) << in_words(tuning);
    const Scene crowd = make_scene("uniform", 3000);
    for (int frame = 0; frame < 5; ++frame) ASSERT_EQ(engine.update(crowd.boxes()), Status{});
    EXPECT_GT(engine.frame().tuning().columns, 0u);
}

TEST(Tuning, says_as_many_words_as_fit) {
    const Tuning tuning = tuning_of(make_scene("uniform", 3000));
    const std::string words = in_words(tuning);
    char some[12];
    EXPECT_EQ(describe(tuning, some), words.size());
    EXPECT_EQ(std::string(some), words.substr(0, 11));
    EXPECT_EQ(in_words(Tuning{}), describe(TuningReason::nothing_to_fit));
}

}  // namespace
}  // namespace throng::test
