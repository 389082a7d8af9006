// Worlds whose cells, given by the host, have far more agents than those of a grid that the engine chooses.
#pragma once

#include "support/test.hpp"
#include "worlds/scenes/crowded_boxes.hpp"

namespace throng::test {

struct OverfullWorld {
    std::string name;
    std::vector<Box> agents;
    EngineConfig config;
};

inline void append(std::vector<Box>& all, const std::vector<Box>& some, float x, float y, float scale) {
    for (const Box& b : some)
        all.push_back({x + b.min_x * scale, y + b.min_y * scale, x + b.max_x * scale, y + b.max_y * scale});
}

inline EngineConfig cells_of(float width, float height, float common) {
    return {.executor = serial_executor(), .cell_width = width, .row_height = height, .common_size = common};
}

inline std::vector<OverfullWorld> overfull_worlds() {
    const std::size_t count = scaled(1500, 1300);
    std::vector<OverfullWorld> worlds;
    for (const CrowdedBoxes& kind : crowded_boxes) {
        // In one cell, and over the borders of rows and cells; in cells of the agents' size and smaller.
        OverfullWorld one{std::string(kind.name) + " in a cell", {}, cells_of(4, 4, 1)};
        append(one.agents, kind.make(count), 0.5f, 0.5f, 1);
        one.agents.push_back({-9, -9, -9, -9});
        OverfullWorld some{std::string(kind.name) + " over rows", {}, cells_of(0.3f, 0.4f, 1)};
        append(some.agents, kind.make(count), -0.05f, 0.17f, 1);
        append(some.agents, kind.make(count / 2, 2), 0.6f, 0.3f, 0.7f);
        OverfullWorld thousands{std::string(kind.name) + " in one column", {}, cells_of(2, 0.25f, 1)};
        append(thousands.agents, kind.make(count), 0, 0, 1);
        worlds.insert(worlds.end(), {one, some, thousands});
    }
    OverfullWorld pile{"a pile beside slivers", {}, cells_of(4, 2, 2)};
    append(pile.agents, crowded_boxes[0].make(count / 2), 0, 0.5f, 1);
    pile.agents.insert(pile.agents.end(), count / 4, Box{0.4f, 0.4f, 0.6f, 2.5f});
    append(pile.agents, crowded_boxes[1].make(count / 2), 0.3f, 1.8f, 1);
    OverfullWorld huge{"huge numbers", {}, {.executor = serial_executor()}};
    append(huge.agents, crowded_boxes[4].make(count), -3e38f, -3e38f, 3e38f);
    append(huge.agents, crowded_boxes[3].make(count / 2), 0, 0, 3.2e38f);
    OverfullWorld tiny{"subnormal numbers", {}, cells_of(1, 1, 1)};
    append(tiny.agents, crowded_boxes[4].make(count), -0.0f, -0.0f, 1e-41f);
    append(tiny.agents, crowded_boxes[3].make(count / 2), -3e-42f, -3e-42f, 1e-41f);
    worlds.insert(worlds.end(), {pile, huge, tiny});
    return worlds;
}

// Whether all calls went well.
inline bool all_ok(const std::vector<Status>& statuses) {
    for (const Status& status : statuses)
        if (!status.ok()) return false;
    return true;
}

}  // namespace throng::test
