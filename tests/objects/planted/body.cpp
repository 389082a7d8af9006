// One of two functions with one name: see other_body.cpp.
#include "one_header.hpp"

namespace planted {

inline bool encloses(int outer, int inner) { return inner <= outer; }

bool use(int a, int b) { return encloses(a, b) || same_header(a, b); }

}  // namespace planted
