// Everything that a caller can see of an engine, kept for a later comparison: a call that failed may have
// changed nothing of it.
#pragma once

#include "support/test.hpp"

namespace throng::test {

struct EngineState {
    std::uint64_t number = 0;
    std::size_t size = 0, staged = 0;
    Status status;
    std::vector<Box> queries;
    Answers answers;
};

inline EngineState state_of(const Engine& engine, const std::vector<Box>& queries) {
    return {.number = engine.frame().number(),
            .size = engine.frame().size(),
            .staged = engine.staged(),
            .status = engine.status(),
            .queries = queries,
            .answers = ask(engine.frame(), queries)};
}

// Whether the engine is as it was, and sound.
inline ::testing::AssertionResult unchanged(const EngineState& before, const Engine& engine) {
    using ::testing::AssertionFailure;
    const EngineState now = state_of(engine, before.queries);
    if (now.number != before.number) return AssertionFailure() << "a frame was published";
    if (now.size != before.size)
        return AssertionFailure() << "there are " << now.size << " agents, not " << before.size;
    if (now.staged != before.staged)
        return AssertionFailure() << now.staged << " edits are staged, not " << before.staged;
    if (now.status != before.status) return AssertionFailure() << "the engine's status changed";
    if (auto result = identical(before.answers, now.answers); !result) return result;
    const Validation validation = engine.validate();
    if (!validation.sound()) return AssertionFailure() << ::testing::PrintToString(validation);
    return ::testing::AssertionSuccess();
}

}  // namespace throng::test
