// Chooses the kernels: those of the instruction set that the host requests, or that THRONG_ISA names.
#pragma once

#include <cstdlib>

#include "simd/kernels.hpp"
#include "throng/isa.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// `kernels` is not null if the status is ok.
inline Status find_kernels(Isa isa, const simd::Kernels*& kernels) noexcept {
    if (isa == Isa::automatic) {
        if (const char* wanted = std::getenv("THRONG_ISA"); wanted != nullptr && *wanted != '\0')
            if (!parse_isa(wanted, isa)) return {Code::unknown_isa};
    }
    kernels = simd::kernels(isa);
    return kernels == nullptr ? Status{Code::unsupported_isa} : Status{};
}

}  // namespace throng::detail
