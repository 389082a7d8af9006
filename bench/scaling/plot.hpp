// The picture of a scaling study: frame time against threads, and against agents.
#pragma once

#include <string>
#include <vector>

#include "bench/scaling/measure.hpp"

namespace throng::bench {

// Throws std::runtime_error if the file cannot be written.
void plot(const std::vector<Point>& points, const std::string& subtitle, const std::string& path);

}  // namespace throng::bench
