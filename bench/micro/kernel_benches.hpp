// Each function registers the benchmarks of some kernels of one instruction set, under names like
// "sort_row/avx2".
#pragma once

#include "simd/kernels.hpp"

namespace throng::bench {

// Enough to fill a second-level cache, so that memory plays a part as it does in a frame.
inline constexpr std::size_t micro_agents = 100'000;

void register_building(const simd::Kernels& kernels);
void register_pairs(const simd::Kernels& kernels);
void register_queries(const simd::Kernels& kernels);
void register_neighbours(const simd::Kernels& kernels);
void register_packets(const simd::Kernels& kernels);
void register_loose_grid(const simd::Kernels& kernels);
void register_casts(const simd::Kernels& kernels);
// By its public interface.
void register_static_index(Isa isa);
void register_shapes(Isa isa);
// Have no kernels of their own.
void register_frames();
void register_bitsets();

}  // namespace throng::bench
