// Which agents are common, as a survey finds it.
#include "engine/src/plan/survey.hpp"

#include <memory>

#include "support/test.hpp"

namespace throng::test {
namespace {

// 2,048 agents stand for 100,000 on a square. Some are long and thin, in two directions; the others are a
// crowd.
struct Slivers {
    std::size_t wide, tall;
    float side;
};

detail::Sizes common_size_of(const Slivers& slivers) {
    Random random(3);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < detail::Survey::most; ++i) {
        const float x = random.uniform(0, slivers.side), y = random.uniform(0, slivers.side),
                    length = random.uniform(170, 336), size = random.uniform(0.7f, 1), thin = 0.03f;
        const bool is_wide = i < slivers.wide, is_tall = !is_wide && i < slivers.wide + slivers.tall;
        boxes.push_back({x, y,
                         x + (is_wide   ? length
                              : is_tall ? thin
                                        : size),
                         y + (is_tall   ? length
                              : is_wide ? thin
                                        : size)});
    }
    const auto survey = std::make_unique<detail::Survey>();
    const auto box_at = [&](std::size_t i) { return boxes[i]; };
    survey->take(detail::Agents(boxes.size(), box_at), boxes.size(), 100'000);
    return detail::common_size(*survey);
}

TEST(CommonSize, is_not_that_of_a_few_slivers_in_two_directions_among_a_crowd) {
    EXPECT_LE(common_size_of({100, 100, 10'000}).width, 1);
}

TEST(CommonSize, is_that_of_slivers_which_nearly_all_agents_are) {
    EXPECT_GE(common_size_of({2'000, 0, 15'000}).width, 300);
}

}  // namespace
}  // namespace throng::test
