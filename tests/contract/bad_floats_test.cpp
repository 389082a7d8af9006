// Any float may come in. What cannot be a box is refused: the status names the lowest one, and nothing has
// changed.

#include "support/engine_state.hpp"
#include "support/test.hpp"
#include "throng/adapters/vector.hpp"

namespace throng::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

std::vector<float> bad_values() {
    return {std::numeric_limits<float>::quiet_NaN(), detail::bits_as<float>(0xFFC12345u),
            detail::bits_as<float>(0x7F800001u), infinity, -infinity};
}

struct BadBox {
    std::string what;
    Code code;
    Box box;
};

// One bad coordinate at a time, and boxes that are inside out by much or by as little as there is.
std::vector<BadBox> bad_boxes() {
    std::vector<BadBox> all;
    for (const float value : bad_values())
        for (int coordinate = 0; coordinate < 4; ++coordinate) {
            Box box{1, 2, 3, 4};
            (coordinate == 0   ? box.min_x
             : coordinate == 1 ? box.min_y
             : coordinate == 2 ? box.max_x
                               : box.max_y) = value;
            all.push_back({std::to_string(value) + " as coordinate " + std::to_string(coordinate),
                           Code::not_finite, box});
        }
    all.push_back({"infinite to both sides", Code::not_finite, {-infinity, -infinity, infinity, infinity}});
    all.push_back({"inverted in x", Code::inverted, {3, 2, 1, 4}});
    all.push_back({"inverted in y", Code::inverted, {1, 4, 3, 2}});
    all.push_back({"inverted by one step", Code::inverted, {std::nextafter(1.0f, 2.0f), 0, 1, 1}});
    all.push_back({"inverted by the smallest number",
                   Code::inverted,
                   {0, std::numeric_limits<float>::denorm_min(), 1, 0}});
    all.push_back({"inverted across the whole range", Code::inverted, {largest, 0, -largest, 1}});
    return all;
}

// Places in an array that fall into different vectors and blocks.
constexpr std::size_t places[] = {0, 1, 7, 15, 16, 17, 63, 299};

class BadFloats : public ::testing::TestWithParam<Isa> {
protected:
    BadFloats()
        : scene_(make_scene("uniform", 300)), engine_({.executor = pool_.executor(), .isa = GetParam()}) {
        EXPECT_EQ(engine_.update(scene_.boxes()), Status{});
        for (std::size_t i = 0; i < ids_.size(); ++i) ids_[i] = static_cast<AgentId>(i);
    }

    ThreadPool pool_{3};
    Scene scene_;
    Engine engine_;
    std::vector<AgentId> ids_ = std::vector<AgentId>(300);
};

TEST_P(BadFloats, of_an_agent_are_refused_with_its_index) {
    const EngineState before = state_of(engine_, scene_.queries(20));
    for (const BadBox& bad : bad_boxes())
        for (const std::size_t place : places) {
            std::vector<Box> boxes = scene_.agents();
            boxes[place] = bad.box;
            const Status expected{bad.code, place};
            std::vector<AgentId> ids(boxes.size());
            EXPECT_EQ(engine_.update(Boxes::of(boxes)), expected) << bad.what;
            EXPECT_EQ(engine_.insert(Boxes::of(boxes), ids), expected) << bad.what;
            EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes)), expected) << bad.what;
        }
    EXPECT_TRUE(unchanged(before, engine_));
}

TEST_P(BadFloats, of_a_single_edit_are_refused) {
    const EngineState before = state_of(engine_, scene_.queries(20));
    for (const BadBox& bad : bad_boxes()) {
        AgentId id = 0;
        EXPECT_EQ(engine_.insert(bad.box, id).code, bad.code) << bad.what;
        EXPECT_EQ(engine_.move(5, bad.box).code, bad.code) << bad.what;
    }
    EXPECT_TRUE(unchanged(before, engine_));
    AgentId id = 0;
    ASSERT_EQ(engine_.insert({0, 0, 1, 1}, id), Status{});
    EXPECT_EQ(id, 300u) << "a refused insert uses up no id";
}

TEST_P(BadFloats, leave_staged_edits_alone) {
    ASSERT_EQ(engine_.move(3, {1, 1, 2, 2}), Status{});
    AgentId id = 0;
    ASSERT_EQ(engine_.insert({500, 500, 501, 501}, id), Status{});
    const EngineState before = state_of(engine_, scene_.queries(20));
    std::vector<Box> boxes = scene_.agents();
    boxes[200].max_y = infinity;
    std::vector<AgentId> ids(boxes.size());
    EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes)), (Status{Code::not_finite, 200}));
    EXPECT_EQ(engine_.insert(Boxes::of(boxes), ids), (Status{Code::not_finite, 200}));
    EXPECT_TRUE(unchanged(before, engine_));

    oracle::BruteForce twin = twin_with(scene_.boxes());
    ASSERT_EQ(twin.move(3, {1, 1, 2, 2}), Status{});
    ASSERT_EQ(twin.insert({500, 500, 501, 501}, id), Status{});
    ASSERT_EQ(twin.commit(), Status{});
    ASSERT_EQ(engine_.commit(), Status{});
    EXPECT_TRUE(answers_as(engine_.frame(), expect(twin.frame(), scene_.queries(100))));
}

TEST_P(BadFloats, leave_no_trace_in_what_comes_after) {
    // The refused world is of another size and scale. If the engine had begun to suit itself to it, later
    // frames would have another grid and another order.
    std::vector<Box> elsewhere = make_scene("two_worlds", 5000).agents();
    for (Box& box : elsewhere) box = {box.min_x * 50, box.min_y * 50, box.max_x * 50, box.max_y * 50};
    elsewhere.back().max_x = infinity;
    Engine untroubled = engine_with(scene_.boxes(), {.executor = pool_.executor(), .isa = GetParam()});
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(engine_.update(Boxes::of(elsewhere)), (Status{Code::not_finite, 4999}));
        scene_.step();
        ASSERT_EQ(engine_.update(scene_.boxes()), Status{});
        ASSERT_EQ(untroubled.update(scene_.boxes()), Status{});
        EXPECT_TRUE(
            identical(ask(untroubled.frame(), scene_.agents()), ask(engine_.frame(), scene_.agents())));
    }
}

TEST_P(BadFloats, of_a_batch_of_queries_are_refused_with_the_index) {
    const Frame frame = engine_.frame();
    for (const BadBox& bad : bad_boxes())
        for (const std::size_t place : places) {
            std::vector<Box> queries = scene_.queries(300);
            queries[place] = bad.box;
            const Boxes boxes = Boxes::of(queries);
            const Status expected{bad.code, place};
            OverlapLists hits;
            ASSERT_EQ(frame.overlaps(scene_.boxes(), hits), Status{});
            std::vector<std::uint64_t> offsets(301);
            std::vector<AgentId> ids(1000);
            std::vector<std::uint32_t> counts(300);
            std::vector<std::uint8_t> any(300);
            EXPECT_EQ(frame.overlaps(boxes, hits), expected) << bad.what;
            EXPECT_EQ(hits.size(), 0u) << "on failure the hits are empty";
            EXPECT_TRUE(hits.ids().empty());
            EXPECT_EQ(frame.overlaps(boxes, offsets, ids).status, expected) << bad.what;
            EXPECT_EQ(frame.count(boxes, counts), expected) << bad.what;
            EXPECT_EQ(frame.any(boxes, any), expected) << bad.what;
            EXPECT_EQ(frame.explain(boxes).status, expected) << bad.what;
        }
}

TEST_P(BadFloats, of_a_single_query_are_refused) {
    const Frame frame = engine_.frame();
    for (const BadBox& bad : bad_boxes()) {
        std::vector<AgentId> out(10);
        int visits = 0;
        EXPECT_EQ(frame.for_each_overlap(bad.box, [&](AgentId) { ++visits; }).code, bad.code) << bad.what;
        EXPECT_EQ(visits, 0) << bad.what;
        const Filled filled = frame.overlaps(bad.box, out);
        EXPECT_EQ(filled.status.code, bad.code) << bad.what;
        EXPECT_EQ(filled.total, 0u) << bad.what;
        EXPECT_EQ(filled.written, 0u) << bad.what;
        const Count count = frame.count(bad.box);
        EXPECT_EQ(count.status.code, bad.code) << bad.what;
        EXPECT_EQ(count.total, 0u) << bad.what;
        const Found any = frame.any(bad.box);
        EXPECT_EQ(any.status.code, bad.code) << bad.what;
        EXPECT_FALSE(any.found) << bad.what;
        EXPECT_TRUE(overlapping(frame, bad.box).empty()) << bad.what;
        EXPECT_EQ(frame.explain(bad.box).status.code, bad.code) << bad.what;
    }
}

TEST_P(BadFloats, name_the_lowest_of_several_offenders) {
    // Over many blocks: a later one may well be looked at first.
    const Scene large = make_scene("uniform", 40000);
    for (const std::size_t lowest : {std::size_t{39000}, std::size_t{20001}, std::size_t{12}}) {
        std::vector<Box> boxes = large.agents();
        for (std::size_t i = lowest; i < boxes.size(); i += 97) boxes[i].min_x = infinity;
        boxes[lowest] = {1, 0, 0, 1};
        std::vector<std::uint32_t> counts(boxes.size());
        EXPECT_EQ(engine_.update(Boxes::of(boxes)), (Status{Code::inverted, lowest}));
        EXPECT_EQ(engine_.frame().count(Boxes::of(boxes), counts), (Status{Code::inverted, lowest}));
    }
}

TEST_P(BadFloats, in_centres_and_halves_are_refused_with_the_index) {
    const EngineState before = state_of(engine_, scene_.queries(20));
    for (int column = 0; column < 4; ++column)
        for (const std::size_t place : places) {
            const auto refused = [&](float value, Code code) {
                std::vector<std::vector<float>> columns(4, std::vector<float>(300, 1.0f));
                columns[static_cast<std::size_t>(column)][place] = value;
                EXPECT_EQ(engine_.update(Boxes::centre_half(columns[0].data(), columns[1].data(),
                                                            columns[2].data(), columns[3].data(), 300)),
                          (Status{code, place}))
                    << value << " in column " << column;
            };
            for (const float value : bad_values()) refused(value, Code::not_finite);
            if (column >= 2) refused(-1, Code::inverted);
        }
    EXPECT_TRUE(unchanged(before, engine_));
}

TEST_P(BadFloats, that_arise_from_a_sum_are_refused) {
    std::vector<float> centre(300, 3e38f), zero(300, 0.0f), half(300, 1.0f);
    half[123] = 1e38f;
    EXPECT_EQ(engine_.update(Boxes::centre_half(centre.data(), zero.data(), half.data(), zero.data(), 300)),
              (Status{Code::not_finite, 123}));
    EXPECT_EQ(engine_.update(Boxes::centre_half(zero.data(), centre.data(), zero.data(), half.data(), 300)),
              (Status{Code::not_finite, 123}));
    EXPECT_EQ(engine_.update(Boxes::points(centre.data(), zero.data(), 1e38f, 300)),
              (Status{Code::not_finite, 0}));
    EXPECT_EQ(engine_.update(Boxes::centre_half(centre.data(), zero.data(), zero.data(), zero.data(), 300)),
              Status{});
}

TEST_P(BadFloats, in_a_radius_are_refused_at_the_first_element) {
    const std::vector<float> zero(300, 0.0f);
    for (const float radius : bad_values())
        EXPECT_EQ(engine_.update(Boxes::points(zero.data(), zero.data(), radius, 300)),
                  (Status{Code::not_finite, 0}));
    EXPECT_EQ(engine_.update(Boxes::points(zero.data(), zero.data(), -1, 300)), (Status{Code::inverted, 0}));
    EXPECT_EQ(engine_.update(Boxes::points(zero.data(), zero.data(), -0.0f, 300)), Status{});
}

TEST_P(BadFloats, do_not_include_the_largest_the_smallest_and_the_negative_zero) {
    const float tiny = std::numeric_limits<float>::denorm_min();
    const std::vector<Box> boxes{{-largest, -largest, largest, largest},
                                 {tiny, -tiny, tiny, -0.0f},
                                 {-0.0f, -0.0f, 0.0f, 0.0f},
                                 {0.0f, 0.0f, -0.0f, -0.0f},
                                 {largest, largest, largest, largest}};
    ASSERT_EQ(engine_.update(Boxes::of(boxes)), Status{});
    EXPECT_TRUE(engine_.validate().sound());
    EXPECT_TRUE(answers_as(engine_.frame(), expect(twin_with(boxes).frame(), boxes)));
}

INSTANTIATE_TEST_SUITE_P(on, BadFloats, every_instruction_set(), isa_name);

}  // namespace
}  // namespace throng::test
