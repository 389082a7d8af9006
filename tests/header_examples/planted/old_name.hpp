// Calls by a name that there is no more, in the second of two examples.
//
//     throng::Status status = engine.update(boxes);
//
// The second is
//     if (engine.frame().is_any_here(box)) ...
#include "throng/throng.hpp"

inline void planted(throng::Engine& engine, const throng::Boxes& boxes) {
    //@ tests/header_examples/planted/old_name.hpp
}
inline void planted(const throng::Engine& engine, const throng::Box& box) {
    //@ tests/header_examples/planted/old_name.hpp
}
