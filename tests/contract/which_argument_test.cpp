// A status names the argument that was wrong, where a call has several that could be.
#include "support/test.hpp"

namespace throng::test {
namespace {

class WrongArgument : public ::testing::Test {
protected:
    WrongArgument() { EXPECT_EQ(engine_.update(boxes_), Status{}); }

    // The status is this one, and its sentence is no other argument's.
    static void expect(const Status& status, Code code, Argument argument, const std::string& word) {
        EXPECT_EQ(status.code, code);
        EXPECT_EQ(status.argument, argument) << status.message();
        EXPECT_NE(std::string(status.message()).find(word), std::string::npos) << status.message();
    }

    const std::vector<Box> boxes_{{0, 0, 1, 1}, {2, 0, 3, 1}, {4, 0, 5, 1}};
    const std::vector<Label> two_labels_{2};
    const std::vector<Filter> two_filters_{2};
    std::vector<AgentId> two_ids_{0, 1};
    Engine engine_;
};

TEST_F(WrongArgument, of_an_edit_is_named) {
    using enum Argument;
    using enum Code;
    expect(engine_.insert(boxes_, two_ids_), size_mismatch, ids, "ids");
    expect(engine_.move(two_ids_, boxes_), size_mismatch, ids, "ids");
    std::vector<AgentId> three(3);
    expect(engine_.insert(boxes_, three, {.labels = Labels::of(two_labels_)}), size_mismatch, labels,
           "label");
    expect(engine_.update(boxes_, {.labels = Labels::of(two_labels_)}), size_mismatch, labels, "label");
    const AgentId* const no_memory = nullptr;
    expect(engine_.remove(std::span(no_memory, 2)), null_view, ids, "ids");
    expect(engine_.update(Boxes::points(nullptr, nullptr, 1, 5)), null_view, Argument::boxes, "boxes");
}

TEST_F(WrongArgument, of_a_batch_is_named) {
    using enum Code;
    const Frame frame = engine_.frame();
    OverlapLists hits;
    std::vector<std::uint32_t> two(2), three(3);
    expect(frame.overlaps(boxes_, hits, Filters::of(two_filters_)), size_mismatch, Argument::filters,
           "filter");
    expect(frame.count(boxes_, two), size_mismatch, Argument::output, "answers");
    expect(frame.count(boxes_, three, Filters::of(two_filters_)), size_mismatch, Argument::filters, "filter");
    std::uint32_t* const no_memory = nullptr;
    expect(frame.count(boxes_, std::span(no_memory, 3)), null_view, Argument::output, "answers");
    expect(frame.overlaps(Boxes::points(nullptr, nullptr, 1, 5), hits), null_view, Argument::boxes, "boxes");
}

TEST_F(WrongArgument, of_neighbours_is_named) {
    using enum Code;
    const Frame frame = engine_.frame();
    NeighbourLists lists;
    const std::vector<Point> points(3);
    const std::array wrong{1.0f, -1.0f, 1.0f};
    const std::array<float, 2> few{};
    std::vector<std::uint32_t> two(2);
    expect(frame.neighbours(points, {.radii = wrong}, lists), inverted, Argument::radii, "radius");
    expect(frame.neighbours({.radii = wrong}, lists), inverted, Argument::radii, "radius");
    expect(frame.neighbours(points, {.radii = few}, lists), size_mismatch, Argument::radii, "radius");
    expect(frame.neighbours(points, {.radius = 1}, lists, Filters::of(two_filters_)), size_mismatch,
           Argument::filters, "filter");
    expect(frame.neighbours({.radius = 1}, lists, Filters::of(two_filters_)), size_mismatch,
           Argument::filters, "filter");
    expect(frame.count_neighbours(points, {.radius = 1}, two), size_mismatch, Argument::output, "answers");
    expect(frame.count_neighbours({.radius = 1}, two), size_mismatch, Argument::output, "answers");
    const std::vector<Point> illegal{{0, 0}, {std::numeric_limits<float>::infinity(), 0}, {0, 0}};
    expect(frame.neighbours(illegal, {.radius = 1}, lists), not_finite, Argument::boxes, "coordinate");
}

TEST_F(WrongArgument, of_casts_is_named) {
    using enum Code;
    const Frame frame = engine_.frame();
    const std::vector<Cast> casts(3, Cast::ray(0, 0, 1, 1));
    const std::vector<Point> from(3), to(2);
    std::vector<CastHit> two(2), hits(3);
    std::vector<std::uint8_t> blocked(3);
    CastHits all;
    const auto expect_all = [&](const Casts& some, Code code, Argument argument, const std::string& word) {
        expect(frame.first_hits(some, hits), code, argument, word);
        expect(frame.blocked(some, blocked), code, argument, word);
        expect(frame.all_hits(some, all), code, argument, word);
        expect(frame.with_static().first_hits(some, hits), code, argument, word);
        expect(frame.with_static().blocked(some, blocked), code, argument, word);
        expect(frame.with_static().all_hits(some, all), code, argument, word);
    };
    expect_all(std::span(static_cast<const Cast*>(nullptr), 3), null_view, Argument::boxes, "boxes");
    expect_all(Casts::segments(from, to), size_mismatch, Argument::boxes, "boxes");
    expect_all(Casts::rays(Points::arrays(nullptr, nullptr, 3), from), null_view, Argument::boxes, "boxes");
    expect_all(Casts::rays(from, Points::arrays(&from[0].x, &from[0].y, 3, 2)), bad_stride, Argument::boxes,
               "stride of the boxes");
    const std::array<float, 2> few{};
    expect_all(Casts::circles(from, few, from), size_mismatch, Argument::radii, "radius");
    expect_all(Casts::circles(from, Radii::arrays(nullptr, 3), from), null_view, Argument::radii, "radii");
    expect_all(Casts::circles(from, Radii::arrays(few.data(), 3, 1), from), bad_stride, Argument::radii,
               "stride of the radii");
    const std::array wrong{1.0f, -1.0f, 1.0f};
    expect_all(Casts::circles(from, wrong, from), inverted, Argument::boxes, "radius");

    expect(frame.first_hits(casts, two), size_mismatch, Argument::output, "answers");
    expect(frame.blocked(casts, std::span(blocked).first(2)), size_mismatch, Argument::output, "answers");
    CastHit* const no_memory = nullptr;
    expect(frame.first_hits(casts, std::span(no_memory, 3)), null_view, Argument::output, "answers");
    expect(frame.all_hits(casts[0], std::span(no_memory, 3)).status, null_view, Argument::output, "answers");
    expect(frame.with_static().all_hits(casts[0], std::span(no_memory, 3)).status, null_view,
           Argument::output, "answers");
    expect(frame.first_hits(casts, hits, Filters::of(two_filters_)), size_mismatch, Argument::filters,
           "filter");
    expect(frame.blocked(casts, blocked, Filters::of(two_filters_)), size_mismatch, Argument::filters,
           "filter");
    expect(frame.all_hits(casts, all, Filters::of(two_filters_)), size_mismatch, Argument::filters, "filter");
}

TEST_F(WrongArgument, of_what_is_asked_for_is_named) {
    using enum Code;
    using enum Argument;
    const Frame frame = engine_.frame();
    NeighbourLists near;
    expect(frame.neighbours({.radius = -1}, near), inverted, options, "radius");
    expect(frame.neighbours(Within{}, near), not_finite, options, "radius");
    KeptNeighbours negative({.radius = 1, .skin = -1}), boundless({.skin = 1});
    expect(negative.update(frame), inverted, options, "skin");
    expect(boundless.update(frame), not_finite, options, "radius");
    PairList list;
    PairChanges changes;
    expect(frame.pairs(list, {.within = -1}), inverted, options, "distance");
    expect(frame.pairs(list, with_other(frame, {.within = std::numeric_limits<float>::infinity()})),
           not_finite, options, "distance");
    expect(frame.count_pairs({.within = -1}).status, inverted, options, "distance");
    expect(frame.pairs(list, {.agents_as = static_cast<AgentsAs>(3)}), bad_config, agents_as, "agents_as");
    expect(changes.update(frame, {.within = -1}), inverted, options, "distance");
}

TEST_F(WrongArgument, that_is_one_of_several_options_is_named) {
    const auto refused = [](const Status& status, Argument option, const std::string& word) {
        expect(status, Code::bad_config, option, word);
    };
    const Frame frame = engine_.frame();
    NeighbourLists lists;
    const std::vector<Point> points(3);
    refused(frame.neighbours({.count = 65}, lists), Argument::count, "count");
    refused(frame.neighbours({.radius = 1, .half = true, .with_self = true}, lists), Argument::half, "half");
    refused(frame.neighbours(points, {.radius = 1, .either_reaches = true}, lists), Argument::either_reaches,
            "either");
    refused(frame.neighbours(points, {.radius = 1, .in_row_order = true}, lists), Argument::in_row_order,
            "in_row_order");
    refused(frame.neighbours({.radius = 1, .agents_as = static_cast<AgentsAs>(3)}, lists),
            Argument::agents_as, "agents_as");
    refused(Engine({.cell_width = -1}).status(), Argument::cell_size, "cells");
    refused(Engine({.row_height = -1}).status(), Argument::cell_size, "rows");
    refused(Engine({.common_size = -1}).status(), Argument::element_size, "elements");
    refused(Engine({.executor = {.workers = 4, .parallel_for = nullptr}}).status(), Argument::executor,
            "executor");
    EXPECT_STREQ(describe(Code::bad_config, Argument::any), describe(Code::bad_config));
}

// Each sentence says something of its own.
TEST_F(WrongArgument, has_a_sentence_for_each_that_may_be_wrong) {
    for (const Code code : {Code::size_mismatch, Code::null_view}) {
        std::set<std::string> sentences{describe(code)};
        for (const Argument argument : {Argument::boxes, Argument::ids, Argument::labels, Argument::filters,
                                        Argument::radii, Argument::output, Argument::heights})
            EXPECT_TRUE(sentences.insert(describe(code, argument)).second) << describe(code, argument);
    }
    EXPECT_STREQ(describe(Code::too_many, Argument::boxes), describe(Code::too_many));
}

}  // namespace
}  // namespace throng::test
