// What is hunted: the engine, or one of the structures, as the history sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/hunt/operations.hpp"
#include "bench/hunt/queries.hpp"
#include "throng/geometry.hpp"
#include "worlds/hunted/questions.hpp"

namespace throng::hunt {

struct Edit {
    AgentId id;
    Box box;
    Band height = {};
};

// What a structure refuses by its documentation is no find.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// How many seconds this thread has had. A hunt shares its machine: everything that is timed runs on this
// thread, and what other programs take meanwhile is nothing of the world's.
double thread_seconds();

// Queries return how many answers they had. What fails throws std::runtime_error.
class Subject {
public:
    virtual ~Subject() = default;
    virtual bool can(Operation operation) const = 0;
    // What its calls have cost so far: seconds, unless it counts its steps.
    virtual double spent() const { return thread_seconds(); }

    virtual void update(const worlds::Scene& scene) = 0;
    virtual std::uint64_t pairs() = 0;
    virtual std::uint64_t count_pairs() = 0;
    virtual std::uint64_t list(const BoxBatch& boxes) = 0;
    virtual std::uint64_t count(const BoxBatch& boxes) = 0;
    virtual std::uint64_t list_shapes(const ShapeBatch&) { return 0; }
    virtual std::uint64_t single(const Box& box, const Filter& filter) = 0;
    // All of them in one commit, or one after the other.
    virtual void edit(const std::vector<Edit>& edits) = 0;
    virtual std::size_t bytes() const = 0;

    // Makes the questions of worlds/hunted/questions.hpp for the agents of the last update, with so many
    // casts at most.
    virtual void look_at(const worlds::Scene&, std::size_t, worlds::Random&) {}
    virtual std::size_t size_of(const worlds::Question&) const { return 0; }
    virtual bool is_promised(const worlds::Question&) { return true; }
    virtual double expected_answers(const worlds::Question&) { return 0; }
    virtual std::uint64_t ask(const worlds::Question&) { return 0; }
    // Makes the moves one after the other, whatever they overlap, in a world of its own that has the agents
    // of `follow`. Returns how many others each overlapped, before and after, in all.
    virtual void follow(const worlds::Scene&) {}
    virtual std::uint64_t try_moves(const std::vector<Edit>&) { return 0; }
};

// A fresh one for a world whose first frame is this one.
using MakeSubject = std::function<std::unique_ptr<Subject>(const worlds::Scene& scene)>;

// The engine, with the serial executor; or the structure of that name. Throws bench::UsageError for another
// name.
MakeSubject engine_subject();
MakeSubject structure_subject(const std::string& name);
// The engine, where a query is not timed: Frame::explain counts the steps that it takes, and kernels that
// count those of questions. It has no other operations.
MakeSubject counting_subject();

}  // namespace throng::hunt
