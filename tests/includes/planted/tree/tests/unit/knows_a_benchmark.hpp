// Tests stand on the worlds, not on the benchmarks.
#include "bench/compare/knows_a_test.hpp"
