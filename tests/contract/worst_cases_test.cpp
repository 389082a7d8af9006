// Worst cases are bounded: with a crowd at one point, on a line, or with one agent very far away, a question costs about
// what its answer costs.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "support/printing.hpp"
#include "support/scale.hpp"
#include "support/scenes.hpp"
#include "throng/engine.hpp"

namespace throng::test {
namespace {

struct Crowd {
    std::string name;
    std::vector<Box> agents;
};

std::vector<Crowd> awkward(std::size_t count) {
    std::vector<Crowd> all{{"one point", std::vector<Box>(count, Box{3, 3, 4, 4})},
                           {"on a line", make_scene("on_a_line", count).agents()},
                           {"on a column", make_scene("on_a_column", count).agents()},
                           {"a light year away", make_scene("a_light_year_away", count).agents()}};
    std::vector<Box> piles = make_scene("uniform", count).agents();
    std::fill_n(piles.begin(), count / 2, piles.front());
    all.push_back({"half of them at one point", std::move(piles)});
    return all;
}

TEST(WorstCase, of_a_question_costs_what_its_answer_costs) {
    const std::size_t count = scaled(20000, 3000);
    for (const Crowd& crowd : awkward(count)) {
        Engine engine;
        ASSERT_EQ(engine.update(Boxes::of(crowd.agents)), Status{});
        for (std::size_t i = 0; i < count; i += 97) {
            const Explain cost = engine.frame().explain(crowd.agents[i]);
            ASSERT_LE(cost.tested + cost.covered, 8 * cost.hits + 300) << crowd.name << ", agent " << i;
        }
    }
}

}  // namespace
}  // namespace throng::test
