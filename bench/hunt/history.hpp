// One history of a world: its frames are published one after the other, and each operation is timed where it
// belongs, or counted, as its subject does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "bench/hunt/subject.hpp"
#include "worlds/hunted/world.hpp"

namespace throng::hunt {

// How many frames a history has: the first, the changed one, and steady ones.
inline constexpr std::size_t min_frames = 3;

struct Plan {
    std::size_t frames = 6;
    // Answers that would be more than that for each agent are not listed and not counted one by one.
    double max_answers = 500;
    // The same of questions, which are put to all agents.
    double max_answers_of_questions = 500;
    // Of a batch of small queries, of larger ones, and of casts.
    std::size_t max_queries = worlds::max_agents;
    // Whether this operation is of interest.
    std::function<bool(Operation)> wanted = [](Operation) { return true; };
};

// When an operation ran: the frame's number, and whether edits had been committed since.
struct Moment {
    std::size_t frame = 0;
    bool edited = false;

    Phase phase() const {
        if (edited) return Phase::edited;
        return frame == 0 ? Phase::first : frame == 1 ? Phase::changed : Phase::steady;
    }
};

struct Timing {
    Operation operation;
    Moment moment;
    // Seconds, steps, or bytes; of so many agents or queries with so many answers.
    double amount = 0, asked = 1, answers = 0;

    double cost() const { return amount / (asked + answers); }
    double cost_of_a_query() const { return amount / asked; }
};

class Listener {
public:
    virtual ~Listener() = default;
    // So many agents or queries, and about so many answers: what is stopped has not told how many there were.
    virtual void begins(Operation operation, const Moment& moment, double asked, double answers) = 0;
    virtual void took(const Timing& timing) = 0;
};

// Throws std::runtime_error where a call of the library fails.
void play(const worlds::World& world, const MakeSubject& make, const Plan& plan, Listener& listener);

}  // namespace throng::hunt
