#include "structures/src/quadtree/state.hpp"

#include <algorithm>
#include <limits>

#include "structures/src/quadtree/cells.hpp"
#include "throng/memory.hpp"

namespace throng::structures {

using namespace detail;

namespace {

double longer_side(const Box& extents) noexcept {
    return std::max(double{extents.max_x} - extents.min_x, double{extents.max_y} - extents.min_y);
}

}  // namespace

bool detail::quad_is_legal(const Quadtree::Config& config) noexcept {
    return config.max_depth <= Quadtree::depth_limit && config.leaf_limit != 0 &&
           are_legal_extents(config.extents);
}

QuadGrid detail::quad_grid(const Quadtree::Config& config) noexcept {
    const double cells = double(1u << config.max_depth), side = longer_side(config.extents);
    // Neither infinite nor zero, whatever the extents: otherwise all coordinates would fall together.
    const double cells_a_unit =
        std::clamp(side > 0 ? cells / side : 1.0, double{std::numeric_limits<float>::min()},
                   double{std::numeric_limits<float>::max()});
    return {config.extents.min_x, config.extents.min_y, static_cast<float>(cells_a_unit),
            static_cast<float>(cells - 1), config.max_depth};
}

Quadtree::Config Quadtree::recommended(const Expected& expected) noexcept {
    Config config{.extents = expected.extents, .max_depth = 0};
    double cell = longer_side(expected.extents);
    const double typical = expected.typical_size;
    while (config.max_depth < depth_limit && cell > 2 * typical) {
        cell /= 2;
        ++config.max_depth;
    }
    return config;
}

Quadtree::Quadtree(const Config& config, MemoryResource* memory) noexcept
    : DynamicStructure(make_state<State>(config, memory)) {}

Quadtree::Config Quadtree::config() const noexcept { return status().ok() ? own<State>().config_ : Config{}; }

bool Quadtree::clean_up(std::size_t budget) noexcept {
    return !status().ok() || own<State>().clean_up(budget);
}

Quadtree::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : DynamicStateOf(memory), config_(config) {
    if (quad_is_legal(config))
        grid_ = quad_grid(config);
    else
        status = {Code::bad_config, are_legal_extents(config.extents) ? Argument::counts : Argument::extents};
}

void Quadtree::State::clear() noexcept {
    elements_.clear();
    element_nodes_.clear();
    nodes_.clear();
    free_element_node_ = free_children_ = none;
    used_element_nodes_ = 0;
    clean_up_at_ = 0;
    moved_ = false;
}

std::size_t Quadtree::State::bytes_held() const noexcept {
    return elements_.bytes() + element_nodes_.bytes() + nodes_.bytes() + buckets_.bytes() +
           crossing_.bytes() + visitors_.bytes() + crowd_.bytes();
}

}  // namespace throng::structures
