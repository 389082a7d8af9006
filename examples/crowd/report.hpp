// The table that a run ends with.
#pragma once

#include <string>
#include <vector>

#include "examples/crowd/options.hpp"
#include "examples/crowd/run.hpp"

namespace throng::crowd {

// What was run, in a line: agents, scenario, threads, instruction set.
std::string headline(const Options& options, const Result& result);

void print_report(const Options& options, const Result& result, const std::vector<std::string>& pictures);

}  // namespace throng::crowd
