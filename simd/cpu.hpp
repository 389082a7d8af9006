// The abilities of the processor, and the registers that the operating system saves: asked once, when an
// instruction set is chosen. xsimd's own check, in the versions of current distributions, does not ask the
// operating system.
#pragma once

#include "throng/compiler.hpp"

#if THRONG_IS_MSVC && THRONG_X86_64
#include <immintrin.h>
#endif

namespace throng::simd {

#if !THRONG_X86_64

inline bool has_avx2() noexcept { return false; }
inline bool has_avx512() noexcept { return false; }
inline bool has_avx512vbmi2() noexcept { return false; }

#elif THRONG_IS_MSVC

namespace cpu {

inline bool has(int leaf, int reg, unsigned bits) noexcept {
    int highest[4], found[4];
    __cpuid(highest, 0);
    if (highest[0] < leaf) return false;
    __cpuidex(found, leaf, 0);
    return (static_cast<unsigned>(found[reg]) & bits) == bits;
}
inline constexpr int b = 1, c = 2;
// The bits of XCR0: the registers that survive a change of threads.
inline bool saves(unsigned long long state) noexcept {
    constexpr unsigned osxsave = 1u << 27;
    return has(1, c, osxsave) && (_xgetbv(0) & state) == state;
}

}  // namespace cpu

inline bool has_avx2() noexcept {
    constexpr unsigned fma_popcnt_avx = 1u << 12 | 1u << 23 | 1u << 28,
                       bmi_avx2_bmi2 = 1u << 3 | 1u << 5 | 1u << 8;
    return cpu::saves(0x6) && cpu::has(1, cpu::c, fma_popcnt_avx) && cpu::has(7, cpu::b, bmi_avx2_bmi2);
}
inline bool has_avx512() noexcept {
    constexpr unsigned f_dq_cd_bw_vl = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;
    return has_avx2() && cpu::saves(0xE6) && cpu::has(7, cpu::b, f_dq_cd_bw_vl);
}
inline bool has_avx512vbmi2() noexcept {
    return has_avx512() && cpu::has(7, cpu::b, 1u << 21) && cpu::has(7, cpu::c, 1u << 1 | 1u << 6);
}

#else

inline bool has_avx2() noexcept {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
inline bool has_avx512() noexcept {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}
inline bool has_avx512vbmi2() noexcept {
    return has_avx512() && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2");
}

#endif

}  // namespace throng::simd
