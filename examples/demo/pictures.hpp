// The pictures that the demo leaves behind.
#pragma once

#include <string>

#include "examples/demo/options.hpp"
#include "examples/demo/simulation.hpp"

namespace throng::demo {

// The last frame: the whole world, and a window in which single agents and their touching neighbours can be
// seen.
void draw_crowd(const Options& options, const Result& result, const std::string& path);

// How long every frame took.
void draw_frame_times(const Options& options, const Result& result, const std::string& path);

}  // namespace throng::demo
