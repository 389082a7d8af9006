// One structure over a scene, as a picture.
#pragma once

#include <string>
#include <vector>

#include "throng/structures/spatial_index.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::draw {

struct Drawing {
    std::string name, what;
    const workload::World* world = nullptr;
    std::vector<structures::Part> parts;
    std::vector<bool> refused;  // for each agent of the world
    std::size_t bytes = 0;
};

// The path ends in .png or .svg. Throws std::runtime_error if the file cannot be written.
void draw_structure(const Drawing& drawing, const std::string& path);

}  // namespace throng::draw
