// Worlds of boxes that are nearly as wide as the floats, or wider than the largest float.
#pragma once

#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "throng/geometry.hpp"

namespace throng::test {

inline constexpr float largest_float = std::numeric_limits<float>::max();

struct WidestWorld {
    const char* name;
    std::vector<Box> boxes;
};

inline std::vector<WidestWorld> widest_worlds(std::size_t count) {
    constexpr float far = 3e38f;
    std::vector<WidestWorld> all = {
        {"wide and flat", {}},   {"tall and thin", {}},        {"a cross of both", {}},
        {"larger than all", {}}, {"points everywhere", {}},    {"among a crowd", {}},
        {"flat and finite", {}}, {"both corners at once", {}}, {"wide, on one line", {}}};
    std::mt19937 random(11);
    const auto anywhere = [&] { return (static_cast<float>(random() % 20001) / 10000 - 1) * far; };
    for (std::size_t i = 0; i < count; ++i) {
        const auto n = static_cast<float>(i);
        all[0].boxes.push_back({-far, n, far, n});
        all[1].boxes.push_back({n, -far, n, far});
        all[2].boxes.push_back(i % 2 == 0 ? all[0].boxes.back() : all[1].boxes.back());
        all[3].boxes.push_back({-largest_float, -largest_float, largest_float, largest_float});
        const float x = anywhere(), y = anywhere();
        all[4].boxes.push_back({x, y, x, y});
        all[5].boxes.push_back(i % 8 == 0 ? all[i / 8 % 3].boxes.back() : Box::around(n, n, 1, 1));
        all[6].boxes.push_back({-1e38f, n, 1e38f, n});
        all[7].boxes.push_back(i % 2 == 0 ? Box{-largest_float, -largest_float, -far, -far}
                                          : Box{far, far, largest_float, largest_float});
        all[8].boxes.push_back({-far, 5, far, 5});
    }
    return all;
}

inline std::vector<Box> queries_of(const WidestWorld& world) {
    constexpr float far = 3e38f;
    std::vector<Box> queries = {{-largest_float, -largest_float, largest_float, largest_float},
                                {0, 0, 1, 1},
                                {far, far, largest_float, largest_float},
                                {-largest_float, 3, largest_float, 3},
                                {3, -largest_float, 3, largest_float}};
    for (std::size_t i = 0; i < world.boxes.size(); i += 7) queries.push_back(world.boxes[i]);
    return queries;
}

}  // namespace throng::test
