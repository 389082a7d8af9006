#include <cstdint>

#include "base/kernels.hpp"
#include "structures/src/static_index/state.hpp"
#include "throng/memory.hpp"

namespace throng::structures {

using namespace detail;

StaticIndex::StaticIndex(const Config& config, MemoryResource* memory) noexcept
    : Structure(make_state<State>(config, memory)) {}

Isa StaticIndex::isa() const noexcept { return status().ok() ? own<State>().kernels_->isa : Isa::automatic; }
Count StaticIndex::count(const Box& box) const noexcept {
    return status().ok() ? own<State>().count(box) : Count{status()};
}
Found StaticIndex::any(const Box& box) const noexcept {
    return status().ok() ? own<State>().any(box) : Found{status()};
}

StaticIndex::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : StateOf(memory), block_(memory) {
    status = find_kernels(config.isa, kernels_);
}

Box StaticIndex::State::box_of(ElementId id) const noexcept {
    const std::uint32_t place = set().places[id];
    return lane_box(set().tree.levels[0][place / simd::block_lanes], place % simd::block_lanes);
}

}  // namespace throng::structures
