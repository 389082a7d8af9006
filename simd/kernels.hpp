// The kernels: the vectorised inner loops. Every algorithm is written once, as a template over a small
// vocabulary of vector operations (simd/isa/), and compiled once for every instruction set. `kernels(isa)`
// returns the table of one instruction set; all tables give the same answers, bit for bit.
//
// This layer knows pointers, counts and the plain structures of simd/types.hpp, and nothing of the engine. It
// allocates nothing, keeps no state, and calls back only through its sinks.
#pragma once

#include <span>

#include "throng/isa.hpp"

namespace throng::simd {

struct RowKernels;
struct InRowKernels;
struct PairKernels;
struct QueryKernels;
struct ShapeKernels;
struct NeighbourKernels;
struct CastKernels;

struct Kernels {
    Isa isa;

    const RowKernels* rows;       // row_kernels.hpp: building frames
    const InRowKernels* in_row;   // pair_kernels.hpp: pairs of agents that nearly follow each other in a row
    const PairKernels* pairs;     // pair_kernels.hpp: all pairs of agents that are close
    const QueryKernels* queries;  // query_kernels.hpp: agents that overlap a box
    const ShapeKernels* shapes;   // query_kernels.hpp: boxes, circles, polygons and segments as queries
    const NeighbourKernels* neighbours;  // neighbour_kernels.hpp: within a radius, and the nearest
    const CastKernels* casts;            // cast_kernels.hpp: rays, and shapes that move
};

// The kernels of one instruction set; null unless it is `supported`. `automatic` gives the best.
const Kernels* kernels(Isa isa) noexcept;

// The sets in this build, whether or not this machine can run them.
std::span<const Isa> carried_sets() noexcept;

}  // namespace throng::simd
