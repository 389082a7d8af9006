// Kernels that count their steps. What they count is each look at a vector of agents, boxes or marks, in
// every kernel: searches, pairs, neighbours and casts alike. So a count is the same on every machine of a
// processor family, and grows with the time that a call takes. Loops of the engine around the kernels are not
// counted.
//
// A program that is linked with them has the other instruction sets as they are: only engines that ask for
// `counting_set()` count.
#pragma once

#include <cstdint>

#include "throng/isa.hpp"

namespace throng::counting {

// So many steps were taken by this thread so far.
std::uint64_t steps() noexcept;
// For EngineConfig::isa. Answers are those of the other sets.
Isa counting_set() noexcept;

}  // namespace throng::counting
