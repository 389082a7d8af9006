#include "simd/isa/avx2.hpp"
#include "simd/kernels/table.hpp"

namespace throng::simd {
extern const Kernels avx2_kernels;
constexpr Kernels avx2_kernels = kernel_table<Avx2>(Isa::avx2);
}  // namespace throng::simd
