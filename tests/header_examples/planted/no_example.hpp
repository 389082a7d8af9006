// Has an example, and a place for one more. A diagram is none, nor is the second line of an item:
//
//     +---+---+
//     | a | b |   two cells; each with
//     +---+---+   a box
//
//   - the first;
//     the second;
//
//     throng::Engine engine;
#include "throng/throng.hpp"

inline void planted() {
    //@ tests/header_examples/planted/no_example.hpp
}
inline void planted_as_well() {
    //@ tests/header_examples/planted/no_example.hpp
}
