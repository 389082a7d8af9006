// Which grid a plan has. It is chosen only from the agents, never from a clock or the machine, so the same
// history leads to the same grid everywhere. It stays until another one is clearly better.
#pragma once

#include <cstddef>

#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/survey/survey.hpp"
#include "simd/types.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

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
