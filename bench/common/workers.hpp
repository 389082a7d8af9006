// Runs a program's work on a given number of threads: one thread is the caller itself with the serial
// executor, several are a oneTBB arena of just that size with the library's oneTBB executor, as a host would
// set it up.
#pragma once

#include <functional>

#include "throng/executor.hpp"

namespace throng::bench {

// How many threads the machine runs at once.
unsigned hardware_threads() noexcept;

// The most that `run_on` should be asked for: the processors that this process may use, and 1 in a build
// without oneTBB.
unsigned max_threads() noexcept;

// Calls `body` once, from inside the arena, and returns when it has returned. Throws std::runtime_error if
// more than one thread is asked for in a build without oneTBB.
void run_on(unsigned threads, const std::function<void(const Executor&)>& body);

}  // namespace throng::bench
