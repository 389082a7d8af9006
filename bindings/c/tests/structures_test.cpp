// The small structures in C, beside those of the library.

#include "throng/structures.hpp"
#include "bindings/c/tests/both_worlds.hpp"
#include "throng_structures.h"

namespace throng::test {
namespace {

using namespace structures;

throng_structure_config expecting(std::uint32_t kind, const Expected& expected) {
    auto config = made(throng_init_structure_config);
    config.kind = kind;
    config.extents = {expected.extents.min_x, expected.extents.min_y, expected.extents.max_x,
                      expected.extents.max_y};
    config.elements = expected.elements;
    config.typical_size = expected.typical_size;
    config.largest_size = expected.largest_size;
    return config;
}

const Expected world{.extents = {0, 0, 500, 500}, .elements = 1000, .typical_size = 4, .largest_size = 8};

std::vector<Box> small_boxes(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = random.uniform(0, 500), y = random.uniform(0, 500), half = random.uniform(1, 4);
        boxes.push_back(Box::around(x, y, half, half));
    }
    return boxes;
}

// The answers of a structure to many queries, in its own order.
template <class Index>
void expect_same_answers(Index& index, throng_structure* c, const std::vector<Box>& queries) {
    const throng_boxes given = boxes_in_c(queries);
    std::vector<std::uint64_t> offsets(queries.size() + 1);
    std::vector<std::uint32_t> ids(200000), omitted(queries.size());
    std::iota(omitted.begin(), omitted.end(), 0u);
    std::uint64_t total = 0;
    ASSERT_EQ(throng_structure_overlaps_of(c, &given, omitted.data(), offsets.data(), offsets.size(),
                                           ids.data(), ids.size(), &total, nullptr),
              THRONG_OK);
    ASSERT_EQ(offsets.back(), total);
    for (std::size_t q = 0; q < queries.size(); ++q) {
        std::vector<ElementId> found, one(300);
        ASSERT_TRUE(index.for_each_overlap(
            queries[q], [&](ElementId id) { found.push_back(id); }, static_cast<ElementId>(q)));
        EXPECT_TRUE(std::equal(found.begin(), found.end(),
                               ids.begin() + static_cast<std::ptrdiff_t>(offsets[q]),
                               ids.begin() + static_cast<std::ptrdiff_t>(offsets[q + 1])));
        const throng_box box{queries[q].min_x, queries[q].min_y, queries[q].max_x, queries[q].max_y};
        std::uint64_t count = 0;
        ASSERT_EQ(throng_structure_overlaps(c, &box, static_cast<std::uint32_t>(q), one.data(), one.size(),
                                            &count, nullptr),
                  THRONG_OK);
        one.resize(count);
        EXPECT_EQ(found, one);
    }
    std::vector<Pair> pairs, c_pairs(100000);
    ASSERT_TRUE(index.for_each_pair(
        [&](std::span<const Pair> some) { pairs.insert(pairs.end(), some.begin(), some.end()); }));
    ASSERT_EQ(throng_structure_pairs(c, reinterpret_cast<throng_pair*>(c_pairs.data()), c_pairs.size(),
                                     &total, nullptr),
              THRONG_OK);
    c_pairs.resize(total);
    EXPECT_GT(total, 0u);
    EXPECT_EQ(pairs, c_pairs);
    EXPECT_EQ(index.size(), throng_structure_size(c));
    EXPECT_EQ(index.bytes(), throng_structure_bytes(c));
    std::vector<ElementId> all, c_all(index.size());
    index.for_each_element([&](ElementId id) { all.push_back(id); });
    ASSERT_EQ(throng_structure_elements(c, c_all.data(), c_all.size(), nullptr), THRONG_OK);
    EXPECT_EQ(all, c_all);
}

template <class Index>
struct Kind {
    using Type = Index;
    std::uint32_t number;
};

template <class Call>
void for_each_kind(const Call& call) {
    call(Kind<LooseQuadtree>{THRONG_LOOSE_QUADTREE});
    call(Kind<RowGrid>{THRONG_ROW_GRID});
}

TEST(CStructures, answer_as_those_of_the_library_after_the_same_edits) {
    const std::vector<Box> elements = small_boxes(1000, 1), places = small_boxes(300, 2),
                           queries = small_boxes(200, 3);
    const throng_boxes given = boxes_in_c(elements), given_places = boxes_in_c(places);
    for_each_kind([&](const auto& kind) {
        using Index = typename std::remove_cvref_t<decltype(kind)>::Type;
        SCOPED_TRACE(kind.number);
        Index index(Index::recommended(world));
        throng_structure* c = nullptr;
        const throng_structure_config config = expecting(kind.number, world);
        ASSERT_EQ(throng_structure_create(nullptr, &config, &c, nullptr), THRONG_OK);
        ASSERT_TRUE(index.assign(elements));
        ASSERT_EQ(throng_structure_assign(c, &given, nullptr), THRONG_OK);
        expect_same_answers(index, c, queries);
        std::vector<ElementId> moved(300), new_ids(300), c_new_ids(300);
        for (std::size_t i = 0; i < moved.size(); ++i) {
            moved[i] = static_cast<ElementId>(3 * i);
            ASSERT_TRUE(index.move(moved[i], places[i]));
        }
        for (std::size_t i = 0; i < 100; ++i) ASSERT_TRUE(index.remove(moved[i]));
        for (std::size_t i = 0; i < 300; ++i) ASSERT_TRUE(index.insert(places[i], new_ids[i]));
        index.clean_up();
        ASSERT_EQ(throng_structure_move(c, moved.data(), 300, &given_places, nullptr), THRONG_OK);
        ASSERT_EQ(throng_structure_remove(c, moved.data(), 100, nullptr), THRONG_OK);
        ASSERT_EQ(throng_structure_insert(c, &given_places, c_new_ids.data(), 300, nullptr), THRONG_OK);
        ASSERT_EQ(throng_structure_clean_up(c, nullptr), THRONG_OK);
        EXPECT_EQ(new_ids, c_new_ids);
        expect_same_answers(index, c, queries);
        throng_box box{};
        ASSERT_EQ(throng_structure_box(c, new_ids[7], &box, nullptr), THRONG_OK);
        EXPECT_EQ(index.box(new_ids[7]), (Box{box.min_x, box.min_y, box.max_x, box.max_y}));
        ASSERT_EQ(throng_structure_clear(c, nullptr), THRONG_OK);
        EXPECT_EQ(throng_structure_size(c), 0u);
        throng_structure_destroy(c);
    });
}

TEST(CStructures, a_static_index_takes_no_edits) {
    const std::vector<Box> elements = small_boxes(1000, 1), queries = small_boxes(200, 3);
    const throng_boxes given = boxes_in_c(elements);
    StaticIndex index;
    CWorld world_of_memory;
    throng_structure* c = nullptr;
    auto config = made(throng_init_structure_config);
    ASSERT_EQ(throng_structure_create(world_of_memory.engine, &config, &c, nullptr), THRONG_OK);
    ASSERT_TRUE(index.assign(elements));
    ASSERT_EQ(throng_structure_assign(c, &given, nullptr), THRONG_OK);
    expect_same_answers(index, c, queries);
    std::vector<std::uint32_t> ids(1000);
    auto details = made(throng_init_status_details);
    EXPECT_EQ(throng_structure_insert(c, &given, ids.data(), 1000, &details), THRONG_BAD_CONFIG);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_HANDLE);
    EXPECT_EQ(throng_structure_remove(c, ids.data(), 1, nullptr), THRONG_BAD_CONFIG);
    EXPECT_EQ(throng_structure_size(c), 1000u);
    throng_structure_destroy(c);
}

TEST(CStructures, name_what_is_at_fault_and_keep_what_was_edited_before_it) {
    throng_structure* c = nullptr;
    auto details = made(throng_init_status_details);
    auto config = expecting(THRONG_LOOSE_QUADTREE, world);
    ASSERT_EQ(throng_structure_create(nullptr, &config, &c, nullptr), THRONG_OK);
    std::vector<Box> boxes = small_boxes(3, 1);
    boxes[2].min_x = std::numeric_limits<float>::quiet_NaN();
    const throng_boxes given = boxes_in_c(boxes);
    std::vector<std::uint32_t> ids(3);
    std::vector<std::uint64_t> offsets(4);
    std::uint64_t total = 0;
    EXPECT_EQ(throng_structure_insert(c, &given, ids.data(), 3, &details), THRONG_NOT_FINITE);
    EXPECT_EQ(details.index, 2u);
    EXPECT_EQ(throng_structure_size(c), 2u);
    EXPECT_EQ(throng_structure_assign(c, &given, &details), THRONG_NOT_FINITE);
    EXPECT_EQ(throng_structure_size(c), 2u);
    EXPECT_EQ(throng_structure_insert(c, &given, ids.data(), 2, nullptr), THRONG_SIZE_MISMATCH);
    EXPECT_EQ(
        throng_structure_overlaps_of(c, &given, nullptr, offsets.data(), 4, ids.data(), 3, &total, &details),
        THRONG_NOT_FINITE);
    EXPECT_EQ(details.index, 2u);
    EXPECT_EQ(
        throng_structure_overlaps_of(c, &given, nullptr, offsets.data(), 3, ids.data(), 3, &total, &details),
        THRONG_SIZE_MISMATCH);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_OUTPUT);
    ids[0] = 77;
    EXPECT_EQ(throng_structure_remove(c, ids.data(), 1, &details), THRONG_UNKNOWN_ID);
    EXPECT_EQ(details.index, 0u);
    throng_box box{};
    EXPECT_EQ(throng_structure_box(c, 77, &box, nullptr), THRONG_UNKNOWN_ID);
    EXPECT_EQ(throng_structure_assign(nullptr, &given, nullptr), THRONG_NULL_POINTER);
    throng_structure_destroy(c);
    config.kind = 3;
    EXPECT_EQ(throng_structure_create(nullptr, &config, &c, &details), THRONG_BAD_CONFIG);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_CONFIG);
    EXPECT_EQ(c, nullptr);
    config = expecting(THRONG_LOOSE_QUADTREE, {});
    EXPECT_EQ(throng_structure_create(nullptr, &config, &c, &details), THRONG_BAD_CONFIG);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_EXTENTS);
    throng_structure_destroy(nullptr);
}

TEST(CStructures, move_for_ever_without_an_allocation) {
    CountingResource memory;
    {
        CWorld c(config_with(memory));
        throng_structure* index = nullptr;
        const throng_structure_config config = expecting(THRONG_LOOSE_QUADTREE, world);
        ASSERT_EQ(throng_structure_create(c.engine, &config, &index, nullptr), THRONG_OK);
        const std::vector<Box> elements = small_boxes(1000, 1);
        const throng_boxes given = boxes_in_c(elements);
        std::vector<std::uint32_t> ids(1000);
        std::vector<throng_pair> pairs(10000);
        ASSERT_EQ(throng_structure_insert(index, &given, ids.data(), 1000, nullptr), THRONG_OK);
        std::uint64_t calls = 0;
        for (std::uint64_t frame = 0; frame < 40; ++frame) {
            if (frame == 20) calls = memory.calls();
            const std::vector<Box> places = small_boxes(1000, 2 + frame % 10);
            const throng_boxes given_places = boxes_in_c(places);
            ASSERT_EQ(throng_structure_move(index, ids.data(), 1000, &given_places, nullptr), THRONG_OK);
            ASSERT_EQ(throng_structure_pairs(index, pairs.data(), pairs.size(), nullptr, nullptr), THRONG_OK);
            ASSERT_EQ(throng_structure_clean_up(index, nullptr), THRONG_OK);
        }
        EXPECT_EQ(memory.calls(), calls);
        throng_structure_destroy(index);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
}

}  // namespace
}  // namespace throng::test
