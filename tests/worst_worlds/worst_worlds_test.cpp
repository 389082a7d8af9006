// The worst worlds that were found, replayed in counted steps. In steady frames and after edits none costs
// more than 25 times a plain crowd; in the first frame and the one after a change, not more than 40 times.
// All answers are right.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "support/test.hpp"
#include "worlds/hunted/frames.hpp"
#include "worlds/hunted/steps.hpp"
#include "worlds/hunted/text.hpp"

namespace throng::worlds {

// For GoogleTest, which would print the bytes.
void PrintTo(const World& world, std::ostream* out) { *out << to_text(world); }

}  // namespace throng::worlds

namespace throng::test {
namespace {

// One of the numbers that the corpus was measured with: what a world costs depends on it.
std::size_t max_agents() { return scale() < 0.2 ? 5000 : scale() < 0.7 ? 12500 : 20000; }

// A frame of a world to be looked at, and the boxes in it.
struct Stage {
    const char* when;
    bool changed;  // whether it is the first frame, or the one after the change
    const Engine& engine;
    const CountingResource& memory;
    const std::vector<Box>& boxes;
    std::size_t bytes_before;  // that the frame before took, or none
};

double steps(const Explain& cost) {
    EXPECT_EQ(cost.status, Status{});
    return worlds::weighted_steps(cost) / static_cast<double>(cost.queries + cost.hits);
}

double steps_of_own_boxes(const Stage& stage) {
    return steps(stage.engine.frame().explain(Boxes::of(stage.boxes)));
}

double steps_of_wide_boxes(const Stage& stage) {
    std::vector<Box> wide;
    for (std::size_t i = 0; i < stage.boxes.size(); i += stage.boxes.size() / 1000 + 1) {
        const Box& box = stage.boxes[i];
        const float x = 4.5f * (box.max_x - box.min_x), y = 4.5f * (box.max_y - box.min_y);
        wide.push_back({box.min_x - x, box.min_y - y, box.max_x + x, box.max_y + y});
    }
    return steps(stage.engine.frame().explain(Boxes::of(wide)));
}

// Work space of fixed size, a quarter of a megabyte, is most of what few agents take: they count as a
// thousand. What agents took that have left goes back in portions. Once the first half has gone, the rest has
// one more frame.
double bytes_an_agent(const Stage& stage) {
    const std::size_t bytes = stage.memory.bytes_out();
    if (stage.changed && bytes <= stage.bytes_before / 2) return 0;
    return static_cast<double>(bytes) / static_cast<double>(std::max<std::size_t>(stage.boxes.size(), 1000));
}

// What is counted. A further counter is a further line.
struct Counter {
    const char* name;
    double (*of)(const Stage& stage);
    // How many times the cost of a plain crowd it may be: in the first frame and the one after a change, and
    // in others.
    double changed, steady;
};
constexpr Counter counters[] = {
    {"steps of own boxes", steps_of_own_boxes, 40, 25},
    {"steps of wide boxes", steps_of_wide_boxes, 40, 25},
    {"bytes an agent", bytes_an_agent, 10, 8},
};
constexpr std::size_t counter_count = std::size(counters);

// Calls `look` at each stage of a world's history.
template <class Look>
void replay(const worlds::World& world, Look&& look) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    worlds::Frames frames(world);
    for (const char* const when : {"in the first frame", "after the change", "in the third frame"}) {
        const std::size_t before = memory.bytes_out();
        if (engine.frame().number() > 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        look(Stage{when, engine.frame().number() < 3, engine, memory, frames.boxes(), before});
    }
    std::vector<Box> boxes = frames.boxes();
    Random random(world.seed);
    for (std::size_t k = boxes.size() / 100 + 1; k > 0; --k) {
        const auto id = static_cast<AgentId>(random.below(boxes.size()));
        const Box other = boxes[random.below(boxes.size())];
        boxes[id] = other;
        ASSERT_EQ(engine.move(id, other), Status{});
        if (k % 10 != 0) continue;
        ASSERT_EQ(engine.commit(), Status{});
    }
    ASSERT_EQ(engine.commit(), Status{});
    look(Stage{"after edits", false, engine, memory, boxes, 0});
}

std::vector<worlds::World> corpus() {
    std::vector<worlds::World> all;
    std::ifstream file(THRONG_WORST_WORLDS);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        const worlds::Parsed parsed = worlds::parse(line);
        if (!parsed.world) ADD_FAILURE() << line << ", character " << parsed.position << ": " << parsed.error;
        all.push_back(parsed.world.value_or(worlds::World{}));
        all.back().agents = std::min(all.back().agents, max_agents());
    }
    return all;
}

using Counts = std::array<double, counter_count>;

Counts counted(const Stage& stage) {
    Counts counts;
    for (std::size_t k = 0; k < counter_count; ++k) counts[k] = counters[k].of(stage);
    return counts;
}

// The most of each at any stage.
const Counts& plain_crowd() {
    static const Counts most = [] {
        worlds::World crowd;
        crowd.agents = max_agents();
        Counts all{};
        replay(crowd, [&all](const Stage& stage) {
            const Counts now = counted(stage);
            for (std::size_t k = 0; k < counter_count; ++k) all[k] = std::max(all[k], now[k]);
        });
        return all;
    }();
    return most;
}

struct WorstWorlds : ::testing::TestWithParam<worlds::World> {};

TEST_P(WorstWorlds, cost_no_more_than_the_promised_times_a_plain_crowd) {
    replay(GetParam(), [](const Stage& stage) {
        const Counts now = counted(stage);
        for (std::size_t k = 0; k < counter_count; ++k)
            EXPECT_LE(now[k], plain_crowd()[k] * (stage.changed ? counters[k].changed : counters[k].steady))
                << counters[k].name << ", " << stage.when << ": " << now[k] / plain_crowd()[k];
    });
}

TEST_P(WorstWorlds, are_answered_as_brute_force_answers_them) {
    replay(GetParam(), [](const Stage& stage) {
        oracle::BruteForce world = twin_with(stage.boxes);
        const Frame frame = stage.engine.frame();
        std::uint64_t touching = 0;
        std::vector<std::uint32_t> counts(stage.boxes.size());
        ASSERT_EQ(frame.count(Boxes::of(stage.boxes), counts), Status{});
        for (std::size_t i = 0; i < counts.size(); ++i) {
            touching += counts[i];
            if (i % (counts.size() / 60 + 1) != 0) continue;
            ASSERT_EQ(counts[i], world.frame().count(stage.boxes[i]).total)
                << stage.when << ", agent " << i << ": " << worlds::to_text(GetParam());
        }
        // Every agent overlaps itself, and each pair was counted twice.
        const Count pairs = frame.count_pairs();
        ASSERT_EQ(pairs.status, Status{});
        ASSERT_EQ(pairs.total, (touching - counts.size()) / 2)
            << stage.when << ": " << worlds::to_text(GetParam());
    });
}

TEST(Corpus, has_worlds_and_each_says_what_it_showed) {
    EXPECT_GE(corpus().size(), 25u);
    std::ifstream file(THRONG_WORST_WORLDS);
    bool explained = false;
    for (std::string line; std::getline(file, line);) {
        if (line.empty()) explained = false;
        if (line[0] == '#') explained = true;
        EXPECT_TRUE(explained || line.empty()) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(Corpus, WorstWorlds, ::testing::ValuesIn(corpus()));

}  // namespace
}  // namespace throng::test
