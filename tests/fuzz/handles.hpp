// Agents by handle, for a transcript. The engine works by handle, and the twin does the same by id.
#pragma once

#include "fuzz/history.hpp"
#include "fuzz/transcript.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

class Handles {
public:
    template <class World>
    void play(World& world, const Operation& operation, Transcript& out) {
        if (!are_right(world, out)) return;
        const Boxes boxes = operation.boxes.view();
        const AgentId id = operation.ids.front();
        const bool removes = id % 4 == 3, labels = !operation.labels.empty();
        if (!removes && boxes.empty()) return;
        if (labels && id % 4 < 2) return insert(world, boxes[0], operation.labels[0], out);
        const auto edit = [&](AgentId agent) {
            if (removes) return world.remove(agent);
            return labels ? world.relabel(agent, operation.labels[0]) : world.move(agent, boxes[0]);
        };
        if constexpr (std::is_same_v<World, Engine>) {
            AgentHandle handle;
            const Status taken = world.handle(id, handle);
            if (!taken) return out.note("by handle", taken.code);
            keep(handle);
            out.note("by handle", edit(world.id(handle)).code);
            if (removes && !out.out_of_memory()) out.note("still current", world.id(handle) != no_agent);
        } else {
            if (!world.knows(id)) return out.note("by handle", Code::unknown_id);
            out.note("by handle", edit(id).code);
            if (removes) out.note("still current", 0);
        }
    }

private:
    template <class World>
    void insert(World& world, const Box& box, const Label& label, Transcript& out) {
        AgentHandle handle;
        const Status status = world.insert(box, handle.id, label);
        out.note("insert by handle", status.code);
        if (!status) return;
        out.note("its id", handle.id);
        if constexpr (std::is_same_v<World, Engine>)
            if (const Status taken = world.handle(handle.id, handle); !taken)
                return out.note("its handle", taken);
        keep(handle);
    }
    // A handle is current while its agent has the id, and only then is a new one the same.
    template <class World>
    bool are_right(World& world, Transcript& out) {
        std::size_t wrong = 0;
        if constexpr (std::is_same_v<World, Engine>)
            for (const AgentHandle& before : handles_) {
                AgentHandle now;
                const Status status = world.handle(before.id, now);
                if (status.code == Code::out_of_memory) {
                    out.note("handle", status);
                    return false;
                }
                wrong += (world.id(before) != no_agent) != (status && now == before);
            }
        out.note("handles that lie", wrong);
        return true;
    }
    void keep(const AgentHandle& handle) {
        if (handles_.size() < 64) handles_.push_back(handle);
    }

    std::vector<AgentHandle> handles_;
};

}  // namespace throng::fuzz
