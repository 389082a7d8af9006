// The instruction set of every processor of this family: for kernels that count or test, and need not be
// fast.
#pragma once

#include "throng/compiler.hpp"

#if THRONG_ARM64
#include "simd/isa/neon64.hpp"
#elif THRONG_WASM_SIMD
#include "simd/isa/wasm128.hpp"
#elif THRONG_WASM
#include "simd/isa/wasm32.hpp"
#else
#include "simd/isa/sse2.hpp"
#endif

namespace throng::simd {
namespace {

#if THRONG_ARM64
using Lowest = Neon64;
#elif THRONG_WASM_SIMD
using Lowest = Wasm128;
#elif THRONG_WASM
using Lowest = Wasm32;
#else
using Lowest = Sse2;
#endif

}  // namespace
}  // namespace throng::simd
