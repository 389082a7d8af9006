// Four numbers, which would be a box that stands still.
//
//     const throng::Found hit = frame.blocked({x, y, x, y});
#include "throng/throng.hpp"

inline void planted(const throng::Frame& frame, float x, float y) {
    //@ tests/header_examples/planted/nameless_cast.hpp
}
