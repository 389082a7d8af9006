// All that a tree needs of some agents, in one or two cache lines for each. In the arrays of a row it would
// be five or more.
#pragma once

#include <cstddef>

#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/traits.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

struct TreeAgent {
    Box box;
    AgentId id;
    Traits traits;
};

// Without traits for a frame without labels.
class TreeAgents {
public:
    explicit TreeAgents(MemoryResource* memory) noexcept : boxes_(memory), ids_(memory), traits_(memory) {}

    void clear(simd::Extras extras) noexcept {
        boxes_.clear();
        ids_.clear();
        traits_.clear();
        has_traits_ = has_labels(extras);
    }
    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        return reserve_amply(boxes_, count) && reserve_amply(ids_, count) &&
               (!has_traits_ || reserve_amply(traits_, count));
    }
    // Agents beyond the old size are to be set.
    [[nodiscard]] bool resize(std::size_t count) noexcept {
        return reserve(count) && boxes_.resize(count) && ids_.resize(count) &&
               (!has_traits_ || traits_.resize(count));
    }
    [[nodiscard]] bool push_back(const TreeAgent& agent) noexcept {
        return boxes_.push_back(agent.box) && ids_.push_back(agent.id) &&
               (!has_traits_ || traits_.push_back(agent.traits));
    }
    void release_excess(std::size_t agents) noexcept {
        detail::release_excess(boxes_, agents);
        detail::release_excess(ids_, agents);
        detail::release_excess(traits_, agents);
    }

    std::size_t size() const noexcept { return ids_.size(); }
    Box& box(std::size_t k) noexcept { return boxes_[k]; }
    const Box& box(std::size_t k) const noexcept { return boxes_[k]; }
    AgentId& id(std::size_t k) noexcept { return ids_[k]; }
    AgentId id(std::size_t k) const noexcept { return ids_[k]; }
    // For a list that has them.
    Traits& traits(std::size_t k) noexcept { return traits_[k]; }
    const Traits& traits(std::size_t k) const noexcept { return traits_[k]; }

private:
    Buffer<Box> boxes_;
    Buffer<AgentId> ids_;
    Buffer<Traits> traits_;
    bool has_traits_ = false;
};

}  // namespace throng::detail
