// What cuts move of a crowd that gathers at one side, walks along it and then into the far corner.
#pragma once

#include <cstddef>

namespace throng::cluster_bench {

// Prints how many cuts there were, and which share of the agents went to another rank by each on average.
void print_drift(std::size_t agents, unsigned frames);

}  // namespace throng::cluster_bench
