// The picture of a run: three moments side by side.
#pragma once

#include <string>

#include "examples/crowd/options.hpp"
#include "examples/crowd/run.hpp"

namespace throng::crowd {

// Draws it, and returns where it is. Throws std::runtime_error if it cannot be written.
std::string draw_picture(const Options& options, const Result& result);

}  // namespace throng::crowd
