// The vocabulary of WebAssembly's vectors: that of SSE2, by Emscripten's headers, which write each of its
// instructions in terms of WebAssembly's. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <emmintrin.h>
#include <wasm_simd128.h>

namespace throng::simd {
namespace {

// Three of them take those headers many steps, lane by lane or by a selection, though WebAssembly has an
// instruction. It truncates as 64-bit ARM does. It differs from SSE2 only for what does not fit into an
// integer, which no kernel asks for.
inline __m128i truncated(__m128 v) { return static_cast<__m128i>(wasm_i32x4_trunc_sat_f32x4(v)); }
inline __m128 least(__m128 a, __m128 b) { return static_cast<__m128>(wasm_f32x4_pmin(b, a)); }
inline __m128 greatest(__m128 a, __m128 b) { return static_cast<__m128>(wasm_f32x4_pmax(b, a)); }

}  // namespace
}  // namespace throng::simd

// The names by which xsimd calls them.
#define _mm_cvttps_epi32(v) ::throng::simd::truncated(v)
#define _mm_min_ps(a, b) ::throng::simd::least(a, b)
#define _mm_max_ps(a, b) ::throng::simd::greatest(a, b)

#include "simd/isa/sse2.hpp"

namespace throng::simd {
namespace {

struct Wasm128 : Sse2 {
    static std::uint32_t count_bits(std::uint64_t v) { return detail::bits_set(v); }
};

}  // namespace
}  // namespace throng::simd
