#include "simd/isa/sse2.hpp"
#include "simd/kernels/table.hpp"

namespace throng::simd {
extern const Kernels sse2_kernels;
constexpr Kernels sse2_kernels = kernel_table<Sse2>(Isa::sse2);
}  // namespace throng::simd
