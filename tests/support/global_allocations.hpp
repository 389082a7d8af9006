// Counts what goes through the global operator new, in programs that link global_allocations.cpp.
#pragma once

#include <cstdint>

namespace throng::test {

std::uint64_t global_allocations();

// The type of that function, for a check that is compiled without it.
using HeapCount = std::uint64_t (*)();

}  // namespace throng::test
