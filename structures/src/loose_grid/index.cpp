// The configuration, and what is the same for all elements.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/box_math.hpp"
#include "base/kernels.hpp"
#include "structures/src/loose_grid/state.hpp"
#include "throng/memory.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr std::uint32_t max_stripes = 32768;

// Elements in a loose cell, on average: fewer cost more for bounds than they save in tests.
constexpr double elements_in_cell = 8;
// With narrow cells most pairs are found within a row, as in the engine.
constexpr double width_to_height = 0.4;

std::uint32_t stripes(double extent, double size, double most) noexcept {
    const double count = std::ceil(extent / size);
    return static_cast<std::uint32_t>(count > 1 ? std::min({count, most, double{max_stripes}}) : 1.0);
}

Status check_config(const LooseGrid::Config& c) noexcept {
    const auto legal = [](std::uint32_t count) { return count >= 1 && count <= max_stripes; };
    if (!legal(c.columns) || !legal(c.rows) || !legal(c.tight_columns) || !legal(c.tight_rows))
        return {Code::bad_config, Argument::counts};
    if (c.columns > LooseGrid::max_cells / c.rows) return {Code::bad_config, Argument::counts};
    if (!are_legal_extents(c.extents)) return {Code::bad_config, Argument::extents};
    return {};
}

// In doubles, since the width of the world may overflow a float.
float stripes_per_unit(double count, float min, float max) noexcept {
    const double extent = double{max} - double{min};
    if (!(extent > 0)) return 0;
    return static_cast<float>(std::min(count / extent, double{std::numeric_limits<float>::max()}));
}

std::uint32_t divided_up(std::uint32_t a, std::uint32_t b) noexcept { return (a + b - 1) / b; }

}  // namespace

LooseGrid::Config LooseGrid::recommended(const Expected& expected) noexcept {
    Config config;
    if (check(expected.extents) != Code::ok) return config;
    config.extents = expected.extents;
    const double width = double{expected.extents.max_x} - double{expected.extents.min_x};
    const double height = double{expected.extents.max_y} - double{expected.extents.min_y};
    const double elements = std::max(1.0, static_cast<double>(expected.elements));
    const double side = std::sqrt(width) * std::sqrt(height) * std::sqrt(elements_in_cell / elements);
    const double smallest = std::max(double{expected.typical_size}, 1e-300);
    const double cell_width = std::max(side * std::sqrt(width_to_height), smallest);
    const double cell_height = std::max(side / std::sqrt(width_to_height), smallest);
    config.columns = stripes(width, cell_width, elements);
    // As wide as high, about.
    config.tight_columns = 4;
    config.tight_rows = 2;
    config.rows = stripes(height, cell_height, std::min(elements, double{max_cells} / config.columns));
    return config;
}

LooseGrid::LooseGrid(const Config& config, MemoryResource* memory) noexcept
    : DynamicStructure(make_state<State>(config, memory)) {}

Isa LooseGrid::isa() const noexcept { return status().ok() ? own<State>().kernels_->isa : Isa::automatic; }

bool LooseGrid::clean_up(std::size_t budget) noexcept {
    return !status().ok() || own<State>().clean_up(budget);
}

LooseGrid::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : DynamicStateOf(memory), config_(config) {
    status = check_config(config);
    if (status) status = find_kernels(config.isa, kernels_);
    if (!status) return;
    const Box& e = config.extents;
    tight_columns_ = divided_up(config.columns, config.tight_columns);
    tight_rows_ = divided_up(config.rows, config.tight_rows);
    const auto axis = [](double stripes_in_extent, std::uint32_t count, float min, float max) {
        return Axis{min, stripes_per_unit(stripes_in_extent, min, max), static_cast<float>(count - 1)};
    };
    columns_ = axis(config.columns, config.columns, e.min_x, e.max_x);
    rows_ = axis(config.rows, config.rows, e.min_y, e.max_y);
    widest_near_ = 2 / columns_.scale;
    tight_x_ = axis(1.0 * config.columns / config.tight_columns, tight_columns_, e.min_x, e.max_x);
    tight_y_ = axis(1.0 * config.rows / config.tight_rows, tight_rows_, e.min_y, e.max_y);
    const std::size_t cells = std::size_t{config.columns} * config.rows;
    const std::size_t lists = std::size_t{tight_columns_} * tight_rows_ + 1;
    if (!cells_.resize(cells) || !tight_.resize(lists) || !touched_.resize(cells) ||
        !row_sizes_.resize(config.rows)) {
        cells_.release();
        status = {Code::out_of_memory};
        return;
    }
    clear();
}

void LooseGrid::State::clear() noexcept {
    records_.clear();
    slots_.clear();
    forget_cells();
    nodes_.clear();
    std::fill(tight_.begin(), tight_.end(), none);
    is_unlinked_ = false;
}

void LooseGrid::State::forget_cells() noexcept {
    std::fill(cells_.begin(), cells_.end(), Cell{none, no_box});
    std::fill(row_sizes_.begin(), row_sizes_.end(), 0u);
    touched_.clear();
    clean_up_at_ = 0;
}

std::size_t LooseGrid::State::bytes_held() const noexcept {
    return records_.bytes() + slots_.bytes() + cells_.bytes() + tight_.bytes() + nodes_.bytes() +
           touched_.bytes() + row_sizes_.bytes() + row_counts_.bytes() + row_ends_.bytes() + far_.bytes() +
           pair_space_.bytes();
}

}  // namespace throng::structures
