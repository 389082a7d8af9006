// Worlds with very many agents in one place.
#pragma once

#include "support/test.hpp"

namespace throng::test {

constexpr Box pile_box{3, 4, 4, 5};

struct PileWorld {
    const char* name;
    std::vector<Box> boxes;
};

// The order of ids is random, so that the ids of agents beside a pile are among those of the pile.
inline std::vector<PileWorld> pile_worlds(std::size_t count) {
    Random random(1);
    std::vector<PileWorld> worlds{{"one pile", std::vector<Box>(count, pile_box)},
                                  {"two piles far from each other", {}},
                                  {"a pile that is spread a little", {}},
                                  {"a pile with others in its cell", std::vector<Box>(count, pile_box)},
                                  {"a pile in a crowd", std::vector<Box>(count, pile_box)},
                                  {"a pile in a village among others", std::vector<Box>(count, pile_box)},
                                  {"a pile in a crowd under giants", std::vector<Box>(count, pile_box)}};
    for (std::size_t i = 0; i < count; ++i) {
        worlds[1].boxes.push_back(i % 2 == 0 ? pile_box : pile_box.moved(100, 0));
        worlds[2].boxes.push_back(pile_box.moved(random.uniform(0, 0.01f), random.uniform(0, 0.01f)));
    }
    for (int i = 0; i < 20; ++i) {
        worlds[3].boxes.push_back(pile_box.moved(0.01f * static_cast<float>(i), 0.7f));
        worlds[4].boxes.push_back({random.uniform(3, 3.01f), random.uniform(4, 4.01f), 4.5f, 4.5f});
    }
    for (int i = 0; i < 2000; ++i) {
        const float x = random.uniform(-30, 40), y = random.uniform(-30, 40);
        worlds[4].boxes.push_back(Box::around(x, y, 0.5f, 0.5f));
        worlds[6].boxes.push_back(Box::around(x, y, i % 100 == 0 ? 20.0f : 0.5f, 0.5f));
    }
    for (int i = 0; i < 6000; ++i)
        worlds[5].boxes.push_back(Box::around(static_cast<float>(i / 300) * 900 + random.uniform(-9, 9),
                                              random.uniform(-9, 9), 0.5f, 0.5f));
    for (PileWorld& world : worlds) shuffle(world.boxes, random);
    return worlds;
}

}  // namespace throng::test
