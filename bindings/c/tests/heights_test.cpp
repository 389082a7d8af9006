// Bands of heights: bands given with boxes and filters are those that the library takes, and the same are
// refused.

#include <algorithm>
#include <cstddef>
#include <limits>

#include "bindings/c/tests/both_worlds.hpp"

namespace throng::test {
namespace {

constexpr float no_height = std::numeric_limits<float>::quiet_NaN();

TEST(CHeights, of_every_form_are_those_of_the_library) {
    Both both("clustered", 2000);
    std::vector<float> feet, heads;
    for (const Band& band : both.heights) {
        feet.push_back(std::max(band.min_z, -9.0f));
        heads.push_back(std::max(band.max_z, -9.0f));
    }
    const auto update = [&](const Heights& heights, const throng_boxes& given) {
        PairList pairs;
        ASSERT_TRUE(both.engine.update(both.scene.boxes(), pairs, UpdateOptions{.heights = heights}));
        ASSERT_EQ(throng_engine_update_with_pairs(both.c.engine, &given, nullptr, both.c.pairs, nullptr),
                  THRONG_OK);
        both.take_frames();
        EXPECT_GT(pairs.size(), 0u);
        expect_same_bytes(pairs.pairs(), got(both.c.pairs, throng_pairs_get));
    };
    throng_boxes given = both.given_boxes();
    update(both.heights, given);
    given.min_z = feet.data(), given.max_z = heads.data(), given.stride_z = 0;
    update(Heights::arrays(feet, heads), given);
    given.max_z = nullptr, given.height = 1.5f;
    update(Heights::bases(feet, 1.5f), given);
    EXPECT_EQ(both.frame.height(7), (Band{feet[7], feet[7] + 1.5f}));
    given.min_z = nullptr;
    update({}, given);
}

TEST(CHeights, of_agents_are_told) {
    Both both("clustered", 500);
    std::vector<AgentId> ids(500);
    for (AgentId id = 0; id < ids.size(); ++id) ids[id] = id;
    std::vector<throng_band> bands(ids.size());
    ASSERT_EQ(
        throng_frame_agent_heights(both.c.frame, ids.data(), ids.size(), bands.data(), bands.size(), nullptr),
        THRONG_OK);
    for (const AgentId id : ids) {
        throng_band one{};
        ASSERT_EQ(throng_frame_agent_height(both.c.frame, id, &one, nullptr), THRONG_OK);
        EXPECT_EQ((Band{one.min_z, one.max_z}), both.frame.height(id));
        EXPECT_EQ((Band{bands[id].min_z, bands[id].max_z}), both.frame.height(id));
    }
    auto details = made(throng_init_status_details);
    ids[5] = 70000;
    EXPECT_EQ(throng_frame_agent_heights(both.c.frame, ids.data(), ids.size(), bands.data(), bands.size(),
                                         &details),
              THRONG_UNKNOWN_ID);
    EXPECT_EQ(details.index, 5u);
    EXPECT_EQ(throng_frame_agent_height(both.c.frame, 70000, bands.data(), nullptr), THRONG_UNKNOWN_ID);
    EXPECT_EQ(throng_frame_agent_height(both.c.frame, 0, nullptr, nullptr), THRONG_NULL_POINTER);
    EXPECT_EQ(throng_frame_agent_height(nullptr, 0, bands.data(), nullptr), THRONG_NULL_POINTER);
}

TEST(CHeights, of_edits_are_those_of_the_library) {
    Both both("clustered", 1000);
    const std::vector<Box> places = both.scene.queries(40, 3);
    Random random(4);
    const std::vector<Band> bands = random_bands(random, places.size());
    std::vector<AgentId> ids(places.size()), fresh(places.size()), c_fresh(places.size());
    for (AgentId id = 0; id < ids.size(); ++id) ids[id] = 3 * id;
    const throng_boxes given = with_heights(boxes_in_c(places), bands);
    ASSERT_TRUE(both.engine.move(ids, places, bands));
    ASSERT_EQ(throng_engine_move(both.c.engine, ids.data(), ids.size(), &given, nullptr), THRONG_OK);
    ASSERT_TRUE(both.engine.insert(places, fresh, {.heights = bands}));
    ASSERT_EQ(throng_engine_insert(both.c.engine, &given, nullptr, c_fresh.data(), c_fresh.size(), nullptr),
              THRONG_OK);
    EXPECT_EQ(fresh, c_fresh);
    ASSERT_TRUE(both.engine.commit());
    ASSERT_EQ(throng_engine_commit(both.c.engine, nullptr), THRONG_OK);
    both.take_frames();
    EXPECT_EQ(both.frame.height(6), bands[2]);
    EXPECT_EQ(both.frame.height(fresh[7]), bands[7]);
}

// What a call said of heights, and of which element.
struct Said {
    template <class Call, class... Given>
    Said(Call call, Given... given) {
        auto details = made(throng_init_status_details);
        code = call(given..., &details);
        if (code != THRONG_OK) argument = details.argument, index = details.index;
    }
    std::int32_t code, argument = THRONG_ARGUMENT_HEIGHTS;
    std::uint64_t index = THRONG_NO_INDEX;
};
void expect_said(const Said& said, std::int32_t code, std::uint64_t index = THRONG_NO_INDEX) {
    EXPECT_EQ(said.code, code);
    EXPECT_EQ(said.argument, THRONG_ARGUMENT_HEIGHTS);
    EXPECT_EQ(said.index, index);
}

TEST(CHeights, of_boxes_are_refused_by_name_and_element) {
    CWorld c;
    const std::vector<Box> agents{{0, 0, 1, 1}, {5, 5, 6, 6}};
    c.update(agents);
    const std::uint64_t fingerprint = throng_frame_fingerprint(c.frame);
    const throng_labels* no_labels = nullptr;
    std::vector<Band> bands{{0, 1}, {2, 1}};
    throng_boxes boxes = with_heights(boxes_in_c(agents), bands);
    throng_static_layer* layer = nullptr;
    const auto refused = [&](std::int32_t code, std::uint64_t index) {
        expect_said({throng_engine_update, c.engine, &boxes, no_labels}, code, index);
        expect_said({throng_static_layer_create, c.engine, &boxes, no_labels, &layer}, code, index);
        std::uint32_t ids[2] = {0, 1};
        expect_said({throng_engine_move, c.engine, ids, 2u, &boxes}, code, index);
        expect_said({throng_engine_insert, c.engine, &boxes, no_labels, ids, 2u}, code, index);
        EXPECT_EQ(layer, nullptr);
    };
    refused(THRONG_INVERTED, 1);
    bands[0].max_z = no_height;
    refused(THRONG_NOT_FINITE, 0);
    bands = {{0, 1}, {1, 2}};
    boxes.stride_z = 3;
    refused(THRONG_BAD_STRIDE, THRONG_NO_INDEX);
    boxes.min_z = nullptr;
    refused(THRONG_NULL_VIEW, THRONG_NO_INDEX);
    // And where they have no meaning.
    boxes = with_heights(boxes_in_c(agents), bands);
    const throng_filter* no_filter = nullptr;
    const throng_engine_config* no_config = nullptr;
    const throng_boxes queries = boxes_in_c(agents);
    std::uint32_t counts[2];
    expect_said({throng_frame_count_of, c.frame, &boxes, no_filter, counts, 2u}, THRONG_BAD_CONFIG);
    expect_said({throng_frame_overlaps_of, c.frame, &boxes, no_filter, c.hits}, THRONG_BAD_CONFIG);
    expect_said({throng_arrays_count_of, &boxes, &queries, no_config, counts, 2u}, THRONG_BAD_CONFIG);
    ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
    EXPECT_EQ(throng_frame_fingerprint(c.frame), fingerprint);
}

TEST(CHeights, of_filters_are_refused_by_name_and_element) {
    CWorld c;
    const std::vector<Box> asked{{0, 0, 1, 1}, {0, 0, 2, 2}};
    c.update(asked);
    const throng_boxes queries = boxes_in_c(asked);
    const throng_box box{0, 0, 1, 1};
    std::uint32_t counts[2];
    std::uint64_t total = 0;
    std::vector<throng_band> bands{{0, 1}, {3, 2}, {0, 1}};
    auto filter = made(throng_init_filter);
    const auto of_many = [&] { return Said(throng_frame_count_of, c.frame, &queries, &filter, counts, 2u); };
    filter.min_z = 2, filter.max_z = 1;
    expect_said({throng_frame_count, c.frame, &box, &filter, &total}, THRONG_INVERTED);
    expect_said(of_many(), THRONG_INVERTED);
    filter.max_z = no_height;
    expect_said({throng_frame_count, c.frame, &box, &filter, &total}, THRONG_NOT_FINITE);
    filter = made(throng_init_filter);
    filter.each_band = bands.data(), filter.each_band_count = 2;
    expect_said(of_many(), THRONG_INVERTED, 1);
    bands[1] = {1, no_height};
    expect_said(of_many(), THRONG_NOT_FINITE, 1);
    bands[1] = {2, 3};
    EXPECT_EQ(of_many().code, THRONG_OK);
    filter.each_band_count = 3;
    EXPECT_EQ(of_many().code, THRONG_SIZE_MISMATCH);
    const std::vector<throng_query_filter> each(2, {1, 5, 5});
    filter.each = each.data(), filter.each_count = each.size();
    expect_said(of_many(), THRONG_SIZE_MISMATCH);
    filter.each_band_count = 2;
    EXPECT_EQ(of_many().code, THRONG_OK);
    filter.each_without_itself = 1;
    EXPECT_EQ(of_many().code, THRONG_BAD_CONFIG);
    filter.each_band = nullptr;
    expect_said(of_many(), THRONG_NULL_VIEW);
}

// What lies behind a filter of an older header is not read as part of it.
TEST(CHeights, are_all_for_a_filter_of_an_older_header) {
    CWorld c;
    const std::vector<Box> agents{{0, 0, 1, 1}, {0, 0, 2, 2}};
    const std::vector<Band> bands{{0, 1}, {3, 4}};
    const throng_boxes boxes = with_heights(boxes_in_c(agents), bands);
    ASSERT_EQ(throng_engine_update(c.engine, &boxes, nullptr, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
    const std::vector<throng_query_filter> each(2, {UINT32_MAX, 1, UINT32_MAX});
    auto filter = made(throng_init_filter);
    filter.size = offsetof(throng_filter, min_z);
    filter.min_z = 9, filter.max_z = 1;
    const throng_boxes queries = boxes_in_c(agents);
    std::uint32_t counts[2];
    ASSERT_EQ(throng_frame_count_of(c.frame, &queries, &filter, counts, 2, nullptr), THRONG_OK);
    EXPECT_EQ(counts[1], 2u);
    filter.each = each.data(), filter.each_count = each.size();
    ASSERT_EQ(throng_frame_count_of(c.frame, &queries, &filter, counts, 2, nullptr), THRONG_OK);
    EXPECT_EQ(counts[1], 1u);
}

}  // namespace
}  // namespace throng::test
