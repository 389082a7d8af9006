// What the hunt prints.
#pragma once

#include "bench/hunt/breeding.hpp"

namespace throng::hunt {

void print_progress(const Progress& progress);
// What was bred by counted steps.
void print_bred(const Hunt& hunt, const std::vector<Operation>& wanted, std::size_t top);
void print_finds(const Hunt& hunt, const std::vector<Operation>& wanted);
// The last line of a run: the ratio, the operation and the world.
void print_worst(const Find* worst);
// A world's ratios: a line for each operation, a column for each phase.
void print_table(const worlds::World& world, const Verdict& verdict, bool steps);

}  // namespace throng::hunt
