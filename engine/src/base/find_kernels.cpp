#include "engine/src/base/find_kernels.hpp"

#include <cstdlib>

namespace throng::detail {

Status find_kernels(Isa isa, const simd::Kernels*& kernels) noexcept {
    if (isa == Isa::automatic) {
        if (const char* wanted = std::getenv("THRONG_ISA"); wanted != nullptr && *wanted != '\0')
            if (!parse_isa(wanted, isa)) return {Code::unknown_isa};
    }
    kernels = simd::kernels(isa);
    return kernels == nullptr ? Status{Code::unsupported_isa} : Status{};
}

}  // namespace throng::detail
