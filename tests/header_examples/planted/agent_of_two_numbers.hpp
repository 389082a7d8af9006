// Two numbers, which a box would take for two of its four.
//
//     status = engine.insert({x, y}, id);
#include "throng/throng.hpp"

inline void planted(throng::Engine& engine, float x, float y, throng::AgentId id, throng::Status status) {
    //@ tests/header_examples/planted/agent_of_two_numbers.hpp
}
