// The options of each structure: those without a meaning are refused, and all instruction sets give the same
// answers.
#include "structures/tests/index_answers.hpp"
#include "structures/tests/test.hpp"
#include "structures/tests/worlds.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::structures::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                infinity = std::numeric_limits<float>::infinity();
constexpr Box unit{0, 0, 1, 1};

// These configurations, and one without extents.
template <class Index>
void expect_bad(std::vector<typename Index::Config> all) {
    EXPECT_TRUE(Index(typename Index::Config{.extents = unit}).status());
    all.emplace_back();
    for (const typename Index::Config& config : all) expect_refused(Index(config), Code::bad_config);
}

TEST(IndexOptions, without_a_meaning_are_refused) {
    expect_bad<Quadtree>(
        {{.extents = unit, .max_depth = Quadtree::depth_limit + 1}, {.extents = unit, .leaf_limit = 0}});
    expect_bad<LooseQuadtree>({{.extents = unit, .max_depth = 0},
                               {.extents = unit, .max_depth = 25},
                               {.extents = unit, .leaf_elements = 0},
                               {.extents = unit, .leaf_elements = 1025}});
    expect_bad<LooseGrid>({{.extents = unit, .columns = 0},
                           {.extents = unit, .rows = 32769},
                           {.extents = unit, .columns = 32768, .rows = 32768},
                           {.extents = unit, .tight_columns = 0}});
    for (const float bad : {nan, infinity, -1.0f}) {
        expect_bad<UniformGrid>(
            {{.extents = unit, .largest_size = bad}, {.extents = unit, .cell_size = bad}});
        expect_bad<GridHierarchy>({{.extents = unit, .cell_size = bad}});
        expect_bad<RowGrid>({{.extents = unit, .cell_width = bad},
                             {.extents = unit, .row_height = bad},
                             {.extents = unit, .largest_common = bad}});
    }
    expect_bad<UniformGrid>({{.extents = unit, .cell_size = 0}});
    expect_bad<GridHierarchy>({{.extents = unit, .cell_size = 0}});
}

TEST(IndexOptions, that_are_refused_are_so_in_every_call_of_a_row_grid) {
    RowGrid grid(RowGrid::Config{});
    EXPECT_EQ(grid.assign(Boxes{}, {}).code, Code::bad_config);
    EXPECT_EQ(grid.move_within_row(0, unit).code, Code::bad_config);
    const auto nothing = [](std::span<const Pair>, std::size_t) {};
    EXPECT_EQ(grid.for_each_pair_concurrently(nothing, serial_executor()).code, Code::bad_config);
    EXPECT_EQ(grid.row_of(unit) + grid.row_of(ElementId{0}) + grid.rows() + grid.columns(), 0u);
    EXPECT_FALSE(grid.has_memory(0));
}

// --- Instruction sets --------------------------------------------------------------------------------------

template <class Index>
class IndexOnAnyIsa : public ::testing::Test {};
using IndexesWithIsa = ::testing::Types<LooseGrid, RowGrid, StaticIndex>;
TYPED_TEST_SUITE(IndexOnAnyIsa, IndexesWithIsa);

template <class Index>
Index index_on(Isa isa) {
    typename Index::Config config = Index::recommended(
        {.extents = {0, 0, 100, 100}, .elements = 3000, .typical_size = 1, .largest_size = 3});
    config.isa = isa;
    return Index(config);
}

TYPED_TEST(IndexOnAnyIsa, has_the_same_answers_in_the_same_order) {
    std::vector<Box> boxes = some_boxes(3000, 100, 1.5f);
    for (std::size_t i = 0; i < 20; ++i) boxes[i] = Box::around(50, 50, 2 * static_cast<float>(i), 9);
    Ids first;
    for (const Isa isa : instruction_sets()) {
        TypeParam index = index_on<TypeParam>(isa);
        ASSERT_EQ(index.isa(), isa);
        ASSERT_TRUE(index.assign(Boxes::of(boxes)));
        ASSERT_EQ(pairs_of(index), pairs_of(boxes)) << to_string(isa);
        Ids all;
        EXPECT_TRUE(index.for_each_pair([&](Pair pair) { all.push_back(pair.a), all.push_back(pair.b); }));
        for (const Box& box : queries_about(boxes, 40, 5))
            EXPECT_TRUE(index.for_each_overlap(box, [&](ElementId id) { all.push_back(id); }));
        if (first.empty()) first = all;
        EXPECT_EQ(all, first) << to_string(isa);
    }
}

TYPED_TEST(IndexOnAnyIsa, refuses_one_that_the_processor_lacks) {
    for (const Isa isa :
         {Isa::sse2, Isa::avx2, Isa::avx512, Isa::avx512vbmi2, Isa::neon64, Isa::wasm128, Isa::wasm32}) {
        TypeParam index = index_on<TypeParam>(isa);
        const Code code = is_supported(isa) ? Code::ok : Code::unsupported_isa;
        EXPECT_EQ(index.status().code, code);
        EXPECT_EQ(fill(index, {unit}).code, code);
        EXPECT_EQ(index.for_each_pair([](Pair) {}).code, code);
        EXPECT_EQ(index.for_each_overlap(unit, [](ElementId) {}).code, code);
        if constexpr (requires { index.count(unit); }) {
            EXPECT_EQ(index.count(unit).status.code, code);
            EXPECT_EQ(index.any(unit).status.code, code);
        }
    }
}

// --- Boxes -------------------------------------------------------------------------------------------------

template <class Index>
class IndexOfAnyForm : public ::testing::Test {};
using AllIndexes =
    ::testing::Types<Quadtree, LooseQuadtree, LooseGrid, UniformGrid, RowGrid, GridHierarchy, StaticIndex>;
TYPED_TEST_SUITE(IndexOfAnyForm, AllIndexes);

TYPED_TEST(IndexOfAnyForm, reads_boxes_in_every_form) {
    std::vector<float> x, y;
    std::vector<Box> boxes;
    for (const Box& box : some_boxes(2000, 100, 0)) {
        x.push_back(box.min_x), y.push_back(box.min_y);
        boxes.push_back(Box::around(box.min_x, box.min_y, 0.75f, 0.75f));
    }
    const std::vector<float> half(2000, 0.75f);
    const Expected expected = expected_of(boxes);
    TypeParam plain(TypeParam::recommended(expected));
    ASSERT_TRUE(plain.assign(Boxes::of(boxes)));
    for (const Boxes& form : {Boxes::points(x, y, 0.75f), Boxes::centre_half(x, y, half, half)}) {
        TypeParam index(TypeParam::recommended(expected));
        ASSERT_TRUE(index.assign(form));
        for (ElementId id = 0; id < boxes.size(); ++id) ASSERT_EQ(index.box(id), plain.box(id));
        ASSERT_EQ(pairs_of(index), pairs_of(plain));
    }
}

}  // namespace
}  // namespace throng::structures::test
