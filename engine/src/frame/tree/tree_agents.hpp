// All that a tree needs of some agents, each in one or two cache lines. In the arrays of a row an agent is
// five or more.
#pragma once

#include <cstddef>

#include "engine/src/memory/growth.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

struct TreeAgent {
    Box box;
    AgentId id;
    Label label;
};

// Without labels for a frame without them.
class TreeAgents {
public:
    explicit TreeAgents(MemoryResource* memory) noexcept : boxes_(memory), ids_(memory), labels_(memory) {}

    void clear(bool labelled) noexcept {
        boxes_.clear();
        ids_.clear();
        labels_.clear();
        labelled_ = labelled;
    }
    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        return reserve_amply(boxes_, count) && reserve_amply(ids_, count) &&
               (!labelled_ || reserve_amply(labels_, count));
    }
    // Those beyond the old size are to be set.
    [[nodiscard]] bool resize(std::size_t count) noexcept {
        return reserve(count) && boxes_.resize(count) && ids_.resize(count) &&
               (!labelled_ || labels_.resize(count));
    }
    [[nodiscard]] bool push_back(const TreeAgent& agent) noexcept {
        return boxes_.push_back(agent.box) && ids_.push_back(agent.id) &&
               (!labelled_ || labels_.push_back(agent.label));
    }
    void release_excess(std::size_t agents) noexcept {
        detail::release_excess(boxes_, agents);
        detail::release_excess(ids_, agents);
        detail::release_excess(labels_, agents);
    }

    std::size_t size() const noexcept { return ids_.size(); }
    Box& box(std::size_t k) noexcept { return boxes_[k]; }
    const Box& box(std::size_t k) const noexcept { return boxes_[k]; }
    AgentId& id(std::size_t k) noexcept { return ids_[k]; }
    AgentId id(std::size_t k) const noexcept { return ids_[k]; }
    // Of a list with labels.
    Label& label(std::size_t k) noexcept { return labels_[k]; }
    const Label& label(std::size_t k) const noexcept { return labels_[k]; }

private:
    Buffer<Box> boxes_;
    Buffer<AgentId> ids_;
    Buffer<Label> labels_;
    bool labelled_ = false;
};

}  // namespace throng::detail
