// Drops a status.
//
//     engine.update(boxes);
#include "throng/throng.hpp"

inline void planted(throng::Engine& engine, const throng::Boxes& boxes) {
    //@ tests/header_examples/planted/dropped_status.hpp
}
