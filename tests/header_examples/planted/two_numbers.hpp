// Two numbers, which a box would take for two of its four.
//
//     near = frame.any({x, y});
#include "throng/throng.hpp"

inline void planted(const throng::Frame& frame, float x, float y, throng::Found near) {
    //@ tests/header_examples/planted/two_numbers.hpp
}
