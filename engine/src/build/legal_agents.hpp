// Splits the boxes of a bulk update: the legal boxes with their ids, and the ids of the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/box_check.hpp"
#include "engine/src/build/agent_list.hpp"
#include "engine/src/memory/growth.hpp"
#include "throng/boxes.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class LegalAgents {
public:
    explicit LegalAgents(MemoryResource* memory) noexcept
        : boxes_(memory), ids_(memory), left_out_(memory), labels_(memory) {}

    // Returns false if there is no memory.
    [[nodiscard]] bool gather(const AgentList& all) noexcept {
        boxes_.clear();
        ids_.clear();
        left_out_.clear();
        labels_.clear();
        const std::size_t count = all.boxes.size(), labels = all.labels_are_by_id ? 0 : all.labels.size();
        if (!reserve_amply(boxes_, count) || !reserve_amply(ids_, count) || !labels_.reserve(labels))
            return false;
        for (std::size_t i = 0; i < count; ++i) {
            const AgentId id = all.ids == nullptr ? static_cast<AgentId>(i) : all.ids[i];
            const Box box = all.boxes[i];
            if (check(box) != Code::ok) {
                if (!left_out_.push_back(id)) return false;
                continue;
            }
            (void)boxes_.push_back(box);
            (void)ids_.push_back(id);
            if (labels != 0) (void)labels_.push_back(all.labels[i]);
        }
        if (!all.ids_ascend) std::sort(left_out_.begin(), left_out_.end());
        list_ = all;
        list_.boxes = Boxes::of({boxes_.data(), boxes_.size()});
        list_.ids = ids_.data();
        if (labels != 0) list_.labels = Labels::of({labels_.data(), labels_.size()});
        return true;
    }
    std::size_t size() const noexcept { return boxes_.size(); }
    const AgentList& list() const noexcept { return list_; }
    std::span<const AgentId> ids() const noexcept { return {ids_.data(), ids_.size()}; }
    // Ascending.
    std::span<const AgentId> left_out() const noexcept { return {left_out_.data(), left_out_.size()}; }

    void give_back_excess(std::size_t agents) noexcept {
        release_excess(boxes_, agents);
        release_excess(ids_, agents);
        release_excess(left_out_, agents);
        release_excess(labels_, agents);
    }

private:
    Buffer<Box> boxes_;
    Buffer<AgentId> ids_, left_out_;
    Buffer<Label> labels_;
    AgentList list_;
};

}  // namespace throng::detail
