// What the planner costs in a call, and that a refused call changes nothing in it.
#include <algorithm>
#include <string_view>

#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "worlds/hunted/frames.hpp"
#include "worst_worlds/world_of.hpp"

namespace throng::test {
namespace {

// Worlds that need another plan now and then: they spread, grow, come in turns, or no plan helps them.
constexpr const char* worlds_of_many_plans[] = {
    "h1;n=5000;seed=1;place=square;then=pulse(places=1000,sizes=1000)",
    ("h1;n=5000;seed=448;place=radial(octaves=82.6);place=square;size=constant;share=19.2;"
     "then=rescale(places=2.29e-07,sizes=30800)"),
    "h1;n=5000;seed=474;place=hinterland;place=piles;size=power(least=846);at=at(x=7960);then=pulse",
    "h1;n=5000;seed=383;place=star;size=sliver(long=75400000);share=87.9;place=square;then=teleport",
    "h1;n=5000;seed=1;place=square;size=constant;then=spawn",
    "h1;n=5000;seed=1;place=radial(octaves=30);size=constant(half=0.01);then=alternate",
};

struct Moves {
    std::vector<AgentId> ids;
    std::vector<Box> boxes;
};

// The agents of one in `parts` parts of the next frame: side by side in the ids, or spread over them.
Moves part_of(const std::vector<Box>& boxes, std::size_t agents, std::size_t part, std::size_t parts,
              bool spread) {
    Moves moves;
    agents = std::min(agents, boxes.size());
    for (std::size_t i = 0; i < agents; ++i) {
        if ((spread ? i % parts : i * parts / agents) != part) continue;
        moves.ids.push_back(static_cast<AgentId>(i));
        moves.boxes.push_back(boxes[i]);
    }
    return moves;
}

// Frames built so far, those that were given back included.
std::uint64_t frames_built(const Engine& engine) { return store_behind(engine.frame()).frames_built(); }

TEST(PlannerCalls, build_no_more_than_two_frames) {
    std::uint64_t built_again = 0;
    for (const char* text : worlds_of_many_plans)
        for (const std::size_t parts : {2u, 7u, 60u, 1000u}) {
            SCOPED_TRACE(std::string(text) + ", in parts of one in " + std::to_string(parts));
            worlds::Frames frames(world_of(text));
            Engine engine({.executor = serial_executor()});
            for (int frame = 0; frame < 6; ++frame, frames.next()) {
                std::uint64_t before = frames_built(engine);
                if (frame % 3 == 0) {
                    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
                }
                EXPECT_LE(frames_built(engine) - before, 2u) << "update " << frame;
                for (std::size_t part = 0; part < std::min<std::size_t>(parts, 30) && frame % 3 != 0;
                     ++part) {
                    const Moves moves =
                        part_of(frames.boxes(), engine.frame().size(), part, parts, frame % 3 == 1);
                    ASSERT_EQ(engine.move(moves.ids, moves.boxes), Status{});
                    before = frames_built(engine);
                    ASSERT_EQ(engine.commit(), Status{});
                    const std::uint64_t built = frames_built(engine) - before;
                    built_again += built == 2;
                    ASSERT_LE(built, 2u) << "commit " << part << " of frame " << frame;
                }
            }
            EXPECT_TRUE(engine.validate().sound());
        }
    EXPECT_GE(built_again, 10u) << "commits that try another plan";
}

// --- Refused calls -----------------------------------------------------------------------------------------

bool are_alike(const Tuning& a, const Tuning& b) {
    return a.cell_width == b.cell_width && a.row_height == b.row_height && a.origin_x == b.origin_x &&
           a.origin_y == b.origin_y && a.columns == b.columns && a.rows == b.rows &&
           a.common_width == b.common_width && a.common_height == b.common_height &&
           a.oversized == b.oversized && a.islands == b.islands && a.crowding == b.crowding &&
           a.times_chosen == b.times_chosen && a.reason == b.reason;
}

::testing::AssertionResult are_alike(const Frame& one, const Frame& other) {
    std::vector<AgentId> order(one.size()), other_order(other.size());
    (void)one.row_order(order);
    (void)other.row_order(other_order);
    if (order != other_order) return ::testing::AssertionFailure() << "other orders";
    if (one.fingerprint() != other.fingerprint())
        return ::testing::AssertionFailure() << "other fingerprints";
    if (!are_alike(one.tuning(), other.tuning())) return ::testing::AssertionFailure() << "other grids";
    return ::testing::AssertionSuccess();
}

// Makes calls that are refused for what they are given.
void make_bad_calls(Engine& engine, Random& random, std::vector<Box> boxes) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    PairList pairs;
    boxes.resize(random.one_in(2) ? boxes.size() : 1 + boxes.size() / 12);
    std::vector<AgentId> ids(boxes.size());
    std::iota(ids.begin(), ids.end(), 0u);
    boxes.back().max_x = nan;
    const bool pending = engine.staged() != 0;
    EXPECT_EQ(engine.update(boxes).code, pending ? Code::edits_pending : Code::not_finite);
    EXPECT_FALSE(engine.update(boxes, pairs));
    EXPECT_FALSE(engine.update(ids, boxes));
    const std::vector<Label> one_label(1);
    EXPECT_FALSE(engine.update(boxes, pairs, {.labels = Labels::of(one_label)}));
    boxes.back() = boxes.front();
    ids.back() = 0;
    EXPECT_FALSE(engine.update(ids, boxes));
    EXPECT_FALSE(engine.move(ids, boxes));
    EXPECT_FALSE(engine.move(1, Box{nan, 0, 1, 1}));
    EXPECT_FALSE(engine.move(AgentId{1u << 30}, boxes.front()));
    EXPECT_FALSE(engine.remove(ids));
    EXPECT_FALSE(engine.relabel(AgentId{1u << 30}, Label{}));
    EXPECT_FALSE(engine.insert(Box{1, 1, 0, 0}, ids.front()));
    EXPECT_FALSE(engine.rebase(nan, 0));
    EXPECT_FALSE(engine.renumber(ids));
    boxes.back().min_x = nan;
    EXPECT_FALSE(engine.set_static_layer(StaticLayer(boxes)));
}

// Two engines that get the same calls. One also gets calls that it refuses, for what they are given or for
// lack of memory.
class Refusing {
public:
    const Engine& engine() const { return engine_; }

    template <class Call>
    void make(Call&& call) {
        ASSERT_EQ(call(engine_), Status{});
        make_bad_calls(refusing_, random_, boxes_);
        if (random_.one_in(3)) refusing_.release_memory();
        Status status{Code::out_of_memory};
        for (const std::size_t most : {2u, 6u, 20u, 60u}) {
            if (status) break;
            memory_.fail_after(random_.below(most));
            status = call(refusing_);
            memory_.stop_failing();
            ASSERT_TRUE(status || status.code == Code::out_of_memory) << status.message();
            refused_ += !status;
        }
        if (!status) {
            ASSERT_EQ(call(refusing_), Status{});
        }
        make_bad_calls(refusing_, random_, boxes_);
        ASSERT_EQ(engine_.staged(), refusing_.staged());
        ASSERT_TRUE(are_alike(engine_.frame(), refusing_.frame()));
    }
    std::uint64_t refused() const { return refused_; }

private:
    CountingResource memory_;
    Engine engine_{{.executor = serial_executor()}};
    Engine refusing_{{.executor = serial_executor(), .memory = &memory_}};
    const std::vector<Box> boxes_ = make_scene("uniform", 3000).agents();
    Random random_{3};
    std::uint64_t refused_ = 0;
};

TEST(RefusedCalls, change_nothing_of_later_frames) {
    for (const char* text : worlds_of_many_plans) {
        SCOPED_TRACE(text);
        worlds::Frames frames(world_of(text));
        Refusing world;
        for (int frame = 0; frame < 30 && !::testing::Test::HasFailure(); ++frame, frames.next()) {
            const Boxes boxes = Boxes::of(frames.boxes());
            const std::size_t parts = frame % 4 == 1 ? 3 : 400;
            if (frame % 2 == 0 || world.engine().frame().size() != boxes.size()) {
                world.make([&](Engine& engine) { return engine.update(boxes); });
                continue;
            }
            for (std::size_t part = 0; part < 6 && part < parts; ++part) {
                const Moves moves = part_of(frames.boxes(), boxes.size(), part, parts, true);
                world.make([&](Engine& engine) { return engine.move(moves.ids, moves.boxes); });
                world.make([](Engine& engine) { return engine.commit(); });
            }
            world.make([](Engine& engine) { return engine.rebase(0.5f, 0); });
        }
        EXPECT_GE(world.refused(), 30u) << "for want of memory";
    }
}

}  // namespace
}  // namespace throng::test
