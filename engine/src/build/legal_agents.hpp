// Splits the agents of a bulk update: the legal ones with their ids, and the ids of the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/legal.hpp"
#include "engine/src/build/agent_list.hpp"
#include "engine/src/memory/growth.hpp"
#include "throng/boxes.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class LegalAgents {
public:
    explicit LegalAgents(ScratchList& scratch) noexcept
        : boxes_(scratch), ids_(scratch), left_out_(scratch), traits_(scratch) {}

    // Returns false if there is no memory.
    [[nodiscard]] bool gather(const AgentList& all) noexcept {
        boxes_.clear();
        ids_.clear();
        left_out_.clear();
        traits_.clear();
        const simd::Extras extras = all.extras();
        const std::size_t count = all.boxes.size(),
                          traits = all.traits_are_by_id || !has_labels(extras) ? 0 : count;
        if (!reserve_amply(boxes_, count) || !reserve_amply(ids_, count) || !traits_.reserve(traits))
            return false;
        for (std::size_t i = 0; i < count; ++i) {
            const AgentId id = all.ids == nullptr ? static_cast<AgentId>(i) : all.ids[i];
            const Box box = all.boxes[i];
            if (check(box) != Code::ok || check(all.heights[all.traits_are_by_id ? id : i]) != Code::ok) {
                if (!left_out_.push_back(id)) return false;
                continue;
            }
            (void)boxes_.push_back(box);
            (void)ids_.push_back(id);
            if (traits != 0) (void)traits_.push_back(all.traits(i));
        }
        if (!all.ids_ascend) std::sort(left_out_.begin(), left_out_.end());
        list_ = all;
        list_.boxes = Boxes::of({boxes_.data(), boxes_.size()});
        list_.ids = ids_.data();
        if (traits != 0) list_.set_traits(traits_.data(), traits_.size(), extras);
        return true;
    }
    std::size_t size() const noexcept { return boxes_.size(); }
    const AgentList& list() const noexcept { return list_; }
    std::span<const AgentId> ids() const noexcept { return {ids_.data(), ids_.size()}; }
    // Ascending.
    std::span<const AgentId> left_out() const noexcept { return {left_out_.data(), left_out_.size()}; }

private:
    Scratch<Box> boxes_;
    Scratch<AgentId> ids_, left_out_;
    Scratch<Traits> traits_;
    AgentList list_;
};

}  // namespace throng::detail
