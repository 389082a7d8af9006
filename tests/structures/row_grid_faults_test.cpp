// RowGrid without memory, with faults planted in it, and on each instruction set.
#include "structures/grid_twin.hpp"
#include "structures/row_grid_support.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Inspector = IndexInspector<RowGrid>;

// --- Out of memory ---

TEST(RowGrid, is_as_it_was_after_any_call_that_found_no_memory) {
    Random random(17);
    const std::vector<Box> first = crowd_in(random, 200, 0, 40);
    std::vector<Box> second = crowd_in(random, 800, 0, 100), third = first;
    walk(random, third, 40);
    bool everything_succeeded = false;
    for (std::uint64_t successes = 0; !everything_succeeded; ++successes) {
        ASSERT_LT(successes, 1000u);
        CountingResource memory;
        RowGrid grid = grid_for(200, 100, &memory);
        ASSERT_TRUE(grid.assign(Boxes::of(first)));
        std::vector<Box> boxes = first;
        everything_succeeded = true;
        const auto expect = [&](const Status& status, const std::vector<Box>& after) {
            memory.stop_failing();
            if (status.ok()) boxes = after;
            if (!status.ok()) {
                everything_succeeded = false;
                EXPECT_EQ(status.code, Code::out_of_memory);
            }
            expect_holds(grid, boxes);
        };
        memory.fail_after(successes);
        expect(grid.move_all(Boxes::of(third), {}), third);
        std::vector<Box> after = boxes;
        after[3] = {90, 90, 91, 91};
        memory.fail_after(successes);
        expect(grid.move(3, after[3]), after);
        after = boxes;
        after.push_back({-50, -50, 50, 50});
        ElementId id = no_element;
        memory.fail_after(successes);
        expect(grid.insert(after.back(), id), after);
        memory.fail_after(successes);
        expect(grid.assign(Boxes::of(second)), second);
        RowGrid fresh = grid_for(200, 100, &memory);
        ASSERT_TRUE(fresh.assign(Boxes::of(first)));
        memory.fail_after(successes);
        const Status status = fresh.for_each_pair([](Pair) {});
        memory.stop_failing();
        if (!status.ok()) everything_succeeded = false;
        memory.fail_after(successes);
        fresh.clean_up();
        memory.stop_failing();
        expect_holds(fresh, first);
        memory.fail_after(successes);
        RowGrid late = grid_for(200, 100, &memory);
        memory.stop_failing();
        // One allocation for the grid itself, and one for its rows.
        EXPECT_EQ(late.insert(Box{}, id).code, successes < 2 ? Code::out_of_memory : Code::ok);
        EXPECT_FALSE(memory.misused());
        if (HasFatalFailure()) return;
    }
}

// --- Planted faults ---

class BrokenRowGrid : public ::testing::Test {
protected:
    void SetUp() override {
        Random random(18);
        const std::vector<Box> given = crowd_in(random, 300, 0, 100);
        ASSERT_TRUE(grid_.assign(Boxes::of(given)));
        for (ElementId id = 0; id < 300; id += 7) ASSERT_TRUE(grid_.remove(id));
        ASSERT_TRUE(grid_.validate());
    }
    // The row of element 1, as lists with holes.
    detail::GridRow& row() {
        detail::GridRow& row = Inspector::row(grid_, grid_.row_of(ElementId{1}));
        EXPECT_FALSE(row.sorted);
        EXPECT_NE(row.first_hole, detail::GridRow::none);
        return row;
    }
    detail::GridRow::Node& node() { return row().nodes[Inspector::where(grid_, 1).node]; }
    void expect_fault(const char* what) {
        const IndexValidation state = grid_.validate();
        EXPECT_FALSE(state);
        EXPECT_STREQ(state.what, what);
    }

    RowGrid grid_{ten_rows()};
};

struct Planted {
    const char* what;  // is said
    void (*plant)(detail::GridRow& row, detail::GridRow::Node& node, std::uint32_t its_number);
};
using Row = detail::GridRow;
using Node = detail::GridRow::Node;
const Planted in_a_row[] = {
    {nullptr, [](Row&, Node& node, std::uint32_t number) { node.next = number; }},
    {nullptr, [](Row&, Node& node, std::uint32_t) { node.next = 1'000'000; }},
    {nullptr, [](Row& row, Node&, std::uint32_t) { ++row.size; }},
    {"a list of holes leaves its row or has no end",
     [](Row& row, Node&, std::uint32_t) { row.nodes[row.first_hole].next = row.first_hole; }},
    {"a list of holes leaves its row or has no end",
     [](Row& row, Node&, std::uint32_t) { row.first_hole = 1'000'000; }},
    {"the box of a hole could be found",
     [](Row& row, Node&, std::uint32_t) { row.nodes[row.first_hole].box = {}; }},
    {"the elements and holes of a row are not its nodes",
     [](Row& row, Node&, std::uint32_t) { row.first_hole = Row::none; }},
    {"an element is in a wrong row",
     [](Row&, Node& node, std::uint32_t) { node.box.min_y += 50, node.box.max_y += 50; }},
    {"an element is in a wrong cell",
     [](Row&, Node& node, std::uint32_t) {
         const float width = node.box.max_x - node.box.min_x;
         node.box.min_x = node.box.min_x < 50 ? 90.0f : 3.0f;
         node.box.max_x = node.box.min_x + width / 2;
     }},
    {"an element has a box that is not legal",
     [](Row&, Node& node, std::uint32_t) { node.box.max_x = std::numeric_limits<float>::quiet_NaN(); }},
    {"a node has an id that is not in use", [](Row&, Node& node, std::uint32_t) { node.id = 7; }},
    {"a node has an id that is not in use", [](Row&, Node& node, std::uint32_t) { node.id = 4'000'000; }},
    {"an element is not where it is said to be", [](Row&, Node& node, std::uint32_t) { node.id = 2; }},
    {"an element reaches further than its row says", [](Row& row, Node&, std::uint32_t) { row.width = 0; }},
    {"an element reaches further than its row says", [](Row& row, Node&, std::uint32_t) { row.top = -1; }},
    {"an element reaches further than its row says",
     [](Row& row, Node&, std::uint32_t) { row.top = std::numeric_limits<float>::quiet_NaN(); }},
};
class BrokenRow : public BrokenRowGrid, public ::testing::WithParamInterface<Planted> {};

TEST_P(BrokenRow, shows) {
    const auto& [what, plant] = GetParam();
    plant(row(), node(), Inspector::where(grid_, 1).node);
    EXPECT_FALSE(grid_.validate());
    if (what != nullptr) expect_fault(what);
}
INSTANTIATE_TEST_SUITE_P(Planted, BrokenRow, ::testing::ValuesIn(in_a_row));

TEST_F(BrokenRowGrid, shows_runs_that_are_none) {
    grid_.clean_up();
    // Which rows have seen enough edits is up to the compiler, which calls the random
    // numbers of a box in its own order.
    std::size_t r = 0;
    while (r < grid_.rows() && !Inspector::row(grid_, r).sorted) ++r;
    ASSERT_LT(r, grid_.rows());
    detail::GridRow& sorted = Inspector::row(grid_, r);
    ASSERT_TRUE(grid_.validate());
    const std::uint32_t before = sorted.heads[3];
    sorted.heads[3] = 1'000'000;
    expect_fault("the cells of a sorted row are not runs");
    sorted.heads[3] = before;
    sorted.heads[sorted.cells()] += 1;
    expect_fault("the cells of a sorted row are not runs");
}

// --- Instruction sets ---

std::vector<Pair> in_order(RowGrid& grid) {
    std::vector<Pair> pairs;
    EXPECT_TRUE(grid.for_each_pair([&](Pair pair) { pairs.push_back(pair); }));
    return pairs;
}

TEST(RowGrid, gives_the_same_pairs_in_the_same_order_on_every_instruction_set) {
    Random random(41);
    std::vector<Box> boxes;
    for (int i = 0; i < 3000; ++i)
        boxes.push_back(Box::around(random.uniform(0, 100), random.uniform(0, 100), random.uniform(0, 1),
                                    random.uniform(0, 3)));
    std::vector<Pair> first;
    for (const Isa isa : instruction_sets()) {
        RowGrid::Config config = ten_rows();
        config.isa = isa;
        RowGrid grid(config);
        ASSERT_EQ(grid.isa(), isa);
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        const std::vector<Pair> pairs = in_order(grid);
        ASSERT_EQ(pairs.size(), pairs_of(boxes).size());
        if (first.empty()) first = pairs;
        EXPECT_EQ(pairs, first) << to_string(isa);
    }
}

TEST(RowGrid, refuses_an_instruction_set_that_the_processor_lacks) {
    for (const Isa isa : {Isa::sse2, Isa::avx2, Isa::avx512, Isa::avx512vbmi2, Isa::neon64}) {
        RowGrid::Config config = ten_rows();
        config.isa = isa;
        RowGrid grid(config);
        if (is_supported(isa)) continue;
        EXPECT_EQ(grid.status().code, Code::unsupported_isa);
        EXPECT_EQ(grid.assign(Boxes{}).code, Code::unsupported_isa);
        EXPECT_EQ(grid.for_each_pair([](Pair) {}).code, Code::unsupported_isa);
        EXPECT_EQ(grid.for_each_overlap(Box{}, [](ElementId) {}).code, Code::unsupported_isa);
    }
}

}  // namespace
}  // namespace throng::test
