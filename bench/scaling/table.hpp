// The tables that throng-scaling writes, read again.
#pragma once

#include <string>
#include <vector>

#include "bench/scaling/measure.hpp"

namespace throng::bench {

struct Table {
    std::string machine;  // CPU, compiler and instruction set, as the first row names them
    std::vector<Point> points;
};

// Of measured times, or of those that the model tells: these have no queries, and workers for threads. Both
// throw std::runtime_error, with the line, if the file cannot be read as such a table.
Table read_table(const std::string& path);
Table read_model(const std::string& path);

}  // namespace throng::bench
