// The table that the demo ends with.
#pragma once

#include <string>
#include <vector>

#include "examples/demo/options.hpp"
#include "examples/demo/simulation.hpp"

namespace throng::demo {

// What was run, in a line: agents, scenario, threads, instruction set.
std::string headline(const Options& options, const Result& result);

// The frames that statistics are taken from: all but the first few, if there are more.
std::vector<double> settled(const std::vector<double>& times);

void print_report(const Options& options, const Result& result, const std::vector<std::string>& pictures);

}  // namespace throng::demo
