// Faults planted in a GridHierarchy: validate() finds them.
#include "structures/grid_hierarchy_support.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

class BrokenGridHierarchy : public ::testing::Test {
protected:
    void SetUp() override {
        Random random(8);
        ASSERT_TRUE(fill(index_, of_all_sizes(500, 300, random)));
        ASSERT_TRUE(index_.validate());
        const Box point{200.3f, 200.3f, 200.3f, 200.3f}, bulky{200, 200, 205, 205};
        ASSERT_TRUE(index_.insert(point, point_));
        ASSERT_TRUE(index_.insert(bulky, bulky_));
        ASSERT_TRUE(index_.validate());
    }
    void expect_a_fault() {
        const IndexValidation state = index_.validate();
        EXPECT_FALSE(state.sound());
        EXPECT_STRNE(state.what, "nothing");
    }

    GridHierarchy index_ = hierarchy({0, 0, 300, 300}, 1);
    ElementId point_ = no_element, bulky_ = no_element;
};

TEST_F(BrokenGridHierarchy, with_a_list_that_runs_in_a_circle) {
    Inspector::element(index_, point_).next = point_;
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_an_element_that_there_is_not) {
    Inspector::element(index_, bulky_).next = 5000;
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_an_element_in_another_cell) {
    Inspector::element(index_, point_).box = {100.5f, 100.5f, 100.5f, 100.5f};
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_an_element_of_another_level) {
    Inspector::element(index_, bulky_).box.max_x = 220;
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_a_box_that_is_not_finite) {
    Inspector::element(index_, point_).box.max_x = std::numeric_limits<float>::infinity();
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_a_reach_that_is_too_short) {
    for (const double reach : {1.0, std::numeric_limits<double>::quiet_NaN()}) {
        Inspector::reach(index_, 1) = reach;
        expect_a_fault();
    }
}
TEST_F(BrokenGridHierarchy, with_a_wrong_count) {
    ++Inspector::size(index_, 2);
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_occupation_that_is_not_so) {
    for (int bit : {0, 5, 63}) {
        Inspector::sub_region(index_, 1).occupied ^= std::uint64_t{1} << bit;
        expect_a_fault();
        Inspector::sub_region(index_, 1).occupied ^= std::uint64_t{1} << bit;
        Inspector::region(index_, 1).occupied ^= std::uint64_t{1} << bit;
        expect_a_fault();
        Inspector::region(index_, 1).occupied ^= std::uint64_t{1} << bit;
        Inspector::region(index_, 1).listed ^= std::uint64_t{1} << bit;
        expect_a_fault();
        Inspector::region(index_, 1).listed ^= std::uint64_t{1} << bit;
        Inspector::region(index_, 1).made ^= std::uint64_t{1} << bit;
        expect_a_fault();
        Inspector::region(index_, 1).made ^= std::uint64_t{1} << bit;
        ASSERT_TRUE(index_.validate());
    }
}
TEST_F(BrokenGridHierarchy, with_a_region_that_is_not_noted_in_the_world) {
    Inspector::occupied(index_).reset(Inspector::region(index_, 1).place);
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_a_region_twice_in_the_world) {
    Inspector::world(index_)[0] = 1;
    Inspector::world(index_)[1] = 1;
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_a_region_that_there_is_not) {
    Inspector::world(index_)[0] = 5000;
    expect_a_fault();
}
TEST_F(BrokenGridHierarchy, with_a_sub_region_that_is_elsewhere) {
    ++Inspector::sub_region(index_, 1).where;
    expect_a_fault();
}

}  // namespace
}  // namespace throng::test
