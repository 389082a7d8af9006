// The answers on each scene as one number a kind of answer, the same on every machine, compiler and kind of build. A
// run on one machine is compared with them, so that two machines which both agree with them agree with each other.
//
// They change when the grid is chosen otherwise, since agents then come in another order: run the golden tests with
// THRONG_PRINT_GOLDEN=1 in the environment, and put what they print in here. The sum columns do not depend on any
// order, so they change only with the scenes themselves.
#pragma once

#include <cstdint>

namespace throng::test {

struct GoldenValues {
    const char* scene;
    std::uint64_t hit_sum, pair_sum;           // whatever the order
    std::uint64_t hits, pairs, fingerprint;    // in the engine's order
};

inline constexpr GoldenValues golden_values[] = {
    {"none", 0, 0, 0, 0, 0},
};

}  // namespace throng::test
