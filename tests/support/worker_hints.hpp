// Values of `Executor::workers` that are legal, though no host means them.
#pragma once

#include <limits>

namespace throng::test {

inline constexpr unsigned most_workers = std::numeric_limits<unsigned>::max();
// Products with 4, 8, 16 and 32 of some of these are zero, or just beyond.
inline constexpr unsigned worker_hints[] = {0,
                                            1,
                                            2,
                                            255,
                                            256,
                                            257,
                                            100000,
                                            1u << 27,
                                            1u << 28,
                                            1u << 29,
                                            1u << 30,
                                            1u << 31,
                                            most_workers,
                                            most_workers - 1,
                                            (1u << 28) + 1};

}  // namespace throng::test
