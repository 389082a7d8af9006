// How the calling thread computes: its rounding mode, and whether it flushes subnormal numbers. Two threads
// for which this is the same number place a box alike. Read from the register: to find it out by computing
// takes several times as long as an edit.
#pragma once

#include <cfenv>
#include <cstdint>

#include "throng/compiler.hpp"

#if THRONG_X86_64
#include <xmmintrin.h>
#endif

namespace throng::structures::detail {

inline std::uint64_t arithmetic() noexcept {
#if THRONG_X86_64
    constexpr unsigned rounding = 0x6000, flush_results = 0x8000, flush_operands = 0x40;
    return _mm_getcsr() & (rounding | flush_results | flush_operands);
#elif THRONG_ARM64
    constexpr std::uint64_t rounding_and_flush = std::uint64_t{7} << 22;
    return throng::detail::floating_point_control() & rounding_and_flush;
#else
    return static_cast<std::uint64_t>(std::fegetround());
#endif
}

}  // namespace throng::structures::detail
