// The vocabulary of WebAssembly without vectors, for browsers that lack them. It is that of SSE2: SIMDe's
// headers do its instructions lane by lane (simd/CMakeLists.txt puts them in the place of the compiler's).
// For the meaning of each operation see simd/isa/README.md.
#pragma once

#include "simd/isa/sse2.hpp"

namespace throng::simd {
namespace {

struct Wasm32 : Sse2 {
    // WebAssembly has an instruction for it.
    static std::uint32_t count_bits(std::uint64_t v) { return detail::bits_set(v); }
};

}  // namespace
}  // namespace throng::simd
