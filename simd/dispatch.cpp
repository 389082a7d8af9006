// The instruction sets in this build, those that this machine can run, and their tables of kernels.

#include <cstring>
#include <initializer_list>

#include "simd/cpu.hpp"
#include "simd/kernels.hpp"
#include "tables/sets.hpp"
#include "throng/compiler.hpp"

namespace throng {

namespace simd {

namespace {

bool cpu_runs(Isa isa) noexcept {
    switch (isa) {
    case Isa::sse2: return THRONG_X86_64 != 0;
    case Isa::avx2: return has_avx2();
    case Isa::avx512: return has_avx512();
    case Isa::avx512vbmi2: return has_avx512vbmi2();
    case Isa::neon64: return THRONG_ARM64 != 0;
    case Isa::wasm128: return THRONG_WASM_SIMD != 0;
    case Isa::wasm32: return THRONG_WASM != 0;
    default: return false;
    }
}

const Kernels* carried(Isa isa) noexcept {
    for (const Kernels& kernels : built_kernels)
        if (kernels.isa == isa) return &kernels;
    return nullptr;
}

struct Named {
    Isa isa;
    const char* name;
};
constexpr Named names[] = {{Isa::automatic, "automatic"},
                           {Isa::sse2, "sse2"},
                           {Isa::avx2, "avx2"},
                           {Isa::avx512, "avx512"},
                           {Isa::avx512vbmi2, "avx512vbmi2"},
                           {Isa::neon64, "neon64"},
                           {Isa::wasm128, "wasm128"},
                           {Isa::wasm32, "wasm32"}};

}  // namespace

const Kernels* kernels(Isa isa) noexcept {
    if (isa == Isa::automatic) isa = best_isa();
    return cpu_runs(isa) ? carried(isa) : nullptr;
}

std::span<const Isa> carried_sets() noexcept { return built_isas; }

}  // namespace simd

const char* to_string(Isa isa) noexcept {
    for (const simd::Named& entry : simd::names)
        if (entry.isa == isa) return entry.name;
    return "unknown";
}

bool parse_isa(const char* text, Isa& isa) noexcept {
    for (const simd::Named& entry : simd::names) {
        if (std::strcmp(text, entry.name) != 0) continue;
        isa = entry.isa;
        return true;
    }
    return false;
}

bool is_supported(Isa isa) noexcept {
    return isa == Isa::automatic ? best_isa() != isa : simd::cpu_runs(isa) && simd::carried(isa) != nullptr;
}

Isa best_isa() noexcept {
    for (Isa isa :
         {Isa::avx512vbmi2, Isa::avx512, Isa::avx2, Isa::neon64, Isa::wasm128, Isa::sse2, Isa::wasm32})
        if (is_supported(isa)) return isa;
    return Isa::automatic;
}

}  // namespace throng
