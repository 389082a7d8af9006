// Faults that are planted in the memory of a StaticIndex, each of which has to be found.
#include "engine/src/structures/static_index/set.hpp"
#include "engine/src/structures/static_index/state.hpp"
#include "support/test.hpp"
#include "throng/structures/static_index.hpp"

namespace throng {

template <>
struct IndexInspector<StaticIndex> {
    static auto& state(auto& index) { return index.template own<StaticIndex::State>(); }
    static detail::StaticSet& set(StaticIndex& index) {
        return *reinterpret_cast<detail::StaticSet*>(state(index).block_.data());
    }
    static std::size_t& count(StaticIndex& index) { return state(index).count_; }
};

namespace test {
namespace {

using Inspector = IndexInspector<StaticIndex>;

constexpr std::size_t elements = 1000;  // 63 blocks, which make 4

StaticIndex sound_index() {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < elements; ++i)
        boxes.push_back(Box::around(static_cast<float>(i % 40), static_cast<float>(i / 40), 0.4f, 0.4f));
    StaticIndex index;
    EXPECT_TRUE(index.assign(Boxes::of(boxes)));
    return index;
}

simd::BoxBlock& block(detail::StaticSet& set, std::uint32_t level, std::size_t i) {
    return const_cast<simd::BoxBlock*>(set.tree.levels[level])[i];
}
std::uint32_t& id(detail::StaticSet& set, std::size_t place) {
    return const_cast<std::uint32_t*>(set.tree.ids)[place];
}

struct Plant {
    const char* found;
    std::function<void(detail::StaticSet&)> fault;
};

const Plant plants[] = {
    {"an id that no element has", [](auto& set) { id(set, 3) = elements; }},
    {"an element that is not at its place", [](auto& set) { id(set, 3) = id(set, 4); }},
    {"an element that is not at its place",
     [](auto& set) { ++const_cast<std::uint32_t*>(set.places)[id(set, 500)]; }},
    {"an id behind the last", [](auto& set) { id(set, elements) = 0; }},
    {"a box behind the last of a level",
     [](auto& set) {
         simd::BoxBlock& last = block(set, 0, 62);
         last.min_x[15] = last.max_x[15] = 0;
     }},
    {"a box behind the last of a level", [](auto& set) { block(set, 1, 3).max_y[15] = 0; }},
    {"a box that is not legal",
     [](auto& set) { block(set, 0, 10).min_x[2] = std::numeric_limits<float>::quiet_NaN(); }},
    {"a box that is not legal", [](auto& set) { block(set, 0, 10).max_y[2] = -1e9f; }},
    {"a box that does not fit what is below", [](auto& set) { block(set, 0, 10).max_y[2] = 1e9f; }},
    {"a box that does not fit what is below", [](auto& set) { block(set, 1, 2).min_x[5] -= 1; }},
    {"a memory that is not laid out for its elements", [](auto& set) { ++set.tree.top; }},
    {"a memory that is not laid out for its elements", [](auto& set) { --set.tree.roots; }},
    {"a memory that is not laid out for its elements", [](auto& set) { --set.tree.count; }},
    {"a memory that is not laid out for its elements", [](auto& set) { ++set.tree.levels[1]; }},
    {"a memory that is not laid out for its elements", [](auto& set) { ++set.tree.ids; }},
    {"a memory that is not laid out for its elements", [](auto& set) { --set.places; }},
    {"a size of blocks that none can have", [](auto& set) { set.tree.cover_width = -1; }},
};

TEST(StaticIndex, is_found_unsound_with_any_planted_fault) {
    for (const Plant& plant : plants) {
        StaticIndex index = sound_index();
        ASSERT_TRUE(index.validate());
        plant.fault(Inspector::set(index));
        const IndexValidation state = index.validate();
        EXPECT_FALSE(state) << plant.found;
        EXPECT_STREQ(state.what, plant.found);
    }
}

TEST(StaticIndex, is_found_unsound_if_it_says_that_it_has_more_than_fits) {
    StaticIndex index = sound_index();
    Inspector::count(index) = 1'000'000;
    EXPECT_STREQ(index.validate().what, "less memory than its elements take");
    Inspector::count(index) = elements - 1;
    EXPECT_STREQ(index.validate().what, "a memory that is not laid out for its elements");
}

}  // namespace
}  // namespace test
}  // namespace throng
