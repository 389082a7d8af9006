#include "simd/isa/neon64.hpp"
#include "simd/kernels/table.hpp"

namespace throng::simd {
extern const Kernels neon64_kernels;
constexpr Kernels neon64_kernels = kernel_table<Neon64>(Isa::neon64);
}  // namespace throng::simd
