// The configuration, and what is the same for all elements.
#include <algorithm>
#include <limits>

#include "structures/src/loose_quadtree/nodes.hpp"
#include "throng/memory.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr float largest_float = std::numeric_limits<float>::max();

bool legal(const LooseQuadtree::Config& config) {
    return are_legal_extents(config.extents) && config.max_depth >= 1 &&
           config.max_depth <= loose_max_depth && config.leaf_elements >= 1 && config.leaf_elements <= 1024;
}

// Half the longer side of the extents; the whole side may overflow.
float half_side(const Box& extents) {
    return std::max(extents.max_x / 2 - extents.min_x / 2, extents.max_y / 2 - extents.min_y / 2);
}

float scale_of(const LooseQuadtree::Config& config) {
    const float half = half_side(config.extents);
    return half > 0 ? std::min(static_cast<float>(1u << config.max_depth) / half, largest_float) : 0;
}

}  // namespace

// Cells of at least a quarter of the typical size, unless those are too few for the elements: a crowd may be
// denser than its extents suggest.
LooseQuadtree::Config LooseQuadtree::recommended(const Expected& expected) noexcept {
    Config config{.extents = expected.extents};
    const auto side = 2 * static_cast<double>(half_side(expected.extents));
    const double finest = static_cast<double>(expected.typical_size) / 4;
    std::uint32_t by_size = 0, by_count = 3;
    while (by_size < loose_max_depth && side > finest * static_cast<double>(1u << by_size)) ++by_size;
    while (by_count < loose_max_depth && (std::uint64_t{expected.elements} >> 2 * by_count) > 0) ++by_count;
    config.max_depth = std::clamp(std::max(by_size, by_count), 4u, loose_max_depth);
    return config;
}

LooseQuadtree::LooseQuadtree(const Config& config, MemoryResource* memory) noexcept
    : DynamicStructure(make_state<State>(config, memory)) {}

bool LooseQuadtree::clean_up(std::size_t budget) noexcept {
    return !status().ok() || own<State>().clean_up(budget);
}

LooseQuadtree::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : DynamicStateOf(memory),
      quads_(memory),
      elements_(memory),
      where_(memory),
      table_(memory),
      config_(config) {
    if (!legal(config)) {
        status = {Code::bad_config, are_legal_extents(config.extents) ? Argument::counts : Argument::extents};
        return;
    }
    half_left_ = config.extents.min_x / 2;
    half_low_ = config.extents.min_y / 2;
    scale_ = scale_of(config);
}

bool LooseQuadtree::State::has_cells_of_config() const noexcept {
    return legal(config_) && half_left_ == config_.extents.min_x / 2 &&
           half_low_ == config_.extents.min_y / 2 && scale_ == scale_of(config_);
}

void LooseQuadtree::State::clear() noexcept {
    quads_.clear();
    elements_.clear();
    where_.clear();
    table_.clear();
    loose_ = false;
    clean_up_at_ = 0;
}

Box LooseQuadtree::bounds() const noexcept { return status().ok() ? own<State>().bounds() : Box{}; }

Box LooseQuadtree::State::bounds() const noexcept { return quads_.empty() ? Box{} : bounds_of(quads_[0], 0); }

std::size_t LooseQuadtree::State::bytes_held() const noexcept {
    return quads_.bytes() + elements_.bytes() + where_.bytes() + table_.bytes();
}

}  // namespace throng::structures
