// Chooses the kernels: those of the instruction set that the host requests, or that THRONG_ISA names.
#pragma once

#include "simd/kernels.hpp"
#include "throng/isa.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// `kernels` is not null if the status is ok.
Status find_kernels(Isa isa, const simd::Kernels*& kernels) noexcept;

}  // namespace throng::detail
