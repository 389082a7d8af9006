// What a world costs beside the plain crowd.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bench/hunt/history.hpp"

namespace throng::hunt {

// The least cost of each operation in each frame, over several histories.
class Costs final : public Listener {
public:
    void begins(Operation, const Moment&, double, double) override {}
    void took(const Timing& timing) override;

    // The frame of that phase which cost most; none if the operation did not run.
    std::optional<Timing> worst(Operation operation, Phase phase) const;
    // What as many queries with as many answers, or as many agents, cost here. It is meant for the plain
    // crowd, in which queries cost the same in every frame: the cost in the middle of the frames, for updates
    // and memory of that phase's alone; 0 if there is none. However few answers a larger query has, it is not
    // expected to cost less than one of an agent's own size does: the crowd's larger queries are full, and
    // most of their cost is that of answers.
    double expected(Operation operation, Phase phase, double asked, double answers) const;

private:
    // The median over the frames.
    template <class Cost>
    double typical(Operation operation, Phase phase, Cost&& cost) const;

    std::array<std::vector<Timing>, operation_count> timings_;
};

struct Score {
    Operation operation = Operation::update;
    Phase phase = Phase::first;
    // The cost of an agent (or query) and answer, over that in the plain crowd.
    double ratio = 0;
    double amount = 0;  // seconds, steps, or bytes
    double asked = 0, answers = 0;
    // Whether it took less time in all than is counted.
    bool is_brief = false;

    double cost() const { return asked + answers > 0 ? amount / (asked + answers) : 0; }
};

Score score_of(const Timing& timing, const Costs& crowd);
// One for each operation and phase that ran. Where times are compared, those below `brief` are not counted.
std::vector<Score> scores_of(const Costs& world, const Costs& crowd, double brief = 0);

// How the trial of a world ended.
enum class End : std::uint8_t {
    finished,
    stalled,  // it took longer than it may, in the operation of the last score
    failed,   // a call of the library failed
    crashed,
    dismissed,  // nothing to be learned: the world itself took too long, or a structure may refuse it
};

struct Verdict {
    End end = End::finished;
    std::string what;
    std::vector<Score> scores;

    // The worst score of an operation, over its phases, of those that count.
    std::optional<Score> worst(Operation operation) const;
};

// A find that has no figure.
inline constexpr double beyond_measure = 1e6;

}  // namespace throng::hunt
