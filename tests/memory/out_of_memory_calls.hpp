// The calls of the library that may run out of memory, each with the world that it is made in.
#pragma once

#include "harness/reading_calls.hpp"
#include "support/test.hpp"

namespace throng::test {

// An engine and all that a call may fill, on one resource.
struct EngineWorld {
    // With a period it wraps around in both directions.
    EngineWorld(const Executor& executor, float period)
        : engine({.executor = executor, .memory = &memory, .period_x = period, .period_y = period}) {}

    CountingResource memory;
    Engine engine;
    Results results{&memory};
    std::vector<Frame> held;
};

using W = EngineWorld&;

struct MemoryCall {
    std::string name;
    std::function<void(W)> prepare;
    std::function<Status(W)> make;
    float period = 0;  // of the world
};

inline void PrintTo(const MemoryCall& call, std::ostream* out) { *out << call.name; }

// The world before most of the calls, and what makes it so.
const Scene& first_scene();
const std::vector<Box>&
piled_up();  // its agents, so crowded that their first frame is built again, on another plan
const std::vector<Label>& some_labels();
void populate(EngineWorld& world);
void populate_with_labels(EngineWorld& world);
void populate_with_layer(EngineWorld& world);
void keep_a_handle(EngineWorld& world);

// Calls.
Status insert_one(EngineWorld& world);
Status commit(EngineWorld& world);

std::vector<MemoryCall> writing_calls();
std::vector<MemoryCall> calls_on_islands();
std::vector<MemoryCall> calls_by_ids();
std::vector<MemoryCall> calls_that_read();
std::vector<MemoryCall> calls_that_wrap_around();

}  // namespace throng::test
