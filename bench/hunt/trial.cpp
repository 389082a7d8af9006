#include "bench/hunt/trial.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>

#include "bench/hunt/child.hpp"
#include "worlds/hunted/changes.hpp"

namespace throng::hunt {

namespace {

// The child's half.

class Reporter final : public Listener {
public:
    Reporter(Costs& costs, const Costs& crowd, const Pipe& pipe)
        : costs_(costs), crowd_(crowd), pipe_(pipe) {}

    void begins(Operation operation, const Moment& moment, double asked, double answers) override {
        const double expected = crowd_.expected(operation, moment.phase(), std::max(asked, 1.0), answers);
        pipe_.send(
            {.kind = Message::Kind::begins,
             .score = {operation, moment.phase(), expected > 0 ? 1 / expected : 0, 0, asked, answers}});
    }
    void took(const Timing& timing) override {
        costs_.took(timing);
        pipe_.send({.kind = Message::Kind::ended, .score = score_of(timing, crowd_)});
    }

private:
    Costs& costs_;
    const Costs& crowd_;
    const Pipe& pipe_;
};

// The crowd is asked for all that the world's costs are compared with.
Plan plan_of_the_crowd(const Plan& plan) {
    Plan crowd = plan;
    crowd.wanted = [&plan](Operation operation) {
        for (std::size_t k = 0; k < operation_count; ++k)
            if (const auto larger = static_cast<Operation>(k);
                plan.wanted(larger) && (larger == operation || smaller_query(larger) == operation))
                return true;
        return false;
    };
    return crowd;
}

void play_crowd(std::size_t agents, const Trial& trial, Costs& crowd) {
    worlds::World plain;
    plain.agents = agents;
    play(plain, trial.make, plan_of_the_crowd(trial.plan), crowd);
}
// An update of few agents after many, or in a first frame, costs each of them more in a plain crowd, too. So
// updates of a world whose number changes are compared with those of a crowd that has as many in each frame;
// not so its queries, since what stays of a crowd is thinly spread.
void play_crowd_of(const worlds::World& world, const Trial& trial, Costs& crowd) {
    if (!worlds::changes_number(world.then)) return play_crowd(world.agents, trial, crowd);
    Trial queries = trial, updates = trial;
    queries.plan.wanted = [&trial](Operation operation) {
        return operation != Operation::update && trial.plan.wanted(operation);
    };
    updates.plan.wanted = [&trial](Operation operation) {
        return operation == Operation::update && trial.plan.wanted(operation);
    };
    play_crowd(world.agents, queries, crowd);
    worlds::World plain;
    plain.agents = world.agents;
    plain.then = world.then;
    play(plain, trial.make, updates.plan, crowd);
}

void measure(const worlds::World& world, const Trial& trial, const Pipe& pipe) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const auto known = trial.crowds.find(world.agents);
    const bool is_known = known != trial.crowds.end();
    Costs costs, crowd = is_known ? known->second : Costs{};
    for (int round = 1; round <= trial.rounds; ++round) {
        if (!is_known) play_crowd_of(world, trial, crowd);
        Reporter reporter(costs, crowd, pipe);
        play(world, trial.make, trial.plan, reporter);
        const std::vector<Score> scores = scores_of(costs, crowd, trial.brief);
        for (const Score& score : scores)
            pipe.send({.kind = Message::Kind::score, .round = round, .score = score});
        const bool worth_another = std::any_of(scores.begin(), scores.end(), [&](const Score& score) {
            return score.operation != Operation::memory && !score.is_brief && score.ratio > trial.suspicious;
        });
        const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
        if (!worth_another || spent * (round + 1) / round > 0.6 * trial.seconds) return;
    }
}

Message report(Message::Kind kind, const char* what) {
    Message message{.kind = kind};
    std::snprintf(message.text, sizeof message.text, "%s", what);
    return message;
}

void child(const worlds::World& world, const Trial& trial, const Pipe& pipe) {
    try {
        measure(world, trial, pipe);
        pipe.send({.kind = Message::Kind::finished});
    } catch (const Refused& error) {
        pipe.send(report(Message::Kind::dismissed, error.what()));
    } catch (const std::bad_alloc&) {
        pipe.send(report(Message::Kind::dismissed, "the hunt's own memory ran out"));
    } catch (const std::exception& error) {
        pipe.send(report(Message::Kind::failed, error.what()));
    }
}

// The parent's half.

// How old the child is, and how long it has had a processor.
struct Now {
    double age = 0, busy = 0;
};

// Whether a child only waits, and would without end: however busy the machine is, it would have had a
// processor for more.
bool only_waits(double seconds, double busy) { return seconds > 0.5 && busy < 0.01 * seconds; }

// Whether what ran for so long, of all that its world had, may be why the world was stopped.
bool ran_for_a_fair_part(double seconds, double of_all) { return 8 * seconds >= of_all; }

struct Collected {
    Verdict verdict;
    int round = 0;
    // What has begun and not ended; its ratio is for one second.
    std::optional<Score> running;
    Now began;
    bool done = false;

    void take(const Message& message, const Now& now) {
        switch (message.kind) {
        case Message::Kind::begins:
            running = message.score;
            began = now;
            return;
        case Message::Kind::ended:
            running.reset();
            // All that is known if the world is stopped in its first round.
            if (round == 0) verdict.scores.push_back(message.score);
            return;
        case Message::Kind::score:
            // Each round knows more than the one before.
            if (message.round != round) verdict.scores.clear();
            round = message.round;
            verdict.scores.push_back(message.score);
            return;
        case Message::Kind::finished: return finish(End::finished, "");
        case Message::Kind::dismissed: return finish(End::dismissed, message.text);
        case Message::Kind::failed: return finish(End::failed, message.text);
        }
    }
    void finish(End end, const char* what) {
        verdict.end = end;
        verdict.what = what;
        done = true;
        if (end == End::failed || end == End::crashed) blame(beyond_measure);
    }
    // What was running gets a score that it would not have got otherwise.
    void blame(double ratio) {
        Score score = running.value_or(Score{});
        score.ratio = ratio;
        verdict.scores.push_back(score);
    }
    void stop_at(const Now& now, bool counts_steps) {
        // Later rounds only make sure.
        if (done || round > 0) return;
        const double seconds = now.age - began.age, busy = now.busy - began.busy;
        if (!running || !ran_for_a_fair_part(seconds, now.age))
            return finish(verdict.scores.empty() ? End::dismissed : End::stalled,
                          "the world itself took too long");
        const bool waits = only_waits(seconds, busy);
        finish(End::stalled, waits ? "it waits for ever" : "it took too long");
        running->amount = busy;
        blame(waits || counts_steps ? beyond_measure : busy * running->ratio);
    }
};

}  // namespace

Trial counting_trial(const Trial& timed) {
    Trial counting = timed;
    counting.make = counting_subject();
    counting.plan.max_answers = std::numeric_limits<double>::infinity();
    counting.plan.max_answers_of_questions = 100;
    counting.plan.max_queries = 300;
    counting.plan.wanted = [wanted = timed.plan.wanted](Operation operation) {
        return can_be_counted(operation) && wanted(operation);
    };
    counting.rounds = 1;
    counting.counts_steps = true;
    counting.brief = 0;
    return counting;
}

void count_crowd(Trial& counting, std::size_t agents) {
    Costs& crowd = counting.crowds[agents];
    crowd = {};
    play_crowd(agents, counting, crowd);
}

Verdict try_world(const worlds::World& world, const Trial& trial) {
    Child process([&](const Pipe& pipe) { child(world, trial, pipe); }, trial.mebibytes);
    const auto now = [&process] { return Now{process.age(), process.busy()}; };
    Collected collected;
    Message message;
    for (;;) {
        const Child::Received received = process.receive(message, trial.seconds);
        if (received == Child::Received::late) {
            collected.stop_at(now(), trial.counts_steps);
            break;
        }
        if (received == Child::Received::nothing) {
            if (!collected.done) collected.finish(End::crashed, "crashed");
            break;
        }
        collected.take(message, now());
    }
    return collected.verdict;
}

}  // namespace throng::hunt
