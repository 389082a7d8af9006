// Every call that reads a frame, with some arguments, for the tests of what all of them promise: the same
// bytes everywhere, no memory once their results have some, and a status where memory runs out or an executor
// does not do its work. The harness compares the same calls with brute force.
#pragma once

#include "harness/calls.hpp"
#include "support/test.hpp"

namespace throng::test {

// What agents are given, beside their boxes.
enum class Given { boxes, labels, ghosts };

// Agents with labels and heights, walls around them, and the queries for them.
class ReadingWorld {
public:
    ReadingWorld(const Scene& scene, std::size_t count);
    // A frame with the agents and the walls, on the engine's resource.
    Status fill(Engine& engine, Given given, MemoryResource* memory = nullptr) const;

    std::vector<Box> agents;
    std::vector<Label> labels;
    std::vector<Band> heights;
    // Without filters, with filters by labels, with other neighbourhoods, and among ghosts.
    std::vector<Asked> asked;
};

struct ReadingCall {
    std::string name;
    // What its world has: labels for filters, or ghosts.
    Given given;
    // Whether it never uses the executor.
    bool is_single;
    // What it answers is added to the record, as numbers.
    std::function<Status(const Frame& frame, const ReadingWorld& world, Results& results)> make;
};

const std::vector<ReadingCall>& reading_calls();

}  // namespace throng::test
