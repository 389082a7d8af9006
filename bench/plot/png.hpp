// Writes a canvas as a PNG file.
#pragma once

#include <string>

#include "bench/plot/canvas.hpp"

namespace throng::picture {

// Throws std::runtime_error, naming the file, if it cannot be written.
void write_png(const Canvas& canvas, const std::string& path);

}  // namespace throng::picture
