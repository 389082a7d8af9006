// Shapes as queries: one, or a batch of circles or of shapes of mixed kinds, with every filter.

#include "bindings/c/tests/both_worlds.hpp"

namespace throng::test {
namespace {

// The same shapes for both interfaces, around boxes of a scene.
struct BothShapes {
    explicit BothShapes(const std::vector<Box>& boxes) {
        corners.resize(boxes.size() * 3);
        std::uint32_t i = 0;
        for (Box box : boxes) {
            // A segment across a world without bounds would be too long.
            if (!(box.max_x - box.min_x < 1e6f && box.max_y - box.min_y < 1e6f))
                box = {box.min_x, box.min_y, box.min_x, box.min_y};
            const float radius = (box.max_x - box.min_x) / 2;
            const Circle circle{box.min_x, box.min_y, radius, static_cast<AgentsAs>(i % 3)};
            circles.push_back(circle);
            c_circles.push_back(
                {circle.x, circle.y, radius, static_cast<std::uint8_t>(circle.agents_as), {}});
            add(box, circle, i);
            ++i;
        }
    }
    void add(const Box& box, const Circle& circle, std::uint32_t i) {
        Point* const own = &corners[std::size_t{i} * 3];
        own[0] = {box.min_x, box.min_y};
        own[1] = {box.max_x, box.min_y};
        own[2] = {box.max_x, box.max_y};
        throng_shape shape{i % 4, 0, box.min_x, box.min_y, box.max_x, box.max_y, 0, 0, nullptr};
        switch (i % 4) {
        case THRONG_BOX: shapes.emplace_back(box); break;
        case THRONG_CIRCLE:
            shapes.emplace_back(circle);
            shape.radius = circle.radius;
            shape.agents_as = static_cast<std::uint32_t>(circle.agents_as);
            break;
        case THRONG_SEGMENT:
            shapes.emplace_back(ThickSegment{own[0], own[2], 0.5f});
            shape.radius = 0.5f;
            break;
        default:
            shapes.emplace_back(ConvexPolygon(std::span<const Point>(own, 3)));
            shape.corner_count = 3;
            shape.corners = reinterpret_cast<const throng_point*>(own);
        }
        c_shapes.push_back(shape);
    }
    std::vector<Point> corners;
    std::vector<Circle> circles;
    std::vector<Shape> shapes;
    std::vector<throng_circle> c_circles;
    std::vector<throng_shape> c_shapes;
};

class CShapes : public ::testing::TestWithParam<std::size_t> {};

void expect_same_batch(Both& both, const BoxesOrShapes& queries, const throng_boxes& c_queries) {
    const std::size_t count = queries.size();
    for (const BothFilters& filter : all_filters(count)) {
        OverlapLists hits;
        std::vector<std::uint32_t> counts(count), c_counts(count);
        std::vector<std::uint8_t> any(count), c_any(count);
        const throng_frame* frame = both.c.frame;
        ASSERT_TRUE(both.frame.overlaps(queries, hits, filter.filters));
        ASSERT_TRUE(both.frame.count(queries, counts, filter.filters));
        ASSERT_TRUE(both.frame.any(queries, any, filter.filters));
        ASSERT_EQ(throng_frame_overlaps_of(frame, &c_queries, filter.given, both.c.hits, nullptr), THRONG_OK);
        ASSERT_EQ(throng_frame_count_of(frame, &c_queries, filter.given, c_counts.data(), count, nullptr),
                  THRONG_OK);
        ASSERT_EQ(throng_frame_any_of(frame, &c_queries, filter.given, c_any.data(), count, nullptr),
                  THRONG_OK);
        EXPECT_GT(hits.ids().size(), 0u);
        expect_same_bytes(hits.ids(), got(both.c.hits, throng_hits_ids));
        expect_same_bytes(hits.offsets(), got(both.c.hits, throng_hits_offsets));
        EXPECT_EQ(counts, c_counts);
        EXPECT_EQ(any, c_any);
    }
}

TEST_P(CShapes, of_a_batch_find_what_those_of_the_library_find) {
    Both both = both_of(GetParam());
    const BothShapes queries(both.scene.queries(200));
    auto given = made(throng_init_boxes);
    ASSERT_EQ(throng_boxes_circles(&given, queries.c_circles.data(), 200), THRONG_OK);
    expect_same_batch(both, queries.circles, given);
    ASSERT_EQ(throng_boxes_shapes(&given, queries.c_shapes.data(), 200), THRONG_OK);
    expect_same_batch(both, queries.shapes, given);
}

TEST_P(CShapes, of_one_query_find_what_those_of_the_library_find) {
    Both both = both_of(GetParam());
    const BothShapes queries(both.scene.queries(40));
    for (const BothFilters& filter : all_filters(1))
        for (std::size_t i = 0; i < queries.shapes.size(); ++i) {
            const throng_shape* shape = &queries.c_shapes[i];
            std::vector<AgentId> ids(50), c_ids(50);
            std::uint64_t total = 0, count = 0;
            std::int32_t found = 0;
            const Filled filled = both.frame.overlaps(queries.shapes[i], ids, filter.one);
            ASSERT_EQ(throng_frame_overlaps_shape(both.c.frame, shape, filter.given, c_ids.data(), 50, &total,
                                                  nullptr),
                      THRONG_OK);
            ASSERT_EQ(throng_frame_count_shape(both.c.frame, shape, filter.given, &count, nullptr),
                      THRONG_OK);
            ASSERT_EQ(throng_frame_any_shape(both.c.frame, shape, filter.given, &found, nullptr), THRONG_OK);
            ids.resize(filled.written);
            c_ids.resize(filled.written);
            EXPECT_EQ(ids, c_ids);
            EXPECT_EQ(filled.total, total);
            EXPECT_EQ(filled.total, count);
            EXPECT_EQ(filled.total != 0, found != 0);
        }
}

TEST_P(CShapes, and_boxes_fill_the_hosts_arrays_and_lists_as_they_are_found) {
    Both both = both_of(GetParam());
    const std::vector<Box> queries = both.scene.queries(3000);
    const throng_boxes given = boxes_in_c(queries);
    throng_hits_as_found* found = nullptr;
    ASSERT_EQ(throng_hits_as_found_create(both.c.engine, &found, nullptr), THRONG_OK);
    for (const BothFilters& filter : all_filters(queries.size())) {
        OverlapsAsFound as_found;
        std::vector<std::uint64_t> offsets(queries.size() + 1), c_offsets(offsets.size());
        std::vector<AgentId> ids(1000), c_ids(1000);
        std::uint64_t total = 0;
        ASSERT_TRUE(both.frame.overlaps(queries, as_found, filter.filters));
        const Filled filled = both.frame.overlaps(queries, offsets, ids, filter.filters);
        ASSERT_EQ(throng_frame_overlaps_as_found(both.c.frame, &given, filter.given, found, nullptr),
                  THRONG_OK);
        ASSERT_EQ(throng_frame_overlaps_into(both.c.frame, &given, filter.given, c_offsets.data(),
                                             c_offsets.size(), c_ids.data(), c_ids.size(), &total, nullptr),
                  THRONG_OK);
        expect_same_bytes(as_found.queries(), got(found, throng_hits_as_found_queries));
        expect_same_bytes(as_found.offsets(), got(found, throng_hits_as_found_offsets));
        expect_same_bytes(as_found.ids(), got(found, throng_hits_as_found_ids));
        EXPECT_EQ(offsets, c_offsets);
        EXPECT_EQ(filled.total, total);
        ids.resize(filled.written);
        c_ids.resize(filled.written);
        EXPECT_EQ(ids, c_ids);
    }
    throng_hits_as_found_destroy(found);
}

TEST_P(CShapes, are_explained_as_by_the_library) {
    Both both = both_of(GetParam());
    const BothShapes queries(both.scene.queries(100));
    auto given = made(throng_init_boxes);
    auto explanation = made(throng_init_explanation);
    ASSERT_EQ(throng_boxes_circles(&given, queries.c_circles.data(), 100), THRONG_OK);
    ASSERT_EQ(throng_frame_explain(both.c.frame, &given, nullptr, &explanation, nullptr), THRONG_OK);
    const Explain explain = both.frame.explain(queries.circles);
    EXPECT_EQ(explanation.queries, 100u);
    EXPECT_EQ(explanation.rows, explain.rows);
    EXPECT_EQ(explanation.cells, explain.cells);
    EXPECT_EQ(explanation.tested, explain.tested);
    EXPECT_EQ(explanation.covered, explain.covered);
    EXPECT_EQ(explanation.islands, explain.islands);
    EXPECT_EQ(explanation.nodes, explain.nodes);
    EXPECT_EQ(explanation.oversized, explain.oversized);
    EXPECT_EQ(explanation.hits, explain.hits);
}

INSTANTIATE_TEST_SUITE_P(Scenes, CShapes, ::testing::Range<std::size_t>(0, one_that_wraps + 1));

}  // namespace
}  // namespace throng::test
