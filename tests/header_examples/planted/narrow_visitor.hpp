// A parameter that cannot hold every id.
//
//     const throng::Status status = frame.for_each_overlap(box, [](int) {});
#include "throng/throng.hpp"

inline void planted(const throng::Frame& frame, const throng::Box& box) {
    //@ tests/header_examples/planted/narrow_visitor.hpp
}
