// The configuration, and what is the same for all elements.
#include <cmath>

#include "base/kernels.hpp"
#include "structures/src/uniform_grid/state.hpp"
#include "throng/memory.hpp"

namespace throng::structures {

using namespace detail;

namespace {

float magnitude_of(const Box& b) noexcept {
    return std::max(std::max(std::abs(b.min_x), std::abs(b.max_x)),
                    std::max(std::abs(b.min_y), std::abs(b.max_y)));
}

Status check_config(const UniformGrid::Config& config) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!are_legal_extents(config.extents)) return {Code::bad_config, Argument::extents};
    if (!(config.largest_size >= 0 && config.largest_size <= largest))
        return {Code::bad_config, Argument::element_size};
    if (!(config.cell_size > 0 && config.cell_size <= largest))
        return {Code::bad_config, Argument::cell_size};
    return {};
}

}  // namespace

UniformGrid::Config UniformGrid::recommended(const Expected& expected) noexcept {
    const Box& e = expected.extents;
    const double width = GridAxis::extent(e.min_x, e.max_x), height = GridAxis::extent(e.min_y, e.max_y);
    const auto elements = static_cast<double>(std::max<std::size_t>(expected.elements, 1));
    // A world that is nearly a line is divided along it only, and has no more cells than elements.
    const double side =
        std::max(std::sqrt(0.8 * width * height / elements), std::max(width, height) / elements);
    const double smallest = std::max(expected.largest_size, 1e-30f) * 0.5;
    return {.extents = e,
            .largest_size = expected.largest_size,
            .cell_size = static_cast<float>(std::min(std::max(side, smallest), 1e38))};
}

UniformGrid::UniformGrid(const Config& config, MemoryResource* memory) noexcept
    : DynamicStructure(make_state<State>(config, memory)) {}

UniformGrid::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : DynamicStateOf(memory), elements_(memory), heads_(memory), row_sizes_(memory), pair_space_(memory) {
    if (status = check_config(config); !status) return;
    if (status = find_kernels(Isa::automatic, kernels_); !status) return;
    // A little more than half, so no box is refused because of the rounding of its centre.
    const float magnitude = magnitude_of(config.extents);
    reach_ = config.largest_size * 0.5f * 1.00001f + magnitude * 5e-7f + std::numeric_limits<float>::min();

    // Rows are high enough that pairs reach at most into the next one, with room for what `upper` adds.
    const Box& e = config.extents;
    const double width = config.cell_size * 0.4;
    const double height = std::max(config.cell_size / 0.4, 2.0 * reach_ + magnitude * 1e-6);
    const auto cells = [](double extent, double side) {
        return static_cast<std::uint32_t>(std::min(std::max(extent / side, 1.0), double{max_cells}));
    };
    std::uint32_t columns = cells(GridAxis::extent(e.min_x, e.max_x), width);
    std::uint32_t rows = cells(GridAxis::extent(e.min_y, e.max_y), height);
    while (std::uint64_t{columns} * rows > max_cells) (columns > rows ? columns : rows) /= 2;
    columns_ = {e.min_x, e.max_x, columns};
    rows_ = {e.min_y, e.max_y, rows};
    if (!heads_.resize_exactly(std::size_t{columns} * rows) || !row_sizes_.resize_exactly(rows)) {
        status = {Code::out_of_memory};
        return;
    }
    clear();
}

void UniformGrid::State::clear() noexcept {
    elements_.clear();
    std::fill(heads_.begin(), heads_.end(), no_element);
    std::fill(row_sizes_.begin(), row_sizes_.end(), 0u);
}

UniformGrid::State::Place UniformGrid::State::place(const Element& element) const noexcept {
    return {columns_.cell(element.x), rows_.cell(element.y)};
}

std::size_t UniformGrid::State::bytes_held() const noexcept {
    return elements_.bytes() + heads_.bytes() + row_sizes_.bytes() + pair_space_.bytes();
}

}  // namespace throng::structures
