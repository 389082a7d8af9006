// The same work in each place where the result could differ.
#pragma once

#include "support/test.hpp"

namespace throng::test {

// Calls `work(config)` on every kind of executor, with each number of workers, for every instruction set.
template <class Work>
void everywhere(const std::vector<unsigned>& workers, const Work& work) {
    for (const auto& place : all_workplaces(workers))
        for (const Isa isa : instruction_sets()) {
            SCOPED_TRACE(place->name() + ", " + to_string(isa));
            place->run([&] { work(EngineConfig{.executor = place->executor(), .isa = isa}); });
        }
}

}  // namespace throng::test
