#include "simd/isa/avx512.hpp"
#include "simd/kernels/table.hpp"

namespace throng::simd {
extern const Kernels avx512_kernels;
constexpr Kernels avx512_kernels = kernel_table<Avx512>(Isa::avx512);
}  // namespace throng::simd
