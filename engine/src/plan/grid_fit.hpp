// Fits a grid to some agents: how wide and high its cells are, and how many there are.
//
// - A cell is a quarter wider than the largest common agent. Its height makes it hold about two agents as an
//   agent sees the crowd: rows are several times higher than cells are wide (simd/kernels/pairs/pairs.hpp
//   says why). It is never so small that an agent reaches over many cells.
// - There are never many more cells than agents, so an empty world costs no memory. If agents are far apart,
//   cells grow.
#pragma once

#include <cstddef>

#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

struct Sizes {
    double width = 0, height = 0;
};

// The least distance between floats there. Nearly all cells and tiles narrower than that would be empty.
double step_between(float low, float high) noexcept;

// The input of a grid fit.
struct Ground {
    Box extent;  // lower left corners of the agents, except the outermost
    std::size_t agents = 0;
    double density = 0;  // agents for each unit of area, around the average agent
    Sizes common;        // the largest common agent
    Sizes fixed;         // set by the host; otherwise zero
};

struct GridFit {
    double width, height;  // of a cell
    double columns, rows;
    TuningReason reason;
    // The ratio of desired to allowed cells.
    double shortage;
};

// The desired cell, if there were no limit to the number of cells.
Sizes wanted_cell(const Ground& ground) noexcept;
// The factor that converts a distance to cells of that side. The side is reduced if all cells together would
// overflow a float (see simd::Grid), or if the scale would be subnormal, which a host may flush to zero.
// Everything beyond the last cell then belongs to it.
float scale_of(double side, double cells) noexcept;

// The most cells that a grid for so many agents has, even if the host fixes their size.
double most_cells_for(std::size_t agents) noexcept;

GridFit fit_grid(const Ground& ground) noexcept;
simd::Grid make_grid(const GridFit& fit, const Ground& ground) noexcept;
// For agents that would mostly be oversized in any cells: rows without cells, with all agents in the tree.
simd::Grid make_rows(Ground ground) noexcept;

}  // namespace throng::detail
