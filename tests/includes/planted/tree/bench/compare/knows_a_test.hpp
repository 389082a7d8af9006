// Benchmarks share what is in bench/common and in worlds, and no test.
#include "tests/support/worlds.hpp"
