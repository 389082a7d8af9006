// The configuration, and the front door.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/kernels.hpp"
#include "structures/src/row_grid/cells.hpp"
#include "throng/memory.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr double widest_cell = 3e38, narrowest_cell = 1e-30, max_covered = 3e38;
bool positive(float value) { return value > 0 && value <= std::numeric_limits<float>::max(); }

Status check_config(const RowGrid::Config& config, float largest_common) noexcept {
    if (!are_legal_extents(config.extents)) return {Code::bad_config, Argument::extents};
    if (!positive(config.cell_width) || !positive(config.row_height))
        return {Code::bad_config, Argument::cell_size};
    if (!positive(largest_common)) return {Code::bad_config, Argument::element_size};
    return {};
}

// Cells along one axis.
struct Axis {
    float origin, inverse, last;
    std::uint32_t count;

    Axis(float min, float max, double step, std::uint32_t most) : origin(min) {
        const double covered = std::min(double{max} - min, max_covered);
        double size = std::clamp(step, narrowest_cell, widest_cell);
        const double cells = std::clamp(std::floor(covered / size) + 1, 1.0, static_cast<double>(most));
        size = std::max(size, covered / cells);
        // Not subnormal, so no floating-point mode flushes it to zero.
        inverse = static_cast<float>(std::max(1 / size, 1.2e-38));
        count = static_cast<std::uint32_t>(cells);
        last = static_cast<float>(count - 1);
    }
};

}  // namespace

RowGrid::Config RowGrid::recommended(const Expected& expected) noexcept {
    // Cells with a little less than two elements, rows nearly five times as high as they are wide.
    constexpr double elements_in_cell = 1.875, height_over_width = 4.8, fewest = 64, min_in_row = 24;
    const Box& e = expected.extents;
    const double width = std::max(double{e.max_x} - e.min_x, 1e-30),
                 height = std::max(double{e.max_y} - e.min_y, 1e-30);
    const double elements = std::max(static_cast<double>(expected.elements), fewest);
    const double typical = expected.typical_size > 0 ? double{expected.typical_size} : 1e-30,
                 largest = std::max(double{expected.largest_size}, typical);
    const double area = elements_in_cell * width * height / elements;
    Config config;
    config.extents = e;
    double across = std::max(1.25 * typical, std::sqrt(area / height_over_width));
    // A world that is flat along one axis can only be divided along the other.
    across = std::max(across, width / elements);
    const double high =
        std::max({2 * typical, 1.01 * largest, area / across, height / elements * min_in_row});
    config.cell_width = static_cast<float>(std::clamp(across, narrowest_cell, widest_cell));
    config.row_height = static_cast<float>(std::clamp(high, narrowest_cell, widest_cell));
    config.largest_common = static_cast<float>(std::clamp(1.01 * largest, narrowest_cell, widest_cell));
    return config;
}

RowGrid::RowGrid(const Config& config, MemoryResource* memory) noexcept
    : DynamicStructure(make_state<State>(config, memory)) {}

RowGrid::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : DynamicStateOf(memory) {
    float common = config.largest_common == 0 ? config.row_height : config.largest_common;
    if (status = check_config(config, common); !status) return;
    // Less than the result of an overflow that is rounded downwards.
    common = std::min(common, static_cast<float>(widest_cell));
    status = find_kernels(config.isa, kernels_);
    if (!status) return;
    const Axis x(config.extents.min_x, config.extents.max_x, config.cell_width, simd::max_columns);
    const Axis y(config.extents.min_y, config.extents.max_y,
                 std::max(double{config.row_height}, double{common} / 2), simd::max_rows);
    // The rounding error of a row's number is less than a hundredth.
    const double spanned = std::floor(double{rounded_up(common)} * y.inverse * 1.001 + 0.05) + 1;
    lattice_ = {.origin_x = x.origin,
                .origin_y = y.origin,
                .inverse_width = x.inverse,
                .inverse_height = y.inverse,
                .last_column = x.last,
                .last_row = y.last,
                .common_width = common,
                .common_height = common,
                .columns = x.count,
                .rows = y.count};
    rows_spanned_ = static_cast<std::uint32_t>(std::min(spanned, static_cast<double>(y.count)));
    if (!rows_.reserve(std::size_t{y.count} + 1)) {
        status = {Code::out_of_memory};
        return;
    }
    for (std::size_t r = 0; r <= y.count; ++r) (void)rows_.emplace_back(memory);
}

Status RowGrid::assign(const Boxes& boxes, const Executor& executor) noexcept {
    return status().ok() ? own<State>().assign_by(boxes, executor) : status();
}
Status RowGrid::move_within_row(ElementId id, const Box& box) noexcept {
    return status().ok() ? own<State>().move_within_row(id, box) : status();
}
Status RowGrid::visit_pairs(const Executor& executor, const PairVisitor& visitor) noexcept {
    return status().ok() ? own<State>().visit_pairs(executor, visitor) : status();
}
std::size_t RowGrid::pair_blocks(const Executor& executor) const noexcept {
    return status().ok() ? own<State>().pair_blocks(executor) : 0;
}
std::uint32_t RowGrid::rows() const noexcept { return status().ok() ? own<State>().rows() : 0; }
std::uint32_t RowGrid::columns() const noexcept { return status().ok() ? own<State>().columns() : 0; }
std::uint32_t RowGrid::row_of(const Box& box) const noexcept {
    return status().ok() ? own<State>().row_of(box) : 0;
}
std::uint32_t RowGrid::row_of(ElementId id) const noexcept {
    return contains(id) ? own<State>().where_[id].row : rows();
}
std::size_t RowGrid::oversized() const noexcept { return status().ok() ? own<State>().oversized() : 0; }
bool RowGrid::has_memory(std::uint32_t row) const noexcept {
    return status().ok() && row <= rows() && own<State>().rows_[row].bytes() != 0;
}
Isa RowGrid::isa() const noexcept { return status().ok() ? own<State>().kernels_->isa : Isa::automatic; }

std::uint32_t RowGrid::State::row_of(const Box& box) const noexcept {
    return !is_common(lattice_, box) ? rows() : row_at(lattice_, box.min_y);
}

std::uint32_t RowGrid::State::column_in(std::uint32_t row, const Box& box) const noexcept {
    return row == rows() ? 0 : column_at(lattice_, box.min_x);
}

void RowGrid::State::clear() noexcept {
    for (GridRow& row : rows_) row.forget_all();
    where_.clear();
}

std::size_t RowGrid::State::bytes_held() const noexcept {
    std::size_t sum = rows_.capacity() > 1 ? rows_.capacity() * sizeof(GridRow) : 0;
    for (const GridRow& row : rows_) sum += row.bytes();
    return sum + where_.bytes() + plan_.bytes() + work_.bytes() + sweep_.bytes();
}

}  // namespace throng::structures
