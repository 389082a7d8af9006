// Benchmarks share what is in bench/common, and no test.
#include "tests/support/worlds.hpp"
