#include "tests/counting/counting.hpp"

#include "tests/counting/counting_vectors.hpp"

// Instead of the library's own: the same list of instruction sets, in which the lowest one counts. The linker
// takes no second list from an archive.
#include "simd/dispatch.cpp"

namespace throng::counting {

constinit thread_local std::uint64_t counted = 0;

std::uint64_t steps() noexcept { return counted; }
Isa counting_set() noexcept { return simd::carried_sets().front(); }

}  // namespace throng::counting
