// The engine against its twin by brute force: both get the same history, and they have to agree after
// each operation, also when the engine ran out of memory on the way.
#pragma once

#include "fuzz/executors.hpp"
#include "fuzz/failure.hpp"
#include "fuzz/history.hpp"
#include "fuzz/player.hpp"
#include "fuzz/transcript.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

inline Isa one_of(const std::vector<Isa>& sets, unsigned number) { return sets[number % sets.size()]; }

class Contest {
public:
    Contest(const History& history, test::CountingResource& memory)
        : history_(history),
          memory_(memory),
          engine_(EngineConfig{.executor = executor(history.executor),
                               .memory = &memory,
                               .cell_width = history.cell_width,
                               .row_height = history.row_height,
                               .period_x = history.period.x,
                               .period_y = history.period.y,
                               .isa = one_of(test::instruction_sets(), history.instruction_set)}),
          twin_(history.period) {}

    void run() {
        if (const Status status = engine_.world().status(); !status) fail(history_, 0, status.message());
        for (at_ = 0; at_ < history_.operations.size(); ++at_) step(history_.operations[at_]);
        Transcript engines(Order::sorted), twins(Order::sorted);
        engine_.look_back(engines);
        twin_.look_back(twins);
        compare(engines, twins);
    }

private:
    void step(const Operation& operation) {
        Transcript engines(Order::sorted), twins(Order::sorted);
        if (operation.allocations != Operation::enough) memory_.fail_after(operation.allocations);
        engine_.play(operation, engines);
        memory_.stop_failing();
        if (engines.out_of_memory()) {
            if (operation.allocations == Operation::enough)
                fail(history_, at_, "out of memory without a reason");
            // Nothing has happened then, so the twin gets no call.
            engines = twins;
        } else {
            twin_.play(operation, twins);
        }
        engine_.look(engines);
        twin_.look(twins);
        compare(engines, twins);
    }
    void compare(const Transcript& engines, const Transcript& twins) {
        const std::string parted = difference(engines, twins);
        if (!parted.empty()) fail(history_, at_, "the engine, then brute force: " + parted);
    }

    const History& history_;
    test::CountingResource& memory_;
    Player<Engine> engine_;
    Player<oracle::BruteForce> twin_;
    std::size_t at_ = 0;
};

// The whole history, and then all memory has to be back.
inline void hold_contest(const History& history) {
    test::CountingResource memory;
    Contest(history, memory).run();
    const std::size_t last = history.operations.size();
    if (memory.blocks_out() != 0) fail(history, last, "memory was not given back");
    if (memory.misused()) fail(history, last, "memory was given back otherwise than it was taken");
}

}  // namespace throng::fuzz
