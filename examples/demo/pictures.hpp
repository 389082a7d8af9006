// The pictures that the demo leaves behind.
#pragma once

#include <string>
#include <vector>

#include "examples/demo/options.hpp"
#include "examples/demo/simulation.hpp"

namespace throng::demo {

// Draws all of them, and says where they are.
std::vector<std::string> draw_pictures(const Options& options, const Result& result);

// The last frame: the whole world, and a window in which single agents and their touching neighbours can be
// seen.
void draw_crowd(const Options& options, const Result& result, const std::string& path);

// How long every frame took.
void draw_frame_times(const Options& options, const Result& result, const std::string& path);

}  // namespace throng::demo
