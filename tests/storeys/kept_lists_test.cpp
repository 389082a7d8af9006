// Kept lists where agents stand above each other: in every frame they have all agents that are near and share
// a height. They are made at the agents' own heights unless many bands change all the time.
#include "oracle/neighbours.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

constexpr float radius = 1, skin = 0.5f;

// Four storeys of a square, or of a torus with this period.
class KeptOnStoreys : public ::testing::TestWithParam<float> {
protected:
    KeptOnStoreys() {
        for (std::size_t i = 0; i < agents; ++i) {
            boxes_.push_back(Box::around(random_.uniform(0, 40), random_.uniform(0, 40), 0.2f, 0.2f));
            bands_.push_back(storey(i % 4));
        }
    }
    static Band storey(std::size_t number) {
        return {3 * static_cast<float>(number), 3 * static_cast<float>(number) + 1.5f};
    }
    std::size_t any() { return random_.below(agents); }
    // Moves some agents to another storey.
    void climb(std::size_t some) {
        for (; some != 0; --some) bands_[any()] = storey(random_.below(4));
    }
    void expect_all_near() {
        ASSERT_EQ(twins_.update(boxes_, {.heights = bands_}), Code::ok);
        ASSERT_EQ(kept_.update(twins_.frame()), Status{});
        const oracle::NeighbourLists near = oracle::neighbours(twins_.twin(), {.radius = radius}, Filters());
        ASSERT_EQ(kept_.lists().size(), near.size());
        for (std::size_t i = 0; i < near.size(); ++i)
            for (const Neighbour& one : near[i])
                ASSERT_EQ(std::count(kept_.lists()[i].begin(), kept_.lists()[i].end(), one.id), 1)
                    << one.id << " near " << i;
    }
    std::size_t listed() const { return kept_.lists().ids().size(); }
    std::size_t near_by_band() const {
        std::size_t total = 0;
        for (const auto& list : oracle::neighbours(twins_.twin(), {.radius = radius + skin}, Filters()))
            total += list.size();
        return total;
    }

    static constexpr std::size_t agents = 2300;
    Random random_{5};
    std::vector<Box> boxes_;
    std::vector<Band> bands_;
    Twins twins_{{.period_x = GetParam(), .period_y = GetParam()}};
    KeptNeighbours kept_{{.radius = radius, .skin = skin}};
};

TEST_P(KeptOnStoreys, have_only_those_that_share_a_height_when_they_are_made) {
    expect_all_near();
    EXPECT_EQ(listed(), near_by_band());
    expect_all_near();
    EXPECT_FALSE(kept_.was_rebuilt());
}

TEST_P(KeptOnStoreys, get_those_of_a_storey_that_an_agent_comes_to) {
    expect_all_near();
    const std::size_t frames = GetParam() == 0 ? 20 : 5;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        climb(frame % 3);
        for (Box& box : boxes_) box = box.moved(random_.uniform(-0.03f, 0.03f), 0.01f);
        expect_all_near();
    }
    EXPECT_LE(kept_.times_rebuilt(), GetParam() == 0 ? 6u : 4u);
}

TEST_P(KeptOnStoreys, know_where_an_agent_came_from_if_it_goes_back) {
    expect_all_near();
    const std::vector<Band> bands = bands_;
    for (int again = 0; again < 3; ++again) {
        climb(4);
        expect_all_near();
        bands_ = bands;
        expect_all_near();
    }
}

// Otherwise lists would be made again in every frame.
TEST_P(KeptOnStoreys, have_agents_at_every_height_where_all_climb_all_the_time) {
    for (int frame = 0; frame < 8; ++frame) {
        expect_all_near();
        climb(agents);
    }
    if (GetParam() != 0) {  // around seams lists are made again, by band
        EXPECT_EQ(kept_.times_rebuilt(), 8u);
        EXPECT_EQ(listed(), near_by_band());
        return;
    }
    EXPECT_EQ(kept_.times_rebuilt(), 2u);
    EXPECT_GT(listed(), 3 * near_by_band());
}

TEST_P(KeptOnStoreys, are_made_again_once_agents_have_no_heights) {
    expect_all_near();
    bands_.assign(agents, Band{});
    expect_all_near();
    EXPECT_TRUE(kept_.was_rebuilt());
    for (std::size_t i = 0; i < agents; ++i) bands_[i] = storey(i % 4);
    expect_all_near();
}

INSTANTIATE_TEST_SUITE_P(Worlds, KeptOnStoreys, ::testing::Values(0.0f, 40.0f));

}  // namespace
}  // namespace throng::test
