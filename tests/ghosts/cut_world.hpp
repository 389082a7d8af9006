// A world that is cut into parts by hand. Each part has an engine with the agents whose centres are in its
// strip, and behind them copies of the agents within a reach of the strip.
#pragma once

#include "support/test.hpp"

namespace throng::test {

// The host's ids may be its own in each part, from 0, or those of the whole world.
enum class PartIds { own, of_the_world };

class CutWorld {
public:
    CutWorld(std::size_t parts, PartIds ids, const EngineConfig& config = {}) : ids_(ids) {
        for (std::size_t p = 0; p < parts; ++p) parts_.emplace_back(config);
    }

    // Borders are so wide that each part has all agents within `reach` of the box of any of its agents.
    void update(const std::vector<Box>& agents, float reach) {
        float low = std::numeric_limits<float>::infinity(), high = -low, widest = 0;
        for (const Box& box : agents) {
            low = std::min(low, centre(box));
            high = std::max(high, centre(box));
            widest = std::max(widest, box.max_x - box.min_x);
        }
        const float strip = (high - low) / static_cast<float>(parts_.size()),
                    border = 1.01f * (reach + widest);
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            Part& part = parts_[p];
            const float left = low + strip * static_cast<float>(p), right = left + strip;
            const bool is_first = p == 0, is_last = p + 1 == parts_.size();
            part.world_ids.clear();
            std::vector<AgentId> ghosts;
            for (AgentId id = 0; id < agents.size(); ++id) {
                const float x = centre(agents[id]);
                if ((is_first || x >= left) && (is_last || x < right))
                    part.world_ids.push_back(id);
                else if (x >= left - border && x <= right + border)
                    ghosts.push_back(id);
            }
            part.owned = part.world_ids.size();
            part.world_ids.insert(part.world_ids.end(), ghosts.begin(), ghosts.end());
            std::vector<Box> boxes;
            for (const AgentId id : part.world_ids) boxes.push_back(agents[id]);
            const UpdateOptions options{.owned = part.owned};
            const Status status = ids_ == PartIds::own ? part.engine.update(boxes, options)
                                                       : part.engine.update(part.world_ids, boxes, options);
            ASSERT_EQ(status, Status{});
            ASSERT_EQ(part.engine.frame().ghost_count(), ghosts.size());
        }
    }

    std::size_t parts() const { return parts_.size(); }
    Frame frame(std::size_t part) const { return parts_[part].engine.frame(); }
    // The id in the whole world of an agent of a part, and the other way round for the n-th owned one.
    AgentId in_world(std::size_t part, AgentId id) const {
        return ids_ == PartIds::own ? parts_[part].world_ids[id] : id;
    }
    std::span<const AgentId> owned(std::size_t part) const {
        return std::span(parts_[part].world_ids).first(parts_[part].owned);
    }
    AgentId in_part(std::size_t part, std::size_t n) const {
        return ids_ == PartIds::own ? static_cast<AgentId>(n) : parts_[part].world_ids[n];
    }

private:
    struct Part {
        explicit Part(const EngineConfig& config) : engine(config) {}
        Engine engine;
        std::vector<AgentId> world_ids;  // first those of owned agents
        std::size_t owned = 0;
    };
    static float centre(const Box& box) { return box.min_x / 2 + box.max_x / 2; }

    const PartIds ids_;
    std::vector<Part> parts_;
};

}  // namespace throng::test
