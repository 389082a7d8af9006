// How a fuzz target reports what it found: it says what, and ends the process, as fuzzers expect.
#pragma once

#include "fuzz/history.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

// `at` is the operation after which something was wrong.
[[noreturn]] void fail(const History& history, std::size_t at, const std::string& what);

}  // namespace throng::fuzz
