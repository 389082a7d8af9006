// On which islands the agents of a row look for pairs: on all islands whose bounds they overlap, whether they
// look together or each alone.
#include "simd/isa/lowest.hpp"

#include "simd/kernels/pairs/island_pairs.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::simd {
namespace {

using Vocabulary = Lowest;
using Search = IslandSearch<Vocabulary>;
using Looking = IslandPairs<Vocabulary>;
using Arrays = Vectors<Vocabulary>::Arrays;
using Found = std::vector<std::pair<std::uint32_t, const Island*>>;

bool overlap(const Bounds& b, const Query& q) {
    return b.min_x <= q.max_x && q.min_x <= -b.negated_max_x && b.min_y <= q.max_y &&
           q.min_y <= -b.negated_max_y;
}

// All agents of a row against all islands, one by one.
Found one_by_one(const View& home, const Island* island, const Row& row) {
    Found found;
    const Arrays a(row);
    const auto look = [&](const Islands& islands, const Island* own, std::uint32_t i) {
        (void)Search::for_every(islands, [&](const Island& other) {
            if (Looking::is_partner(own, other) && overlap(other.bounds, Looking::one(a, i).box))
                found.emplace_back(i, &other);
            return true;
        });
    };
    for (std::uint32_t i = 0; i < row.count; ++i) {
        if (home.islands != nullptr) look(*home.islands, nullptr, i);
        for (const Island* own = island; own != nullptr; own = own->parent) look(*own->home, own, i);
    }
    std::sort(found.begin(), found.end());
    return found;
}
Found as_in_pairs(const View& home, const Island* island, const Row& row) {
    Found found;
    Looking::for_each(home, island, row, [&](std::uint32_t i, const Island& other) {
        found.emplace_back(i, &other);
        return true;
    });
    std::sort(found.begin(), found.end());
    return found;
}

// Agents in each octave of the distance from some centres, of sizes by that distance, and some far from all
// of them.
class AgentsAmongIslands : public ::testing::TestWithParam<float> {
protected:
    AgentsAmongIslands() : agents_(12000) {
        for (std::size_t i = 0; i < agents_.size(); ++i) agents_[i] = anywhere();
        EXPECT_EQ(engine_.update(Boxes::of(agents_)), Status{});
    }
    Box anywhere() {
        if (random_.below(40) == 0)
            return Box::around(random_.uniform(-far, far), random_.uniform(-far, far), 10, 10);
        const float distance = std::exp2(random_.uniform(8, 16)), angle = random_.uniform(0, 6.28f);
        const float x = static_cast<float>(random_.below(8)) * far / 8,
                    y = static_cast<float>(random_.below(8)) * far / 8;
        return Box::around(x + distance * std::cos(angle), y + distance * std::sin(angle),
                           distance * GetParam(), distance * GetParam());
    }
    static constexpr float far = 1e6f;
    void expect_that_all_are_found() {
        const Frame frame = engine_.frame();
        const detail::FrameState& state = test::state_behind(frame);
        ASSERT_NE(state.view.islands, nullptr);
        const auto look = [&](const View& home, const Island* own) {
            for (std::uint32_t r = 0; r < home.grid.rows; ++r) {
                const Row& row = home.rows[r];
                if (row.count == 0) continue;
                const Found expected = one_by_one(home, own, row);
                ASSERT_EQ(as_in_pairs(home, own, row), expected) << "row " << r;
                found_ += expected.size();
            }
        };
        look(state.view, nullptr);
        for (const Island& island : state.islands) look(island.view, &island);
    }
    test::Random random_{11};
    std::vector<Box> agents_;
    Engine engine_;
    std::size_t found_ = 0;
};

TEST_P(AgentsAmongIslands, find_each_island_that_they_reach) {
    expect_that_all_are_found();
    EXPECT_GT(found_, 0u);
}

// Rows have holes then.
TEST_P(AgentsAmongIslands, find_so_after_edits) {
    for (int commit = 0; commit < 20; ++commit) {
        for (int k = 0; k < 20; ++k) {
            const auto id = static_cast<AgentId>(random_.below(agents_.size()));
            agents_[id] = anywhere();
            ASSERT_EQ(engine_.move(id, agents_[id]), Status{});
        }
        ASSERT_EQ(engine_.commit(), Status{});
    }
    expect_that_all_are_found();
}

TEST_P(AgentsAmongIslands, look_together_unless_there_are_many_tiles_for_each) {
    const Frame frame = engine_.frame();
    const View& view = test::state_behind(frame).view;
    ASSERT_NE(view.islands, nullptr);
    std::size_t all = 0, together = 0;
    for (std::uint32_t r = 0; r < view.grid.rows; ++r) {
        if (view.rows[r].count == 0) continue;
        const Arrays a(view.rows[r]);
        const auto some = Looking::some(a, 0, std::min(view.rows[r].count, Looking::together));
        all += some.count;
        together += Looking::are_few_tiles(*view.islands, some) ? some.count : 0;
        EXPECT_FALSE(Looking::are_few_tiles(*view.islands, {a, 0, 1, {-far, -far, 2 * far, 2 * far}}));
    }
    EXPECT_GT(together, all / 2);
}

INSTANTIATE_TEST_SUITE_P(of_sizes, AgentsAmongIslands, ::testing::Values(0.01f, 0.02f));

}  // namespace
}  // namespace throng::simd
