// The vocabulary of SSE2, the baseline of x86-64: four lanes everywhere, and no shuffle with a pattern from a
// register. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <emmintrin.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace throng::simd {
namespace {

struct Sse2 {
    using Four = xsimd::batch<float, xsimd::sse2>;
    using Window = Four;
    using Wide = Four;

    static std::uint32_t bits(const Four::batch_bool_type& mask) {
        return static_cast<std::uint32_t>(_mm_movemask_ps(mask.data));
    }
    static void store_u16(std::uint16_t* out, const Window& values) {
        const __m128i whole = _mm_cvttps_epi32(values.data);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packs_epi32(whole, whole));
    }
    // Every lane is stored, and the next one overwrites it if its bit is clear: no branch to mispredict.
    static void left_pack(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        out[0] = ids[0];
        out += mask & 1;
        out[0] = ids[1];
        out += mask >> 1 & 1;
        out[0] = ids[2];
        out += mask >> 2 & 1;
        out[0] = ids[3];
    }
    // SSE2 has no instruction for it, and the compiler's library call would be slower.
    static std::uint32_t count_bits(std::uint64_t v) {
        v -= v >> 1 & 0x5555555555555555u;
        v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
        v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
        return static_cast<std::uint32_t>(v * 0x0101010101010101u >> 56);
    }
};

}  // namespace
}  // namespace throng::simd
