#include <concepts>
#include <initializer_list>

#include "support/test.hpp"

namespace throng {
namespace {

constexpr std::array<float, 3> x{1, 2, 3}, y{10, 20, 30}, half_x{0.5f, 0, 0.25f}, half_y{1, 2, 0};

TEST(Boxes, of_corners_are_read_as_they_are) {
    const std::array<float, 3> max_x{4, 5, 6}, max_y{40, 50, 60};
    const Boxes boxes = Boxes::min_max(x.data(), y.data(), max_x.data(), max_y.data(), 3);
    EXPECT_EQ(boxes.size(), 3u);
    EXPECT_EQ(boxes.form(), Boxes::Form::min_max);
    EXPECT_EQ(boxes[0], (Box{1, 10, 4, 40}));
    EXPECT_EQ(boxes[2], (Box{3, 30, 6, 60}));
}

TEST(Boxes, of_centres_and_halves_reach_around_each_centre) {
    const Boxes boxes = Boxes::centre_half(x.data(), y.data(), half_x.data(), half_y.data(), 3);
    EXPECT_EQ(boxes.form(), Boxes::Form::centre_half);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(boxes[i], Box::around(x[i], y[i], half_x[i], half_y[i])) << i;
}

TEST(Boxes, of_points_share_one_radius) {
    const Boxes boxes = Boxes::points(x.data(), y.data(), 0.5f, 3);
    EXPECT_EQ(boxes.form(), Boxes::Form::points);
    EXPECT_EQ(boxes.radius(), 0.5f);
    EXPECT_EQ(boxes[1], (Box{1.5f, 19.5f, 2.5f, 20.5f}));
    EXPECT_EQ(boxes.coordinate(2), nullptr);
    EXPECT_EQ(boxes.coordinate(3), nullptr);
}

TEST(Boxes, of_an_array_of_boxes_are_those_boxes) {
    const std::vector<Box> array{{1, 2, 3, 4}, {5, 6, 7, 8}};
    const Boxes boxes = Boxes::of(array);
    ASSERT_EQ(boxes.size(), 2u);
    EXPECT_TRUE(boxes.has_stride(sizeof(Box)));
    EXPECT_EQ(boxes[0], array[0]);
    EXPECT_EQ(boxes[1], array[1]);
}

struct Walker {
    char name;
    float x, y;
    double mood;
    float half_x, half_y;
};

TEST(Boxes, of_structures_step_by_the_stride) {
    const std::array<Walker, 2> walkers{{{'a', 1, 2, 0, 0.5f, 0.25f}, {'b', 3, 4, 0, 1, 2}}};
    const Boxes boxes = Boxes::centre_half(&walkers[0].x, &walkers[0].y, &walkers[0].half_x,
                                           &walkers[0].half_y, walkers.size(), sizeof(Walker));
    EXPECT_EQ(boxes[0], Box::around(1, 2, 0.5f, 0.25f));
    EXPECT_EQ(boxes[1], Box::around(3, 4, 1, 2));
}

struct Place {
    float x, y;
};
struct Inheritor : Place {
    float radius;
};

// A pointer to a member of a base names the base, but the stride is the size of the whole element.
TEST(Boxes, of_inherited_members_step_by_the_whole_element) {
    std::vector<Inheritor> agents(3);
    for (std::size_t i = 0; i < agents.size(); ++i) {
        agents[i].x = static_cast<float>(10 * i);
        agents[i].y = 1;
        agents[i].radius = 2;
    }
    const Boxes points = Boxes::points(agents, &Inheritor::x, &Inheritor::y, 2);
    const Boxes squares =
        Boxes::centre_half(agents, &Inheritor::x, &Inheritor::y, &Inheritor::radius, &Inheritor::radius);
    for (std::size_t i = 0; i < agents.size(); ++i) {
        EXPECT_EQ(points[i], Box::around(agents[i].x, 1, 2, 2));
        EXPECT_EQ(squares[i], points[i]);
    }
}

struct Nested {
    std::uint32_t name;
    Place place, half;
};
struct NamedPlace : Place {
    std::uint32_t name;
};
struct NestedInheritor : Nested {
    double mood;
    NamedPlace home;
};

TEST(Boxes, of_members_of_members_step_by_the_whole_element) {
    std::vector<NestedInheritor> agents(3);
    for (std::size_t i = 0; i < agents.size(); ++i) {
        agents[i].place = {static_cast<float>(i), 5};
        agents[i].half = {0.25f, static_cast<float>(i)};
        agents[i].home.y = static_cast<float>(i) + 0.5f;
    }
    const auto x_of = member_path(&Nested::place, &Place::x), y_of = member_path(&Nested::place, &Place::y);
    const auto half_x_of = member_path(&NestedInheritor::half, &Place::x),
               half_y_of = member_path(&Nested::half, &Place::y);
    const Boxes boxes = Boxes::centre_half(agents, x_of, y_of, half_x_of, half_y_of);
    const Boxes squares = Boxes::points(agents, x_of, y_of, 2);
    const Boxes corners = Boxes::min_max(agents, x_of, y_of, x_of, y_of);
    const Points points = Points::members(agents, x_of, y_of);
    const Radii radii = Radii::members(agents, half_y_of);
    const Radii homes = Radii::members(agents, member_path(&NestedInheritor::home, &NamedPlace::y));
    for (std::size_t i = 0; i < agents.size(); ++i) {
        const float at = static_cast<float>(i);
        EXPECT_EQ(boxes[i], Box::around(at, 5, 0.25f, at));
        EXPECT_EQ(squares[i], Box::around(at, 5, 2, 2));
        EXPECT_EQ(corners[i], (Box{at, 5, at, 5}));
        EXPECT_EQ(points[i].x, at);
        EXPECT_EQ(radii[i], at);
        EXPECT_EQ(homes[i], at + 0.5f);
    }
    agents.clear();
    EXPECT_EQ(Boxes::points(agents, x_of, y_of, 2).size(), 0u);
    EXPECT_EQ(Boxes::points(agents, x_of, y_of, 2).fault(), Code::ok);
}

// A view of what has a name, or of a view. A container that goes at the end of the line would dangle.
struct Sized {
    float x, y, half;
};
template <class Range>
concept ViewedAsPoints = requires(Range&& range) {
    Boxes::points(std::forward<Range>(range), &Sized::x, &Sized::y, 1.0f);
};
template <class Range>
concept ViewedAsCoordinates = requires(Range&& range) {
    Boxes::points(std::forward<Range>(range), x, 1.0f);
};
template <class Range>
concept ViewedAsBoxes = requires(Range&& range) {
    Boxes::of(std::forward<Range>(range));
};

static_assert(std::convertible_to<std::vector<Box>&, Boxes> &&
              std::convertible_to<const std::vector<Box>&, Boxes>);
static_assert(std::convertible_to<std::span<const Box>, Boxes> && std::convertible_to<std::span<Box>, Boxes>);
static_assert(!std::convertible_to<std::vector<Box>, Boxes> &&
              !std::convertible_to<const std::vector<Box>, Boxes>);
static_assert(!std::convertible_to<std::array<Box, 2>, Boxes> &&
              !std::convertible_to<std::initializer_list<Box>, Boxes>);
static_assert(ViewedAsBoxes<std::vector<Box>&> && ViewedAsBoxes<std::span<const Box>> &&
              !ViewedAsBoxes<std::vector<Box>> && !ViewedAsBoxes<const std::vector<Box>>);
static_assert(ViewedAsPoints<std::vector<Sized>&> && ViewedAsPoints<std::span<const Sized>> &&
              ViewedAsPoints<const Sized (&)[3]> && !ViewedAsPoints<std::vector<Sized>>);
static_assert(ViewedAsCoordinates<std::vector<float>&> && ViewedAsCoordinates<std::span<float>> &&
              !ViewedAsCoordinates<std::vector<float>> && !ViewedAsCoordinates<std::array<float, 3>>);
static_assert(!ViewedAsCoordinates<std::vector<double>&> && !ViewedAsCoordinates<std::vector<int>&>);

TEST(Boxes, may_lie_at_any_byte) {
    constexpr std::size_t stride = 17;
    std::vector<std::byte> bytes(1 + 3 * stride);
    for (std::size_t i = 0; i < 3; ++i) {
        const Box box{static_cast<float>(i), 2, 3 + static_cast<float>(i), 4};
        std::memcpy(bytes.data() + 1 + i * stride, &box, sizeof box);
    }
    // Addresses are all that a view needs; it never reads a float in place.
    const auto at = [&](std::size_t offset) {
        const void* address = bytes.data() + 1 + offset;
        return static_cast<const float*>(address);
    };
    const Boxes boxes = Boxes::min_max(at(0), at(4), at(8), at(12), 3, stride);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(boxes[i], (Box{static_cast<float>(i), 2, 3 + static_cast<float>(i), 4})) << i;
}

TEST(Boxes, with_a_stride_of_nothing_repeat_one_element) {
    const Boxes boxes = Boxes::points(x.data(), y.data(), 1, 1000, 0);
    EXPECT_EQ(boxes.size(), 1000u);
    EXPECT_EQ(boxes[999], Box::around(1, 10, 1, 1));
}

TEST(Boxes, have_parts_that_begin_where_asked) {
    const Boxes whole = Boxes::centre_half(x.data(), y.data(), half_x.data(), half_y.data(), 3);
    const Boxes part = whole.part(1, 2);
    ASSERT_EQ(part.size(), 2u);
    EXPECT_EQ(part.form(), whole.form());
    EXPECT_EQ(part[0], whole[1]);
    EXPECT_EQ(part[1], whole[2]);
    const Boxes points = Boxes::points(x.data(), y.data(), 2, 3).part(2, 1);
    EXPECT_EQ(points[0], Box::around(3, 30, 2, 2));
    EXPECT_TRUE(whole.part(3, 0).empty());
}

TEST(Boxes, know_that_an_array_is_missing) {
    const float* none = nullptr;
    EXPECT_EQ(Boxes::min_max(none, y.data(), x.data(), y.data(), 3).fault(), Code::null_view);
    EXPECT_EQ(Boxes::min_max(x.data(), none, x.data(), y.data(), 3).fault(), Code::null_view);
    EXPECT_EQ(Boxes::min_max(x.data(), y.data(), none, y.data(), 3).fault(), Code::null_view);
    EXPECT_EQ(Boxes::centre_half(x.data(), y.data(), x.data(), none, 3).fault(), Code::null_view);
    EXPECT_EQ(Boxes::points(none, y.data(), 1, 3).fault(), Code::null_view);
    EXPECT_EQ(Boxes::points(x.data(), none, 1, 3).fault(), Code::null_view);
    EXPECT_TRUE(Boxes::of(std::span<const Box>()).empty());
}

TEST(Boxes, miss_nothing_that_they_do_not_need) {
    EXPECT_EQ(Boxes().fault(), Code::ok);
    EXPECT_EQ(Boxes::min_max(nullptr, nullptr, nullptr, nullptr, 0).fault(), Code::ok);
    EXPECT_EQ(Boxes::points(x.data(), y.data(), 1, 3).fault(), Code::ok);
    EXPECT_EQ(Boxes::of(std::span<const Box>()).fault(), Code::ok);
}

TEST(Boxes, are_empty_unless_told_otherwise) {
    const Boxes boxes;
    EXPECT_TRUE(boxes.empty());
    EXPECT_EQ(boxes.size(), 0u);
    EXPECT_TRUE(boxes.has_stride(sizeof(float)));
}

}  // namespace
}  // namespace throng
