// The worst worlds that were found, replayed in counted steps: in the first frame, after the change, in the frame after
// that and after single edits, none may cost more than a few times what a plain crowd costs, and all answers are right.
#include <fstream>
#include <iterator>

#include "bench/common/worlds/frames.hpp"
#include "bench/common/worlds/steps.hpp"
#include "bench/common/worlds/text.hpp"
#include "support/test.hpp"

namespace throng::worlds {

// For GoogleTest, which would print the bytes.
void PrintTo(const World& world, std::ostream* out) { *out << to_text(world); }

}  // namespace throng::worlds

namespace throng::test {
namespace {

// One of the numbers that the corpus was measured with, since what a world costs depends on it.
std::size_t max_agents() { return scale() < 0.2 ? 5000 : scale() < 0.7 ? 12500 : 20000; }

// A frame of a world that is to be looked at, and the boxes that are in it.
struct Stage {
    const char* when;
    const Engine& engine;
    const CountingResource& memory;
    const std::vector<Box>& boxes;
};

double steps(const Explain& cost) {
    EXPECT_EQ(cost.status, Status{});
    return worlds::steps(cost) / static_cast<double>(cost.queries + cost.hits);
}

double steps_of_own_boxes(const Stage& stage) {
    return steps(stage.engine.frame().explain(Boxes::of(stage.boxes)));
}

// The query among a thousand that costs most.
double steps_of_the_worst_query(const Stage& stage) {
    double most = 0;
    for (std::size_t i = 0; i < stage.boxes.size(); i += stage.boxes.size() / 1000 + 1)
        most = std::max(most, steps(stage.engine.frame().explain(stage.boxes[i])));
    return most;
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

double bytes_an_agent(const Stage& stage) {
    return static_cast<double>(stage.memory.bytes_out()) / static_cast<double>(stage.boxes.size());
}

// What is counted, and how many times a plain crowd's it may be. A further counter is a further line.
struct Counter {
    const char* name;
    double (*of)(const Stage& stage);
    double bound;
};
constexpr Counter counters[] = {
    {"steps of own boxes", steps_of_own_boxes, 7.5},
    {"steps of the worst query", steps_of_the_worst_query, 40},
    {"steps of wide boxes", steps_of_wide_boxes, 12},
    {"bytes an agent", bytes_an_agent, 5},
};
constexpr std::size_t counter_count = std::size(counters);

// Calls `look` at each stage of a world's history.
template <class Look>
void replay(const worlds::World& world, Look&& look) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    worlds::Frames frames(world);
    for (const char* const when : {"in the first frame", "after the change", "in the third frame"}) {
        if (engine.frame().number() > 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        look(Stage{when, engine, memory, frames.boxes()});
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
    look(Stage{"after edits", engine, memory, boxes});
}

// A world of the corpus. A few still cost more than the others may: after a line "#! 4" it is four times as much.
struct Entry {
    worlds::World world;
    double allowed = 1;
};
void PrintTo(const Entry& entry, std::ostream* out) { *out << worlds::to_text(entry.world); }

std::vector<Entry> corpus() {
    std::vector<Entry> all;
    double allowed = 1;
    std::ifstream file(THRONG_WORST_WORLDS);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("#!")) allowed = std::stod(line.substr(2));
        if (line.empty() || line[0] == '#') continue;
        const worlds::Parsed parsed = worlds::parse(line);
        if (!parsed.world) ADD_FAILURE() << line << ", character " << parsed.position << ": " << parsed.error;
        all.push_back({parsed.world.value_or(worlds::World{}), std::exchange(allowed, 1)});
        all.back().world.agents = std::min(all.back().world.agents, max_agents());
    }
    return all;
}

struct WorstWorlds : ::testing::TestWithParam<Entry> {
    // The most that each counter shows at any stage, and at which.
    struct Most {
        double count = 0;
        const char* when = "";
    };
    static std::vector<Most> count(const worlds::World& world) {
        std::vector<Most> most(counter_count);
        replay(world, [&most](const Stage& stage) {
            for (std::size_t k = 0; k < counter_count; ++k)
                if (const double now = counters[k].of(stage); now > most[k].count)
                    most[k] = {now, stage.when};
        });
        return most;
    }
    static const std::vector<Most>& plain_crowd() {
        static const std::vector<Most> most = [] {
            worlds::World crowd;
            crowd.agents = max_agents();
            return count(crowd);
        }();
        return most;
    }
};

TEST_P(WorstWorlds, cost_no_more_than_a_few_times_a_plain_crowd) {
    const std::vector<Most> most = count(GetParam().world);
    for (std::size_t k = 0; k < counter_count; ++k) {
        const double times = most[k].count / plain_crowd()[k].count;
        EXPECT_LE(times, GetParam().allowed * counters[k].bound) << counters[k].name << ", " << most[k].when;
    }
}

TEST_P(WorstWorlds, are_answered_as_brute_force_answers_them) {
    replay(GetParam().world, [](const Stage& stage) {
        oracle::BruteForce world = twin_with(stage.boxes);
        const Frame frame = stage.engine.frame();
        std::uint64_t touching = 0;
        std::vector<std::uint32_t> counts(stage.boxes.size());
        ASSERT_EQ(frame.count(Boxes::of(stage.boxes), counts), Status{});
        for (std::size_t i = 0; i < counts.size(); ++i) {
            touching += counts[i];
            if (i % (counts.size() / 60 + 1) != 0) continue;
            ASSERT_EQ(counts[i], world.frame().count(stage.boxes[i]).total)
                << stage.when << ", agent " << i << ": " << worlds::to_text(GetParam().world);
        }
        // Every agent overlaps itself, and each pair was counted twice.
        const Count pairs = frame.count_pairs();
        ASSERT_EQ(pairs.status, Status{});
        ASSERT_EQ(pairs.total, (touching - counts.size()) / 2)
            << stage.when << ": " << worlds::to_text(GetParam().world);
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
