// Has words behind its code that no compiler takes for a comment.
//
//     throng::Frame frame = engine.frame();       the newest one
#include "throng/throng.hpp"

inline void planted(const throng::Engine& engine) {
    //@ tests/header_examples/planted/comment_without_slashes.hpp
}
