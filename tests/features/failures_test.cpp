// Calls that end early where there is little to ask, and where there are two frames: frames without agents,
// with walls or without, and two frames of agents.
#include "features/failing_call.hpp"
#include "support/engine_state.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Names = std::vector<std::string_view>;

const Names& names_of_all() {
    static const Names all = [] {
        Names names;
        for (const Kind& kind : kinds()) names.emplace_back(kind.name);
        return names;
    }();
    return all;
}
const Names of_two_frames{"neighbours among the elements", "pairs with the static layer",
                          "pairs of the static layer with agents"};

// Engines with so many agents each, of which the second may be that of the other frame.
class FailingFrames {
public:
    FailingFrames(bool wraps, std::size_t agents, std::size_t walls, std::size_t others)
        : scene_(make_scene("uniform", 3000, 4)),
          config_(config_of(wraps)),
          engine_(config_),
          other_(config_) {
        const std::span<const Box> boxes = scene_.agents();
        if (walls != 0) {
            EXPECT_EQ(engine_.set_static_layer(StaticLayer(boxes.first(walls))), Status{});
        }
        EXPECT_EQ(engine_.update(boxes.first(agents)), Status{});
        EXPECT_EQ(other_.update(boxes.last(others)), Status{});
        asked_ = Asked(scene_, engine_.frame().id_bound(), {30, 30, 30, 30, 9, 3},
                       others == 0 ? Filtered::not_at_all : Filtered::each_without_itself, 2);
        asked_.fit_into({config_.period_x, config_.period_y});
        asked_.of_agents = asked_.of_both = OwnNeighbourhood({.radius = 2, .distances = true});
    }
    // Makes each call of these kinds fail in all ways.
    void expect_no_trace(const Names& names, bool has_other) {
        const EngineState before = state_of(engine_, {scene_.agents().begin(), scene_.agents().begin() + 20});
        const OtherFrame other{other_.frame(), {}};
        other_frame() = has_other ? &other : nullptr;
        const FailingWorld world{engine_.frame(), asked_, memory_, [this] {
                                     engine_.release_memory();
                                     other_.release_memory();
                                 }};
        each_form(names, asked_, [&](const Call& call) { fail(world, call); });
        if (!has_other) fail(world, call_for_kept_lists());
        other_frame() = nullptr;
        EXPECT_TRUE(unchanged(before, engine_));
    }
    std::size_t times_without_memory() const { return without_memory_; }
    std::size_t times_cancelled() const { return cancelled_; }
    std::size_t times_badly_run() const { return badly_run_; }

private:
    EngineConfig config_of(bool wraps) {
        Box bounds = no_box;
        for (const Box& box : scene_.agents()) bounds = bounds.united(box);
        EngineConfig config{.executor = serial_executor(), .memory = &memory_};
        if (wraps) config.period_x = 0.9f * (bounds.max_x - bounds.min_x);
        if (wraps) config.period_y = 0.8f * (bounds.max_y - bounds.min_y);
        return config;
    }
    void fail(const FailingWorld& world, const Call& call) {
        using enum FaultyExecutor::Habit;
        const FailingCall failing(world, call);
        without_memory_ += failing.without_memory();
        if (call.is_single) return;
        cancelled_ += failing.cancelled();
        for (const auto habit : {runs_nothing, skips_the_last, repeats_the_first, runs_one_for_another})
            badly_run_ += failing.on_a_bad_executor(habit);
    }

    CountingResource memory_;
    const Scene scene_;
    const EngineConfig config_;
    Engine engine_, other_;
    Asked asked_;
    std::size_t without_memory_ = 0, cancelled_ = 0, badly_run_ = 0;
};

TEST(CallsThatEndEarly, leave_no_trace_in_frames_without_agents) {
    for (const bool wraps : {false, true})
        for (const std::size_t walls : {0u, 400u}) {
            SCOPED_TRACE(std::to_string(walls) + " walls" + (wraps ? ", around seams" : ""));
            FailingFrames frames(wraps, 0, walls, 0);
            frames.expect_no_trace(names_of_all(), false);
            EXPECT_GT(frames.times_without_memory(), 0u);
        }
}

TEST(CallsThatEndEarly, leave_no_trace_of_two_frames) {
    for (const bool wraps : {false, true}) {
        SCOPED_TRACE(wraps ? "around seams" : "");
        FailingFrames frames(wraps, 2500, 0, 1200);
        frames.expect_no_trace(of_two_frames, true);
        EXPECT_TRUE(frames.times_without_memory() > 30 && frames.times_cancelled() > 30 &&
                    frames.times_badly_run() > 30);
    }
}

TEST(CallsThatEndEarly, leave_no_trace_of_two_frames_one_of_which_has_no_agents) {
    for (const bool wraps : {false, true})
        for (const bool is_first : {false, true}) {
            SCOPED_TRACE(std::string(is_first ? "the first" : "the second") +
                         (wraps ? ", around seams" : ""));
            FailingFrames frames(wraps, is_first ? 0 : 600, 0, is_first ? 600 : 0);
            frames.expect_no_trace(of_two_frames, true);
        }
}

// As before the first update.
TEST(CallsThatEndEarly, leave_no_trace_in_no_frame) {
    CountingResource memory;
    const Scene scene = make_scene("uniform", 40);
    const Asked asked(scene, 0, {5, 5, 5, 5, 2, 1}, Filtered::not_at_all, 2);
    const FailingWorld world{Frame(), asked, memory, [] {}};
    each_form(names_of_all(), asked, [&](const Call& call) {
        const FailingCall failing(world, call);
        failing.without_memory();
        if (call.is_single) return;
        failing.cancelled();
        failing.on_a_bad_executor(FaultyExecutor::Habit::runs_nothing);
    });
}

}  // namespace
}  // namespace throng::test
