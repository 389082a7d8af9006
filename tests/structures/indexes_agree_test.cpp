// Every structure answers as brute force does, whatever was done to it before.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "gtest/gtest.h"
#include "structures/index_types.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

namespace throng::test {
namespace {

Expected some_world() {
    return {.extents = {0, 0, 100, 100}, .elements = 400, .typical_size = 1, .largest_size = 1};
}

Box some_box(Random& random) {
    return Box::around(random.uniform(-5, 105), random.uniform(-5, 105), random.uniform(0, 0.5f),
                       random.uniform(0, 0.5f));
}

template <class Index>
std::vector<ElementId> overlapping(const Index& index, const Box& box, ElementId omitted) {
    std::vector<ElementId> ids;
    EXPECT_TRUE(index.overlaps(box, omitted, [&](ElementId id) { ids.push_back(id); }));
    std::sort(ids.begin(), ids.end());
    return ids;
}

template <class Index>
std::vector<std::pair<ElementId, ElementId>> touching(Index& index) {
    std::vector<std::pair<ElementId, ElementId>> pairs;
    EXPECT_TRUE(index.for_each_pair(
        [&](Pair pair) { pairs.emplace_back(std::min(pair.a, pair.b), std::max(pair.a, pair.b)); }));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

// What the structure says its elements are, by brute force: a structure that keeps larger boxes answers by those.
template <class Index>
struct Twin {
    std::vector<ElementId> ids;
    std::vector<Box> boxes;

    explicit Twin(const Index& index) {
        index.for_each_element([&](ElementId id) { ids.push_back(id); });
        std::sort(ids.begin(), ids.end());
        for (const ElementId id : ids) boxes.push_back(index.box(id));
    }
    std::vector<ElementId> overlapping(const Box& box, ElementId omitted) const {
        std::vector<ElementId> found;
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] != omitted && boxes[i].overlaps(box)) found.push_back(ids[i]);
        return found;
    }
    std::vector<std::pair<ElementId, ElementId>> touching() const {
        std::vector<std::pair<ElementId, ElementId>> pairs;
        for (std::size_t i = 0; i < ids.size(); ++i)
            for (std::size_t k = i + 1; k < ids.size(); ++k)
                if (boxes[i].overlaps(boxes[k])) pairs.emplace_back(ids[i], ids[k]);
        return pairs;
    }
};

template <class Index>
void check_answers(Index& index, Random& random) {
    const Twin<Index> twin(index);
    ASSERT_EQ(twin.ids.size(), index.size());
    const IndexValidation state = index.validate();
    ASSERT_TRUE(state) << state.what << " at " << state.where;
    for (int i = 0; i < 20; ++i) {
        const Box box = Box::around(random.uniform(-10, 110), random.uniform(-10, 110), random.uniform(0, 10),
                                    random.uniform(0, 10));
        const ElementId omitted =
            random.one_in(2) || twin.ids.empty() ? no_element : twin.ids[random.below(twin.ids.size())];
        ASSERT_EQ(overlapping(index, box, omitted), twin.overlapping(box, omitted));
    }
    ASSERT_EQ(touching(index), twin.touching());
}

template <class Index>
class EditedIndex : public ::testing::Test {};
TYPED_TEST_SUITE(EditedIndex, DynamicIndexes);

TYPED_TEST(EditedIndex, answers_as_brute_force_does_after_any_history) {
    Random random(1);
    TypeParam index(TypeParam::suited_to(some_world()), nullptr);
    std::vector<ElementId> ids;
    for (std::size_t step = 0; step < scaled(4000, 500); ++step) {
        const Box box = some_box(random);
        if (ids.empty() || (ids.size() < 400 && random.one_in(3))) {
            ElementId id = no_element;
            ASSERT_TRUE(index.insert(box, id));
            ids.push_back(id);
        } else {
            const std::size_t k = random.below(ids.size());
            if (random.one_in(5)) {
                ASSERT_TRUE(index.remove(ids[k]));
                ids[k] = ids.back();
                ids.pop_back();
            } else {
                ASSERT_TRUE(index.move(ids[k], box));
            }
        }
        ASSERT_EQ(index.size(), ids.size());
        if (random.one_in(50)) index.clean_up();
        if (step % 100 == 0) check_answers(index, random);
        if (::testing::Test::HasFailure()) return;
    }
}

template <class Index>
class AnyIndex : public ::testing::Test {};
TYPED_TEST_SUITE(AnyIndex, Indexes);

TYPED_TEST(AnyIndex, answers_as_brute_force_does_after_an_assignment) {
    Random random(2);
    TypeParam index(TypeParam::suited_to(some_world()), nullptr);
    for (const std::size_t count : {0u, 1u, 2u, 17u, 400u, 3000u, 400u}) {
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < count; ++i) boxes.push_back(some_box(random));
        ASSERT_TRUE(index.assign(Boxes::of(boxes)));
        ASSERT_EQ(index.size(), count);
        check_answers(index, random);
        if (::testing::Test::HasFailure()) return;
    }
}

}  // namespace
}  // namespace throng::test
