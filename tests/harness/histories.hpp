// How worlds come about: by updates with ids of all sorts, by edits, by other ids or another origin for all;
// with labels, heights, ghosts and a static layer, and without; and after memory was given back.
#pragma once

#include "harness/agreement.hpp"
#include "support/test.hpp"

namespace throng::test {

enum class By { update, ids_with_holes, edits, other_ids, another_origin };

struct State {
    By by;
    bool labelled, layered, with_heights, with_ghosts;
};

// All of them; under a small scale some, which differ from one `start` to the next.
std::vector<State> enough_states(std::size_t start);

// Puts the agents of a scene into that state.
void bring_into(const State& state, const Scene& scene, Twins& twins, Random& random);

// Brings a scene into one state after the other, while its agents walk, and makes every call in each. If a
// scene has islands, they must be there at first: later, edits may scatter its agents.
void expect_every_call_to_agree(Scene scene, const std::vector<State>& states, const Amounts& amounts,
                                const EngineConfig& config = {}, bool has_islands = false);

}  // namespace throng::test
