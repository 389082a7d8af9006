// The hunt's own test: a subject with a fault planted in it, which the trial of a world has to find and to
// survive.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include "bench/hunt/trial.hpp"
#include "gtest/gtest.h"
#include "worlds/hunted/text.hpp"

namespace throng::hunt {
namespace {

// Answers every query with nothing, and does something bad in worlds that lie far from the origin; the plain
// crowd does not.
class Planted : public Subject {
public:
    Planted(bool far, void (*fault)(), std::uint64_t pairs) : far_(far), fault_(fault), pairs_(pairs) {}

    bool can(Operation operation) const override { return operation != Operation::moves; }
    void update(const worlds::Scene&) override {}
    std::uint64_t pairs() override { return 0; }
    std::uint64_t count_pairs() override {
        if (far_) fault_();
        return far_ ? pairs_ : 0;
    }
    std::uint64_t list(const BoxBatch&) override { return 0; }
    std::uint64_t count(const BoxBatch&) override { return 0; }
    std::uint64_t single(const Box&, const Filter&) override { return 0; }
    void edit(const std::vector<Edit>&) override {}
    std::size_t bytes() const override { return far_ ? 7000 : 1000; }

private:
    bool far_;
    void (*fault_)();
    std::uint64_t pairs_;
};

bool is_far(const worlds::Scene& scene) { return !scene.boxes.empty() && scene.boxes[0].min_x > 1e6f; }

Verdict verdict_on(const char* text, void (*fault)(), std::uint64_t pairs = 0) {
    Trial trial;
    trial.make = [fault, pairs](const worlds::Scene& scene) {
        return std::make_unique<Planted>(is_far(scene), fault, pairs);
    };
    trial.seconds = 2;
    trial.brief = 0;
    return try_world(worlds::parse(text).world.value(), trial);
}

constexpr const char* far_away = "h1;n=100;seed=1;place=square;at=at(x=1e9)";
constexpr const char* at_home = "h1;n=100;seed=1;place=square";

void expect_blame(const Verdict& verdict, End end, double at_least) {
    EXPECT_EQ(verdict.end, end) << verdict.what;
    const std::optional<Score> worst = verdict.worst(Operation::count_pairs);
    ASSERT_TRUE(worst);
    EXPECT_GE(worst->ratio, at_least);
    EXPECT_EQ(worst->phase, Phase::first);
}

TEST(Trial, stops_what_takes_too_long_and_says_in_which_operation) {
    const Verdict verdict = verdict_on(far_away, [] {
        for (volatile bool for_ever = true; for_ever;) continue;
    });
    expect_blame(verdict, End::stalled, 1000);
    EXPECT_LT(verdict.worst(Operation::count_pairs)->ratio, 1e9);
}

TEST(Trial, stops_what_waits_without_end) {
    const Verdict verdict = verdict_on(far_away, [] { sleep(1000); });
    expect_blame(verdict, End::stalled, beyond_measure);
    EXPECT_EQ(verdict.what, "it waits for ever");
}

TEST(Trial, survives_a_crash_and_says_in_which_operation) {
    expect_blame(verdict_on(far_away, [] { std::abort(); }), End::crashed, beyond_measure);
}

TEST(Trial, tells_of_a_call_that_failed) {
    const Verdict verdict = verdict_on(far_away, [] { throw std::runtime_error("out of order"); });
    expect_blame(verdict, End::failed, beyond_measure);
    EXPECT_EQ(verdict.what, "out of order");
}

TEST(Trial, learns_nothing_from_what_may_be_refused) {
    EXPECT_EQ(verdict_on(far_away, [] { throw Refused("too large"); }).end, End::dismissed);
}

// A sample of queries, which find nothing here, would have them listed.
TEST(Trial, lists_no_more_pairs_than_it_may_once_they_are_counted) {
    EXPECT_TRUE(verdict_on(
                    far_away, [] {}, 49'000 / 2)
                    .worst(Operation::pairs));
    const Verdict verdict = verdict_on(
        far_away, [] {}, 51'000 / 2);
    EXPECT_TRUE(verdict.worst(Operation::count_pairs));
    EXPECT_FALSE(verdict.worst(Operation::pairs));
    EXPECT_FALSE(verdict.worst(Operation::coherent));
}

TEST(Trial, divides_by_what_the_plain_crowd_has) {
    const Verdict verdict = verdict_on(far_away, [] {});
    EXPECT_EQ(verdict.end, End::finished);
    ASSERT_TRUE(verdict.worst(Operation::memory));
    EXPECT_DOUBLE_EQ(verdict.worst(Operation::memory)->ratio, 7);
    EXPECT_DOUBLE_EQ(verdict_on(at_home, [] {}).worst(Operation::memory)->ratio, 1);
}

TEST(Trial, does_not_count_what_takes_less_than_a_millisecond) {
    Trial trial;
    trial.make = [](const worlds::Scene&) {
        return std::make_unique<Planted>(
            false, [] {}, 0);
    };
    const Verdict verdict = try_world(worlds::parse(at_home).world.value(), trial);
    EXPECT_FALSE(verdict.worst(Operation::count_pairs));
    EXPECT_TRUE(verdict.worst(Operation::memory));
    EXPECT_FALSE(verdict.scores.empty());
}

// Leaves queries hardly any time of the world's two seconds.
class Late final : public Planted {
public:
    explicit Late(bool far)
        : Planted(
              far, [] { sleep(1000); }, 0),
          far_(far) {}
    void update(const worlds::Scene&) override {
        using Clock = std::chrono::steady_clock;
        for (const auto begin = Clock::now(); far_ && Clock::now() < begin + std::chrono::milliseconds(1900);)
            continue;
    }

private:
    bool far_;
};

TEST(Trial, blames_nothing_that_has_only_just_begun_when_the_time_is_over) {
    Trial trial;
    trial.make = [](const worlds::Scene& scene) { return std::make_unique<Late>(is_far(scene)); };
    trial.seconds = 2;
    trial.brief = 0;
    trial.counts_steps = true;
    const Verdict verdict = try_world(worlds::parse(far_away).world.value(), trial);
    EXPECT_TRUE(verdict.worst(Operation::update));
    EXPECT_FALSE(verdict.worst(Operation::count_pairs)) << verdict.what;
}

// Spends as much as there are agents in the largest frame so far.
class Remembering final : public Planted {
public:
    Remembering()
        : Planted(
              false, [] {}, 0) {}
    double spent() const override { return spent_; }
    void update(const worlds::Scene& scene) override {
        most_ = std::max(most_, scene.boxes.size());
        spent_ += static_cast<double>(most_);
    }

private:
    std::size_t most_ = 0;
    double spent_ = 0;
};

TEST(Trial, compares_updates_with_those_of_a_crowd_of_as_many_in_each_frame) {
    Trial trial;
    trial.make = [](const worlds::Scene&) { return std::make_unique<Remembering>(); };
    for (const char* text : {"h1;n=100;seed=1;place=square;at=at(x=1e9);then=shrink", at_home}) {
        const Verdict verdict = try_world(worlds::parse(text).world.value(), trial);
        ASSERT_TRUE(verdict.worst(Operation::update)) << text;
        EXPECT_DOUBLE_EQ(verdict.worst(Operation::update)->ratio, 1) << text;
    }
}

TEST(Trial, times_each_operation_in_its_frames) {
    const Verdict verdict = verdict_on(at_home, [] {});
    const auto has = [&](Operation operation, Phase phase) {
        for (const Score& score : verdict.scores)
            if (score.operation == operation && score.phase == phase) return true;
        return false;
    };
    for (const Phase phase : {Phase::first, Phase::changed, Phase::steady, Phase::edited})
        for (const Operation operation : {Operation::update, Operation::count_pairs, Operation::single})
            EXPECT_TRUE(has(operation, phase)) << name_of(operation) << ", " << name_of(phase);
    for (const Operation operation : {Operation::one_edit, Operation::many_edits, Operation::first_edit})
        EXPECT_TRUE(has(operation, Phase::edited)) << name_of(operation);
    EXPECT_FALSE(verdict.worst(Operation::moves));
}

}  // namespace
}  // namespace throng::hunt
