// Prints the instruction sets that this machine runs, the lowest first. Compiled and run while the build is
// configured, if it asks for the machine's own.
#include "simd/cpu.hpp"

#include <cstdio>

int main() {
#if THRONG_ARM64
    std::puts("neon64");
#elif THRONG_X86_64
    using namespace throng::simd;
    std::fputs("sse2", stdout);
    if (has_avx2()) std::fputs(";avx2", stdout);
    if (has_avx512()) std::fputs(";avx512", stdout);
    if (has_avx512vbmi2()) std::fputs(";avx512vbmi2", stdout);
#endif
}
