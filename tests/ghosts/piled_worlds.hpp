// Worlds with ghosts in piles, as before the gate of the next tile.
#pragma once

#include "support/test.hpp"

namespace throng::test {

// Owned agents first.
struct Piled {
    std::string name;
    std::vector<Box> boxes;
    std::size_t owned = 0;
    std::vector<Label> labels{};
    std::vector<Band> heights{};
};

inline void add_crowd(std::vector<Box>& to, std::size_t count, Point from, float side, float half) {
    Random random(to.size() + 3);
    for (std::size_t i = 0; i < count; ++i)
        to.push_back(
            Box::around(from.x + random.uniform(0, side), from.y + random.uniform(0, side), half, half));
}

// Worlds of `n` agents, some of them owned.
inline std::vector<Piled> piled_worlds(std::size_t n) {
    std::vector<Piled> all;
    const float side = 1.2f * std::sqrt(static_cast<float>(n));
    const auto world = [&](const char* name, std::size_t owned, const auto& add_ghosts) {
        Piled next{.name = name, .boxes = {}, .owned = owned};
        add_crowd(next.boxes, owned, {0, 0}, side, 0.4f);
        add_ghosts(next.boxes);
        all.push_back(std::move(next));
    };
    world("at one place, beside a crowd", n * 3 / 4, [&](auto& boxes) {
        add_crowd(boxes, n / 4, {side + 5, 5}, 0, 0.4f);
    });
    world("at one place, amid a crowd", n / 2, [&](auto& boxes) {
        add_crowd(boxes, n / 2, {side / 2, side / 2}, 0, 0.4f);
    });
    world("dense", n / 20, [&](auto& boxes) { add_crowd(boxes, n, {side / 2, 0}, side / 8, 0.4f); });
    world("in many piles", n / 4, [&](auto& boxes) {
        for (std::size_t k = 0; k < 10; ++k)
            add_crowd(boxes, n / 10, {side * 0.1f * static_cast<float>(k), side / 3}, 0.01f, 0.4f);
    });
    world("large ones", n / 2, [&](auto& boxes) {
        add_crowd(boxes, n / 4, {side / 2, side / 2}, 1, side / 6);
    });
    world("on islands", n / 4, [&](auto& boxes) {
        for (std::size_t k = 0; k < 4; ++k)
            add_crowd(boxes, n / 4, {1e5f * static_cast<float>(k), 3e4f}, side / 40, 0.4f);
    });
    // Of four storeys, teams and categories.
    Piled labelled = all[1];
    labelled.name += ", with labels and heights";
    for (std::size_t i = 0; i < labelled.boxes.size(); ++i) {
        labelled.labels.push_back({1u << i % 3, static_cast<std::uint32_t>(i % 5)});
        const auto floor = static_cast<float>(i % 4);
        labelled.heights.push_back({3 * floor, 3 * floor + 2});
    }
    all.push_back(std::move(labelled));
    return all;
}

Status update(auto& engine, const Piled& world) {
    UpdateOptions options{.owned = world.owned};
    if (!world.labels.empty()) options.labels = world.labels;
    if (!world.heights.empty()) options.heights = world.heights;
    return engine.update(world.boxes, options);
}

}  // namespace throng::test
