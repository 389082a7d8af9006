// Splits the boxes of a bulk update: the legal boxes with their ids, and the ids of the others.
#pragma once

#include <cstddef>
#include <span>

#include "engine/src/base/box_check.hpp"
#include "engine/src/memory/scratch.hpp"
#include "throng/boxes.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class LegalAgents {
public:
    explicit LegalAgents(MemoryResource* memory) noexcept : boxes_(memory), ids_(memory), left_out_(memory) {}

    // Returns false if there is no memory.
    [[nodiscard]] bool gather(const Boxes& boxes) noexcept {
        boxes_.clear();
        ids_.clear();
        left_out_.clear();
        if (!reserve_amply(boxes_, boxes.size()) || !reserve_amply(ids_, boxes.size())) return false;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const auto id = static_cast<AgentId>(i);
            const Box box = boxes[i];
            if (check(box) != Code::ok) {
                if (!left_out_.push_back(id)) return false;
                continue;
            }
            (void)boxes_.push_back(box);
            (void)ids_.push_back(id);
        }
        return true;
    }
    std::size_t size() const noexcept { return boxes_.size(); }
    Boxes boxes() const noexcept { return Boxes::of({boxes_.data(), boxes_.size()}); }
    const AgentId* ids() const noexcept { return ids_.data(); }
    std::span<const AgentId> left_out() const noexcept { return {left_out_.data(), left_out_.size()}; }

    void give_back_excess(std::size_t agents) noexcept {
        release_excess(boxes_, agents);
        release_excess(ids_, agents);
        release_excess(left_out_, agents);
    }

private:
    Buffer<Box> boxes_;
    Buffer<AgentId> ids_, left_out_;
};

}  // namespace throng::detail
