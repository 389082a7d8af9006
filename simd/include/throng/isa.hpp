// The instruction sets with kernels in the library. One is chosen when an engine is made, among those that
// the CPU and the operating system support. All of them give byte-identical answers.
//
// To choose one, set `EngineConfig::isa`, or the environment variable THRONG_ISA to one of the names below;
// the variable applies if the configuration says `automatic`. An instruction set that cannot run here is
// refused with a status, never replaced.
#pragma once

#include <cstdint>

#include "throng/export.hpp"

namespace throng {

enum class Isa : std::uint8_t {
    automatic,  // the best that runs here, or what THRONG_ISA names
    sse2,
    avx2,    // with FMA and BMI, as on every CPU since 2013; no answer uses FMA
    avx512,  // F, CD, DQ, BW and VL
    neon64,
    avx512vbmi2,  // the same and VBMI2, which compresses bytes
    wasm128,      // WebAssembly's, of 128 bits. Only where these run does a module with it load
    wasm32,       // WebAssembly without vectors: those of SSE2, lane by lane
};

// "automatic", "sse2", "avx2", "avx512", "neon64", "avx512vbmi2", "wasm128",
// "wasm32".
THRONG_API const char* to_string(Isa isa) noexcept;

// The instruction set of that name; false if there is none.
THRONG_API bool parse_isa(const char* text, Isa& isa) noexcept;

// Whether this build has kernels for it and this machine can run them. For `automatic`: whether there is any.
THRONG_API bool is_supported(Isa isa) noexcept;

// The best supported one, whatever THRONG_ISA says. `automatic` if there is none: the library may lack the
// kernels for all CPUs (THRONG_ISAS).
THRONG_API Isa best_isa() noexcept;

}  // namespace throng
