// The answers of any structure, sorted, and those of brute force.
#pragma once

#include "structures/tests/test.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::structures::test {

using Ids = std::vector<ElementId>;
using IdPairs = std::vector<std::pair<ElementId, ElementId>>;

// Of boxes whose ids are their places, by brute force.
inline IdPairs pairs_of(const std::vector<Box>& boxes) {
    IdPairs pairs;
    for (ElementId a = 0; a < boxes.size(); ++a)
        for (ElementId b = a + 1; b < boxes.size(); ++b)
            if (boxes[a].overlaps(boxes[b])) pairs.emplace_back(a, b);
    return pairs;
}
inline Ids overlapping(const std::vector<Box>& boxes, const Box& box, ElementId omitted = no_element) {
    Ids ids;
    for (ElementId id = 0; id < boxes.size(); ++id)
        if (id != omitted && boxes[id].overlaps(box)) ids.push_back(id);
    return ids;
}

// In a square, with half extents up to `largest`; a tenth lies outside of it.
inline Box some_box(Random& random, float side, float largest) {
    const float x = side * random.uniform(-0.05f, 1.05f), y = side * random.uniform(-0.05f, 1.05f);
    const float half_x = random.uniform(0, largest), half_y = random.uniform(0, largest);
    return Box::around(x, y, half_x, half_y);
}
inline std::vector<Box> some_boxes(std::size_t count, float side, float largest, std::uint64_t seed = 1) {
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(some_box(random, side, largest));
    return boxes;
}
inline Box moved(const Box& box, float x, float y) {
    return {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y};
}

// As `assign`, for a list that may be temporary: no view of such a list can be made.
template <SpatialIndex Index>
Status fill(Index& index, const std::vector<Box>& boxes) {
    return index.assign(boxes);
}
template <DynamicSpatialIndex Index>
ElementId inserted(Index& index, const Box& box) {
    ElementId id = no_element;
    EXPECT_TRUE(index.insert(box, id));
    return id;
}
template <SpatialIndex Index>
Ids ids_of(const Index& index) {
    Ids ids;
    index.for_each_element([&](ElementId id) { ids.push_back(id); });
    std::sort(ids.begin(), ids.end());
    return ids;
}
template <SpatialIndex Index>
Ids overlapping(const Index& index, const Box& box, ElementId omitted = no_element) {
    Ids ids;
    EXPECT_TRUE(index.for_each_overlap(
        box, [&](ElementId id) { ids.push_back(id); }, omitted));
    std::sort(ids.begin(), ids.end());
    return ids;
}
template <SpatialIndex Index>
IdPairs pairs_of(Index& index) {
    IdPairs pairs;
    EXPECT_TRUE(
        index.for_each_pair([&](Pair p) { pairs.emplace_back(std::min(p.a, p.b), std::max(p.a, p.b)); }));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}
template <SpatialIndex Index>
std::vector<Part> parts_of(const Index& index) {
    std::vector<Part> parts;
    index.for_each_part([&](const Part& part) { parts.push_back(part); });
    return parts;
}

template <SpatialIndex Index>
void expect_sound(const Index& index) {
    const IndexValidation report = index.validate();
    EXPECT_TRUE(report) << report.what << " at " << report.where;
}

// A structure that cannot be used: it refuses all calls with its status, and is empty.
template <DynamicSpatialIndex Index>
void expect_refused(Index index, Code code) {
    EXPECT_EQ(index.status().code, code);
    if (code == Code::bad_config) {
        EXPECT_NE(index.status().argument, Argument::any) << "which option is bad";
    }
    ElementId id = 7;
    EXPECT_EQ(index.insert({0, 0, 1, 1}, id).code, code);
    EXPECT_EQ(id, 7u);
    EXPECT_EQ(index.assign({}).code, code);
    EXPECT_EQ(index.move(0, Box{}).code, code);
    EXPECT_EQ(index.remove(0).code, code);
    EXPECT_EQ(index.for_each_pair([](Pair) {}).code, code);
    EXPECT_EQ(index.for_each_overlap({0, 0, 1, 1}, [](ElementId) {}).code, code);
    index.clean_up();
    index.clear();
    EXPECT_EQ(index.size(), 0u);
    EXPECT_TRUE(ids_of(index).empty());
    EXPECT_TRUE(parts_of(index).empty());
    expect_sound(index);
}

// It has just these elements, with ids from 0, and gives the right answers: to a hundred boxes as queries,
// and for all pairs, unless there are too many.
template <SpatialIndex Index>
void expect_holds(Index& index, const std::vector<Box>& boxes) {
    expect_sound(index);
    ASSERT_EQ(index.size(), boxes.size());
    for (ElementId id = 0; id < boxes.size(); ++id) ASSERT_EQ(index.box(id), boxes[id]) << id;
    const std::size_t step = std::max<std::size_t>(boxes.size() / 100, 1);
    for (std::size_t i = 0; i < boxes.size(); i += step)
        ASSERT_EQ(overlapping(index, boxes[i]), overlapping(boxes, boxes[i])) << "box of " << i;
    if (boxes.size() <= 4000) {
        ASSERT_EQ(pairs_of(index), pairs_of(boxes));
    }
}

// All pairs, and a query at each element or at each `step`-th one.
template <SpatialIndex Index>
void expect_same_as_brute_force(Index& index, std::size_t step = 1) {
    expect_sound(index);
    const Ids ids = ids_of(index);
    ASSERT_EQ(ids.size(), index.size());
    IdPairs expected;
    for (std::size_t a = 0; a < ids.size(); ++a) {
        Ids near;
        for (std::size_t b = 0; b < ids.size(); ++b) {
            if (!index.box(ids[a]).overlaps(index.box(ids[b]))) continue;
            near.push_back(ids[b]);
            if (a < b) expected.emplace_back(ids[a], ids[b]);
        }
        if (a % step == 0) {
            ASSERT_EQ(overlapping(index, index.box(ids[a])), near) << a;
        }
    }
    ASSERT_EQ(pairs_of(index), expected);
    expect_sound(index);
}

}  // namespace throng::structures::test
