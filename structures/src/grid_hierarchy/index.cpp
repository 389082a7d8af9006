// The configuration, and what is the same for all elements.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/kernels.hpp"
#include "structures/src/grid_hierarchy/state.hpp"
#include "throng/memory.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr double cells_a_region = 64;

double regions_in(double extent, double side) noexcept {
    return std::max(std::ceil(extent / (cells_a_region * side)), 1.0);
}

}  // namespace

GridHierarchy::Config GridHierarchy::recommended(const Expected& expected) noexcept {
    const Box& e = expected.extents;
    const double width = GridAxis::extent(e.min_x, e.max_x), height = GridAxis::extent(e.min_y, e.max_y),
                 area = width * height;
    const double elements = static_cast<double>(std::max<std::size_t>(expected.elements, 1024));
    const double typical = std::max(double{expected.typical_size}, 1e-30);
    // By the size of the elements, since in a world of villages the mean density says nothing. But at most
    // two regions for each element, also in a world that is nearly a line.
    const double by_density =
        std::min(std::max(1.25 * std::sqrt(area / elements), 2.5 * typical), 5 * typical);
    const double by_regions =
        std::max(std::sqrt(area / (2 * elements)), std::max(width, height) / (2 * elements)) / cells_a_region;
    return {.extents = e, .cell_size = static_cast<float>(std::min(std::max(by_density, by_regions), 1e38))};
}

GridHierarchy::GridHierarchy(const Config& config, MemoryResource* memory) noexcept
    : DynamicStructure(make_state<State>(config, memory)) {}

std::size_t GridHierarchy::regions() const noexcept {
    return status().ok() ? own<State>().regions_.size() : 0;
}
std::size_t GridHierarchy::sub_regions() const noexcept {
    return status().ok() ? own<State>().sub_regions_.size() : 0;
}

GridHierarchy::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : DynamicStateOf(memory) {
    const Box& e = config.extents;
    if (!are_legal_extents(e) || !(config.cell_size > 0) ||
        !(config.cell_size <= std::numeric_limits<float>::max())) {
        status = {Code::bad_config, are_legal_extents(e) ? Argument::cell_size : Argument::extents};
        return;
    }
    if (status = find_kernels(Isa::automatic, kernels_); !status) return;
    const double across = GridAxis::extent(e.min_x, e.max_x), up = GridAxis::extent(e.min_y, e.max_y);
    double side = config.cell_size;
    while (regions_in(across, side) * regions_in(up, side) > max_regions) side *= 1.25;
    width_ = static_cast<std::uint32_t>(regions_in(across, side));
    height_ = static_cast<std::uint32_t>(regions_in(up, side));
    columns_ = GridAxis::of_side(e.min_x, side, width_ * 64);
    rows_ = GridAxis::of_side(e.min_y, side, height_ * 64);
    // A little less than a cell, so an element overlaps at most the next cell, even with rounding.
    for (unsigned level = 0; level < world_level; ++level, side *= 8) limits_[level] = side * (1 - 0x1p-20);
    if (!world_.resize_exactly(std::size_t{width_} * height_) || !occupied_.resize(world_.size())) {
        status = {Code::out_of_memory};
        return;
    }
    std::fill(world_.begin(), world_.end(), none);
}

double GridHierarchy::State::extent(const Box& box) const noexcept {
    return std::max(GridAxis::extent(box.min_x, box.max_x), GridAxis::extent(box.min_y, box.max_y));
}

GridHierarchy::State::Place GridHierarchy::State::place(const Box& box) const noexcept {
    return {columns_.cell(box.min_x), rows_.cell(box.min_y), level_of(extent(box))};
}

void GridHierarchy::State::forget_lists() noexcept {
    regions_.for_each([](Index, Region& region) {
        region.occupied = region.listed = 0;
        region.list = none;
        std::fill_n(region.lists, 64, none);
    });
    sub_regions_.for_each([](Index, SubRegion& sub_region) {
        sub_region.occupied = 0;
        std::fill_n(sub_region.lists, 64, none);
    });
    occupied_.clear();
    world_list_ = none;
    std::fill_n(sizes_, world_level + 1, std::size_t{0});
    std::fill_n(reach_, world_level + 1, 0.0);
}

void GridHierarchy::State::clear() noexcept {
    forget_lists();
    clean_up();
    elements_.clear();
    regions_.clear();
    sub_regions_.clear();
}

std::size_t GridHierarchy::State::bytes_held() const noexcept {
    return elements_.bytes() + regions_.bytes() + sub_regions_.bytes() + world_.bytes() + occupied_.bytes() +
           row_.bytes() + row_above_.bytes() + pair_space_.bytes();
}

}  // namespace throng::structures
