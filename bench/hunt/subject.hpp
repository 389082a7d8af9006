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
#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/shapes.hpp"

namespace throng::hunt {

struct Edit {
    AgentId id;
    Box box;
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

    virtual void update(const std::vector<Box>& boxes) = 0;
    virtual std::uint64_t pairs() = 0;
    virtual std::uint64_t count_pairs() = 0;
    virtual std::uint64_t list(const std::vector<Box>& boxes) = 0;
    virtual std::uint64_t count(const std::vector<Box>& boxes) = 0;
    virtual std::uint64_t list_shapes(const std::vector<Shape>&) { return 0; }
    virtual std::uint64_t single(const Box& box) = 0;
    // All of them in one commit, or one after the other.
    virtual void edit(const std::vector<Edit>& edits) = 0;
    virtual std::size_t bytes() const = 0;
};

// A fresh one for a world whose first frame has these boxes.
using MakeSubject = std::function<std::unique_ptr<Subject>(const std::vector<Box>& boxes)>;

// The engine, with the serial executor; or the structure of that name. Throws bench::UsageError for another
// name.
MakeSubject engine_subject();
MakeSubject structure_subject(const std::string& name);
// The engine, where a query is not timed: Frame::explain counts the steps that it takes. It has no other
// operations.
MakeSubject counting_subject();

}  // namespace throng::hunt
