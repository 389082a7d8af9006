// Worst cases are bounded: a crowd at one point, on a line, or with one agent very far away costs an update at most
// three times what a uniform crowd does, and a question about what its answer costs.
#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
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

Crowd uniform(std::size_t count) {
    return {"uniform", make_scene("uniform", count).agents()};
}

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

// Milliseconds of an update, the lowest of a few.
double lowest(double before, const std::function<void()>& update) {
    const auto start = std::chrono::steady_clock::now();
    update();
    return std::min(before, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
}

TEST(WorstCase, of_an_update_costs_at_most_three_times_a_uniform_one) {
    if (scale() < 1) GTEST_SKIP() << "times mean something in a full release run only";
    const std::size_t count = 200000;
    const Crowd plain = uniform(count);
    for (const Crowd& crowd : awkward(count)) {
        Engine one({.executor = serial_executor()}), other({.executor = serial_executor()});
        double time = std::numeric_limits<double>::max(), plain_time = time;
        // In turn, so that whatever else the machine does meets both alike; the first rounds choose grids.
        for (int round = 0; round < 15; ++round) {
            plain_time = lowest(plain_time, [&] { ASSERT_EQ(one.update(Boxes::of(plain.agents)), Status{}); });
            time = lowest(time, [&] { ASSERT_EQ(other.update(Boxes::of(crowd.agents)), Status{}); });
        }
        EXPECT_LE(time, 3 * plain_time) << crowd.name;
    }
}

}  // namespace
}  // namespace throng::test
