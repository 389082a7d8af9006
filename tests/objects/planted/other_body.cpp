// The linker takes either this function or that of body.cpp for both files.
#include "one_header.hpp"

namespace planted {

bool use_other(int a, int b);

inline bool encloses(int outer, int inner) { return inner < outer; }

bool use_other(int a, int b) { return encloses(a, b) || same_header(a, b); }

}  // namespace planted
