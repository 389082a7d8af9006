// Counts what goes through the global operator new, in programs that link global_allocations.cpp.
#pragma once

#include <cstdint>

namespace throng::test {

std::uint64_t global_allocations();

}  // namespace throng::test
