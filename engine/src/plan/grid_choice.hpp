// Which grid a plan has. It is fitted to some agents, and chosen only from these, never from a clock or the
// machine, so the same history leads to the same grid everywhere. It stays until another one is clearly
// better. numbers.hpp says how large cells are, and how many there may be.
#pragma once

#include <cstddef>
#include <limits>

#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

class Survey;

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

// --- The common size: up to it agents are kept in the grid, and larger ones are oversized ---

inline constexpr Sizes unlimited{std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};

// A larger size makes every search reach further. A smaller one leaves more agents to the tree, which every
// search walks and every frame rebuilds. Both costs are estimated in tested agents. It is no larger than
// `limit`. If that cuts off the best size, the best one below it may be far smaller, since agents above it
// are no reason for larger cells.
Sizes common_size(const Survey& survey, const Sizes& limit = unlimited) noexcept;

// --- The choice ---

class GridChoice {
public:
    // Zero for numbers that the host does not fix.
    GridChoice(float cell_width, float row_height, float common_size) noexcept
        : GridChoice(Sizes{cell_width, row_height}, common_size) {}
    // None yet, with the same things fixed.
    GridChoice none() const noexcept { return {fixed_, fixed_common_}; }

    // Few agents need no survey: one cell and brute force are fastest. A world with a grid keeps it until
    // there are clearly fewer.
    bool suits_few(std::size_t agents) const noexcept;
    bool is_for_few() const noexcept { return tuning_.reason == TuningReason::few; }
    void choose_brute_force() noexcept;
    // Whether the host has fixed the size of cells or of common agents: then there are cells.
    bool is_fixed() const noexcept {
        return fixed_common_ > 0 || tuning_.reason == TuningReason::set_by_host;
    }

    void choose(const Survey& survey) noexcept;
    // The same, if a frame on this grid had so many others in an agent's cell. A survey cannot see that in a
    // crowd smaller than its smallest square.
    void choose_again(const Survey& survey, double others) noexcept;
    // Whether the grid that would be chosen now is much like this one.
    bool still_fits(const Survey& survey) const noexcept;
    // Whether the grid that would be chosen now has islands, as this one has.
    bool still_wants_islands(const Survey& survey) const noexcept;
    // Whether as many agents share a cell of another grid; neither has islands.
    bool is_like(const GridChoice& other) const noexcept;
    // The number of pairs depends on the agents, not on the grid.
    void count_partners(const Survey& survey) noexcept;
    void move(float dx, float dy) noexcept;

    const simd::Grid& grid() const noexcept { return grid_; }
    const Tuning& tuning() const noexcept { return tuning_; }
    // The ground that the grid was fitted to.
    const Ground& ground() const noexcept { return ground_; }
    // Whether the world is so empty that its crowded spots should have their own grids, and how much too
    // coarse one grid is.
    bool wants_islands() const noexcept;
    double shortage() const noexcept { return shortage_; }
    // Whether enough agents are common for cells to pay. With fewer the tree is cheaper, unless islands hold
    // them.
    bool fits_cells() const noexcept { return fits_cells_; }
    // The expected number of overlapping pairs.
    double pairs_expected(std::size_t agents) const noexcept {
        return partners_ / 2 * static_cast<double>(agents);
    }

private:
    friend struct PlanFields;

    GridChoice(const Sizes& fixed, double fixed_common) noexcept
        : fixed_(fixed), fixed_common_(fixed_common) {}
    Ground ground_of(const Survey& survey) const noexcept;
    bool is_about(const GridFit& fit, const Ground& ground) const noexcept;
    void set(const Survey& survey, const Ground& ground, const GridFit& fit) noexcept;

    Sizes fixed_;
    double fixed_common_;
    Ground ground_;
    double shortage_ = 0;
    bool fits_cells_ = true;
    double partners_ = 0;  // for each agent
    simd::Grid grid_{.inverse_width = 1, .inverse_height = 1, .columns = 1, .rows = 1};
    Tuning tuning_;
};

}  // namespace throng::detail
