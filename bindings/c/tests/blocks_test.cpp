// Answers in blocks: blocks that a C host asks for one by one are those that the library passes to a visitor.

#include "bindings/c/tests/both_worlds.hpp"

namespace throng::test {
namespace {

constexpr std::size_t max_bytes = 20000;

// Block after block: offsets and answers, byte by byte.
struct Blocks {
    std::vector<std::vector<unsigned char>> bytes;

    template <class Element>
    void add(std::span<const Element> part) {
        const auto* first = reinterpret_cast<const unsigned char*>(part.data());
        bytes.emplace_back(first, first + part.size_bytes());
    }
    void add(const OverlapLists& hits) {
        add(hits.offsets());
        add(hits.ids());
    }
    void add(const NeighbourLists& lists) {
        add(lists.offsets());
        add(lists.ids());
        add(lists.agents());
    }
    void add(const CastHits& hits) {
        add(hits.offsets());
        add(hits.hits());
    }
    void add(const throng_hits* hits) {
        add(got(hits, throng_hits_offsets));
        add(got(hits, throng_hits_ids));
    }
    void add(const throng_neighbours* lists) {
        add(got(lists, throng_neighbours_offsets));
        add(got(lists, throng_neighbours_ids));
        add(got(lists, throng_neighbours_agents));
    }
    void add(const throng_cast_hits* hits) {
        add(got(hits, throng_cast_hits_offsets));
        add(got(hits, throng_cast_hits_get));
    }
};

std::uint64_t lists_of(const throng_hits* hits) { return got(hits, throng_hits_offsets).size() - 1; }
std::uint64_t lists_of(const throng_neighbours* lists) {
    return got(lists, throng_neighbours_offsets).size() - 1;
}
std::uint64_t lists_of(const throng_cast_hits* hits) {
    return got(hits, throng_cast_hits_offsets).size() - 1;
}

// Asks for blocks up to the last of `count` lists. `elements` may be none.
template <class Result, class Call, class... Elements>
Blocks pulled(std::uint64_t count, Result* result,
              std::int32_t (*block)(Result*, uint64_t, uint64_t, throng_status_details*), const Call& call,
              const Elements*... elements) {
    Blocks blocks;
    for (std::uint64_t first = 0; first < count; first += lists_of(result)) {
        EXPECT_EQ(block(result, first, max_bytes, nullptr), THRONG_OK);
        if (call() != THRONG_OK) {
            ADD_FAILURE() << "at list " << first;
            break;
        }
        if (lists_of(result) == 0) {
            ADD_FAILURE() << "no list at " << first;
            break;
        }
        blocks.add(result);
        (blocks.add(elements), ...);
    }
    return blocks;
}

class CBlocks : public ::testing::TestWithParam<std::size_t> {
protected:
    CBlocks() : both(both_of(GetParam())) {
        both.build_walls();
        EXPECT_EQ(throng_hits_create(both.c.engine, &walls, nullptr), THRONG_OK);
        EXPECT_EQ(throng_neighbours_create(both.c.engine, &wall_lists, nullptr), THRONG_OK);
    }
    ~CBlocks() override {
        throng_hits_destroy(walls);
        throng_neighbours_destroy(wall_lists);
    }
    // What the library passes on.
    template <class Ask>
    Blocks pushed(const Ask& ask) {
        Blocks blocks;
        const auto note = [&](std::size_t, const auto&... some) { (blocks.add(some), ...); };
        EXPECT_TRUE(ask(note, AnswerLimit{.max_bytes = max_bytes}));
        EXPECT_GT(blocks.bytes.size(), 4u);
        return blocks;
    }

    Both both;
    throng_hits* walls = nullptr;
    throng_neighbours* wall_lists = nullptr;
};

TEST_P(CBlocks, of_overlaps) {
    const std::vector<Box> queries = both.scene.queries(2000);
    const throng_boxes boxes = boxes_in_c(queries);
    const throng_frame* f = both.c.frame;
    for (const BothFilters& filter : all_filters(queries.size())) {
        OverlapLists hits, wall_hits;
        const Blocks blocks = pushed([&](const auto& note, const AnswerLimit& limit) {
            return both.frame.for_each_answer(
                queries, hits, [&](std::size_t n, const OverlapLists& some) { note(n, some); }, limit,
                filter.filters);
        });
        EXPECT_EQ(blocks.bytes, pulled(queries.size(), both.c.hits, throng_hits_block, [&] {
                                    return throng_frame_overlaps_of(f, &boxes, filter.given, both.c.hits,
                                                                    nullptr);
                                }).bytes);
        const Blocks halves = pushed([&](const auto& note, const AnswerLimit& limit) {
            return both.frame.with_static().for_each_answer(
                queries, hits, wall_hits,
                [&](std::size_t n, const OverlapLists& some, const OverlapLists& theirs) {
                    note(n, some, theirs);
                },
                limit, filter.filters);
        });
        EXPECT_EQ(halves.bytes, pulled(
                                    queries.size(), both.c.hits, throng_hits_block,
                                    [&] {
                                        return throng_frame_overlaps_of_both(f, &boxes, filter.given,
                                                                             both.c.hits, walls, nullptr);
                                    },
                                    walls)
                                    .bytes);
    }
}

TEST_P(CBlocks, of_casts) {
    std::vector<Cast> casts;
    std::vector<throng_cast> c_casts;
    for (const Box& box : both.scene.queries(2000)) {
        casts.push_back(Cast::ray(box.min_x, box.min_y, 30, -20));
        c_casts.push_back({box.min_x, box.min_y, box.min_x, box.min_y, 30, -20, 0});
    }
    for (const bool with_walls : {false, true}) {
        CastHits hits;
        auto filter = made(throng_init_filter);
        filter.with_static = with_walls ? 1 : 0;
        const auto note_in = [&](const auto& note) {
            return [&](std::size_t n, const CastHits& some) { note(n, some); };
        };
        const Blocks blocks = pushed([&](const auto& note, const AnswerLimit& limit) {
            return with_walls ? both.frame.with_static().for_each_answer(casts, hits, note_in(note), limit)
                              : both.frame.for_each_answer(casts, hits, note_in(note), limit);
        });
        EXPECT_EQ(blocks.bytes, pulled(casts.size(), both.c.cast_hits, throng_cast_hits_block, [&] {
                                    return throng_frame_all_hits_of(both.c.frame, c_casts.data(),
                                                                    c_casts.size(), &filter, both.c.cast_hits,
                                                                    nullptr);
                                }).bytes);
    }
}

TEST_P(CBlocks, of_neighbours) {
    auto within = made(throng_init_within);
    within.radius = 5;
    auto nearest = made(throng_init_nearest);
    nearest.count = 6;
    nearest.in_row_order = 1;
    const std::uint64_t bound = throng_frame_id_bound(both.c.frame), size = throng_frame_size(both.c.frame);
    const throng_frame* f = both.c.frame;
    throng_neighbours* lists = both.c.lists;
    NeighbourLists own, own_walls;
    const Blocks by_id = pushed([&](const auto& note, const AnswerLimit& limit) {
        return both.frame.for_each_answer(
            {.radius = 5}, own, [&](std::size_t n, const NeighbourLists& some) { note(n, some); }, limit);
    });
    EXPECT_EQ(by_id.bytes, pulled(bound, lists, throng_neighbours_block, [&] {
                               return throng_frame_neighbours_within(f, &within, nullptr, lists, nullptr);
                           }).bytes);
    const Blocks in_rows = pushed([&](const auto& note, const AnswerLimit& limit) {
        return both.frame.for_each_answer(
            {.count = 6, .in_row_order = true}, own,
            [&](std::size_t n, const NeighbourLists& some) { note(n, some); }, limit);
    });
    EXPECT_EQ(in_rows.bytes, pulled(size, lists, throng_neighbours_block, [&] {
                                 return throng_frame_neighbours_nearest(f, &nearest, nullptr, lists, nullptr);
                             }).bytes);
    const Blocks halves = pushed([&](const auto& note, const AnswerLimit& limit) {
        return both.frame.with_static().for_each_answer(
            Within{.radius = 5}, own, own_walls,
            [&](std::size_t n, const NeighbourLists& some, const NeighbourLists& theirs) {
                note(n, some, theirs);
            },
            limit);
    });
    EXPECT_EQ(halves.bytes, pulled(
                                bound, lists, throng_neighbours_block,
                                [&] {
                                    return throng_frame_neighbours_within_both(f, &within, nullptr, lists,
                                                                               wall_lists, nullptr);
                                },
                                wall_lists)
                                .bytes);
}

TEST_P(CBlocks, of_neighbours_of_points_and_in_another_frame) {
    std::vector<Point> places;
    for (const Box& box : both.scene.queries(2000)) places.push_back(box.centre());
    auto points = made(throng_init_points);
    points.count = places.size();
    points.x = &places.front().x;
    points.y = &places.front().y;
    points.stride = sizeof(Point);
    auto nearest = made(throng_init_nearest);
    nearest.count = 6;
    auto within = made(throng_init_within);
    within.radius = 20;
    throng_frame* layer = nullptr;
    ASSERT_EQ(throng_frame_static_layer(both.c.frame, &layer, nullptr), THRONG_OK);
    throng_neighbours* lists = both.c.lists;
    NeighbourLists own;
    const Blocks of_points = pushed([&](const auto& note, const AnswerLimit& limit) {
        return both.frame.for_each_answer(
            places, {.count = 6}, own, [&](std::size_t n, const NeighbourLists& some) { note(n, some); },
            limit);
    });
    EXPECT_EQ(of_points.bytes, pulled(places.size(), lists, throng_neighbours_block, [&] {
                                   return throng_frame_neighbours_nearest_of(both.c.frame, &points, &nearest,
                                                                             nullptr, lists, nullptr);
                               }).bytes);
    const Blocks in_layer = pushed([&](const auto& note, const AnswerLimit& limit) {
        return both.frame.for_each_answer(
            both.frame.static_layer(), {.radius = 20}, own,
            [&](std::size_t n, const NeighbourLists& some) { note(n, some); }, limit);
    });
    EXPECT_EQ(in_layer.bytes,
              pulled(throng_frame_id_bound(both.c.frame), lists, throng_neighbours_block, [&] {
                  return throng_frame_neighbours_within_in(both.c.frame, layer, &within, nullptr, lists,
                                                           nullptr);
              }).bytes);
    throng_frame_release(layer);
}

INSTANTIATE_TEST_SUITE_P(Scenes, CBlocks, ::testing::Values(0, 2, one_that_wraps));

TEST(CBlock, is_made_by_the_next_call_alone) {
    Both both("uniform", 500);
    const throng_boxes boxes = boxes_in_c(both.scene.agents());
    const auto lists = [&] {
        EXPECT_EQ(throng_frame_overlaps_of(both.c.frame, &boxes, nullptr, both.c.hits, nullptr), THRONG_OK);
        return lists_of(both.c.hits);
    };
    ASSERT_EQ(throng_hits_block(both.c.hits, 0, 100, nullptr), THRONG_OK);
    EXPECT_LT(lists(), 500u);
    EXPECT_EQ(lists(), 500u);
    // At least one list, and none behind the last.
    ASSERT_EQ(throng_hits_block(both.c.hits, 499, 0, nullptr), THRONG_OK);
    EXPECT_EQ(lists(), 1u);
    ASSERT_EQ(throng_hits_block(both.c.hits, UINT64_MAX, UINT64_MAX, nullptr), THRONG_OK);
    ASSERT_EQ(throng_frame_overlaps_of(both.c.frame, &boxes, nullptr, both.c.hits, nullptr), THRONG_OK);
    EXPECT_TRUE(got(both.c.hits, throng_hits_offsets).empty());
    // Refused by a call that makes no blocks.
    ASSERT_EQ(throng_hits_block(both.c.hits, 0, 100, nullptr), THRONG_OK);
    EXPECT_EQ(throng_arrays_overlaps_of(&boxes, &boxes, nullptr, both.c.hits, nullptr), THRONG_BAD_CONFIG);
}

}  // namespace
}  // namespace throng::test
