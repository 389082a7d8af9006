// A function that two files share as they should.
#pragma once

namespace planted {

inline bool same_header(int a, int b) { return a == b; }

}  // namespace planted
