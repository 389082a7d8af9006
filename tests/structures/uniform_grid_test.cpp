#include "throng/structures/uniform_grid.hpp"
#include "engine/src/structures/uniform_grid/state.hpp"
#include "simd/kernels.hpp"
#include "structures/index_answers.hpp"
#include "structures/worlds.hpp"
#include "support/test.hpp"

namespace throng {

template <>
struct IndexInspector<UniformGrid> {
    static auto& state(auto& index) { return index.template own<UniformGrid::State>(); }
    static auto& head(UniformGrid& grid, std::size_t cell) { return state(grid).heads_[cell]; }
    static auto& element(UniformGrid& grid, ElementId id) { return state(grid).elements_[id]; }
    static auto& row_size(UniformGrid& grid, std::size_t row) { return state(grid).row_sizes_[row]; }
    static std::size_t cell_of(const UniformGrid& grid, ElementId id) {
        return state(grid).cell(state(grid).place(state(grid).elements_[id]));
    }
    static std::size_t cells(const UniformGrid& grid) {
        return std::size_t{state(grid).columns_.cells()} * state(grid).rows_.cells();
    }
    static std::size_t rows(const UniformGrid& grid) { return state(grid).rows_.cells(); }
};

namespace test {
namespace {

using Inspector = IndexInspector<UniformGrid>;

constexpr float largest = std::numeric_limits<float>::max();

UniformGrid grid_of(const Box& extents, float largest_size, float cell_size,
                    MemoryResource* memory = nullptr) {
    return UniformGrid({.extents = extents, .largest_size = largest_size, .cell_size = cell_size}, memory);
}

TEST(UniformGrid, answers_by_boxes_of_the_largest_size_that_enclose_the_true_ones) {
    Random random(1);
    for (const float offset : {0.0f, -1e6f, 3e7f}) {
        const Box extents{offset, offset, offset + 1000, offset + 1000};
        UniformGrid grid = grid_of(extents, 1, 2);
        for (int i = 0; i < 2000; ++i) {
            const float x = random.uniform(extents.min_x, extents.max_x),
                        y = extents.min_y + random.decades(-4, 1);
            const Box box{x, y, x + random.uniform(), y + 1};
            ElementId id = no_element;
            // Far from zero a side of 1 may have been rounded up.
            if (std::max(box.max_x - x, box.max_y - y) > 1) continue;
            ASSERT_TRUE(grid.insert(box, id)) << x << ", " << y;
            const Box kept = grid.box(id);
            EXPECT_LE(kept.min_x, box.min_x);
            EXPECT_LE(kept.min_y, box.min_y);
            EXPECT_GE(kept.max_x, box.max_x);
            EXPECT_GE(kept.max_y, box.max_y);
            const float slack = 1e-4f + 4e-6f * std::max(std::abs(extents.min_x), std::abs(extents.max_x));
            EXPECT_LE(kept.max_x - kept.min_x, 1 + slack);
            EXPECT_LE(kept.max_y - kept.min_y, 1 + slack);
        }
    }
    static_assert(answers_are_candidates<UniformGrid>);
}

TEST(UniformGrid, finds_elements_whose_true_box_is_not_touched) {
    UniformGrid grid = grid_of({0, 0, 100, 100}, 2, 2);
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({50, 50, 50, 50}, id));
    EXPECT_EQ(overlapping(grid, {50.5f, 50.5f, 51, 51}), Ids{id}) << "a candidate";
    EXPECT_EQ(overlapping(grid, {51.5f, 51.5f, 52, 52}), Ids{});
}

TEST(UniformGrid, refuses_what_is_larger_than_the_largest_and_has_not_changed) {
    UniformGrid grid = grid_of({0, 0, 100, 100}, 1, 2);
    ElementId id = 7;
    EXPECT_EQ(grid.insert({0, 0, 1.01f, 1}, id), (Status{Code::too_large, 0}));
    EXPECT_EQ(grid.insert({0, 0, 1, 1.01f}, id).code, Code::too_large);
    EXPECT_EQ(grid.insert({-largest, 0, largest, 1}, id).code, Code::too_large);
    EXPECT_EQ(id, 7u);
    ASSERT_TRUE(grid.insert({0, 0, 1, 1}, id));
    const Box before = grid.box(id);
    EXPECT_EQ(grid.move(id, {5, 5, 7, 6}).code, Code::too_large);
    EXPECT_EQ(grid.box(id), before);

    const std::vector<Box> boxes{{1, 1, 2, 2}, {3, 3, 3, 4}, {5, 5, 8, 6}, {9, 9, 20, 20}};
    EXPECT_EQ(grid.assign(Boxes::of(boxes)), (Status{Code::too_large, 2}));
    EXPECT_EQ(grid.size(), 1u);
    EXPECT_EQ(grid.box(id), before);
    std::vector<Box> bad = boxes;
    bad[1] = {3, 3, 2, 4};
    EXPECT_EQ(grid.assign(Boxes::of(bad)), (Status{Code::inverted, 1})) << "the first fault counts";
    bad[1] = {3, 3, std::numeric_limits<float>::infinity(), 4};
    EXPECT_EQ(grid.assign(Boxes::of(bad)), (Status{Code::not_finite, 1}));
    EXPECT_TRUE(grid.validate());
}

TEST(UniformGrid, refuses_a_configuration_that_makes_no_sense) {
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                infinity = std::numeric_limits<float>::infinity();
    const UniformGrid::Config good{.extents = {0, 0, 1, 1}, .largest_size = 0, .cell_size = 1};
    EXPECT_TRUE(UniformGrid(good).status());
    std::vector<UniformGrid::Config> bad(8, good);
    bad[0].extents = {1, 0, 0, 1};
    bad[1].extents.max_y = nan;
    bad[2].largest_size = -1;
    bad[3].largest_size = infinity;
    bad[4].largest_size = nan;
    bad[5].cell_size = 0;
    bad[6].cell_size = nan;
    bad[7].cell_size = infinity;
    for (const UniformGrid::Config& config : bad) expect_refused(UniformGrid(config), Code::bad_config);
}

TEST(UniformGrid, finds_pairs_in_rows_of_more_columns_than_the_kernel_takes) {
    UniformGrid grid = grid_of({0, 0, 200000, 16}, 1, 2);
    ASSERT_GT(Inspector::cells(grid) / Inspector::rows(grid), 3 * simd::max_columns);
    std::vector<Box> boxes;
    for (float x = 0; x < 200000; x += 40) {
        boxes.push_back({x, 4.5f, x + 1, 5.2f});
        boxes.push_back({x + 0.5f, 5.1f, x + 1.5f, 6});  // in the next row
    }
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    EXPECT_EQ(pairs_of(grid).size(), boxes.size() / 2);
}

// Where rounding could lose a pair: each element reaches exactly to the next, over the whole range of floats.
TEST(UniformGrid, loses_no_element_to_rounding) {
    Random random(2);
    for (const float scale : {1e-38f, 1e-6f, 1.0f, 1e4f, 1e16f, 1e30f}) {
        for (const float offset : {0.0f, 1.0f, 16777216.0f}) {
            const float low = offset * scale, high = std::min((offset + 64) * scale, largest);
            UniformGrid grid = grid_of({low, low, high, high}, scale, scale * 0.4f);
            ASSERT_TRUE(grid.status());
            std::size_t count = 0;
            for (int i = 0; i < 500; ++i) {
                const float x = low + scale * std::floor(random.uniform(0, 64)),
                            y = low + scale * random.uniform(0, 64);
                ElementId id = no_element;
                ASSERT_TRUE(grid.insert({x, y, x, y}, id));
                ++count;
            }
            expect_same_as_brute_force(grid);
            for (ElementId id = 0; id < count; ++id) {
                const Box box = grid.box(id);
                const Box beside{box.max_x, box.min_y, box.max_x, box.max_y};
                Ids expected;
                for (ElementId other = 0; other < count; ++other)
                    if (grid.box(other).overlaps(beside)) expected.push_back(other);
                ASSERT_EQ(overlapping(grid, beside), expected) << scale << ", " << offset;
            }
        }
    }
}

TEST(UniformGrid, lists_its_cells_row_by_row_with_what_is_in_them) {
    UniformGrid grid = grid_of({0, 0, 60, 60}, 1, 2);
    const std::vector<Box> boxes = even_crowd(500, 60, 3);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    std::size_t elements = 0;
    Box before{-1, -1, -1, -1};
    grid.for_each_part([&](const Part& part) {
        EXPECT_TRUE(part.leaf);
        EXPECT_GT(part.elements, 0u);
        elements += part.elements;
        EXPECT_TRUE(part.box.min_y > before.min_y || part.box.min_x > before.min_x);
        EXPECT_GT(part.box.max_y - part.box.min_y, part.box.max_x - part.box.min_x);
        before = part.box;
    });
    EXPECT_EQ(elements, boxes.size());
}

TEST(UniformGrid, takes_less_than_20_bytes_an_element) {
    for (const std::size_t count : {10'000u, 100'000u}) {
        const float side = std::sqrt(static_cast<float>(count) * 4);
        CountingResource memory;
        UniformGrid grid(UniformGrid::recommended(
                             {.extents = {0, 0, side, side}, .elements = count, .typical_size = 0.85f}),
                         &memory);
        ASSERT_TRUE(fill(grid, even_crowd(count, side, 4)));
        EXPECT_GT(pairs_of(grid).size(), count / 4);
        EXPECT_LT(static_cast<double>(memory.bytes_out()) / static_cast<double>(count), 20);
        EXPECT_EQ(grid.bytes(), memory.bytes_out());
    }
}

// --- Planted corruption ------------------------------------------------------------------------------------

struct Planted {
    const char* what;
    void (*plant)(UniformGrid& grid);
};
constexpr Planted planted[] = {
    {"a list cut off",
     [](UniformGrid& grid) { Inspector::head(grid, Inspector::cell_of(grid, 5)) = no_element; }},
    {"a list that runs in a circle", [](UniformGrid& grid) { Inspector::element(grid, 5).next = 5; }},
    {"an element that there is not", [](UniformGrid& grid) { Inspector::element(grid, 5).next = 200; }},
    {"an element in another cell",
     [](UniformGrid& grid) {
         float& x = Inspector::element(grid, 5).x;
         x += x < 10 ? 10.0f : -10.0f;
     }},
    {"a centre that is not a number",
     [](UniformGrid& grid) { Inspector::element(grid, 5).y = std::numeric_limits<float>::quiet_NaN(); }},
    {"a wrong row size", [](UniformGrid& grid) { ++Inspector::row_size(grid, 1); }},
};

TEST(BrokenUniformGrid, is_found_to_be_so) {
    for (const Planted& fault : planted) {
        UniformGrid grid = grid_of({0, 0, 20, 20}, 1, 2);
        ASSERT_TRUE(fill(grid, even_crowd(200, 20, 7)));
        ASSERT_TRUE(grid.validate());
        fault.plant(grid);
        const IndexValidation state = grid.validate();
        EXPECT_FALSE(state.sound()) << fault.what;
        EXPECT_STRNE(state.what, "nothing") << fault.what;
    }
}

}  // namespace
}  // namespace test
}  // namespace throng
