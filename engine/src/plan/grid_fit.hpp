// Fits a grid to some agents: how wide and high its cells are, and how many there are.
//
//   - A cell is a quarter wider than the largest common agent, and as high as makes it hold about two agents
//     as an agent sees the crowd: rows several times higher than cells are wide (simd/kernels/pairs/pairs.hpp says
//     why). It is never so small that an agent reaches over many of them.
//   - There are never many more cells than agents, so an empty world costs no memory; where agents are far
//     apart, cells grow.
#pragma once

#include <cstddef>

#include "simd/kernels.hpp"
#include "throng/geometry.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

// Up to so many agents, comparing all with all is as fast as anything (docs/decisions.md).
inline constexpr std::uint32_t few_agents = 32;

// An agent may be so much larger than the largest common one of a survey, which looks at a few of them only.
inline constexpr double sample_room = 1.05;

struct Sizes {
    double width = 0, height = 0;
};

// What a grid is to be fitted to.
struct Ground {
    Box extent;  // of the agents' lower left corners, but for the outermost
    std::size_t agents = 0;
    double density = 0;  // agents to a unit of area, as an agent sees it
    Sizes common;        // the largest common agent
    Sizes fixed;         // what the host sets; zero where it does not
};

struct GridFit {
    double width, height;  // of a cell
    double columns, rows;
    TuningReason reason;
    // How many times more cells the agents would like than there may be.
    double shortage;
};

// The cell that the agents would like, if there were no limit to their number.
Sizes wanted_cell(const Ground& ground) noexcept;
// What a distance is multiplied with to become a number of cells of that side. The side is made smaller where
// all of the cells together would be wider than the floats (see simd::Grid), or the scale a subnormal, which
// a host may have set to count as zero; whatever is then beyond the last cell belongs to it.
float scale_of(double side, double cells) noexcept;

GridFit fit_grid(const Ground& ground) noexcept;
simd::Grid make_grid(const GridFit& fit, const Ground& ground) noexcept;

}  // namespace throng::detail
