// What a query costs as a count of steps, which is the same on every machine and needs no quiet one.
#pragma once

#include "throng/reports.hpp"

namespace throng::worlds {

// All that was looked at: agents, cells, rows, islands, and nodes of the tree of oversized agents.
inline double steps(const Explain& cost) noexcept {
    return static_cast<double>(cost.tested + cost.covered + cost.cells + cost.rows + cost.islands +
                               cost.nodes);
}

// The same as a multiple of what a node takes: eight agents are compared at once, and to begin with a query,
// a row or an island takes as long as several nodes. Roughly what was measured (docs/decisions/README.md), so
// that what has many steps of this kind takes long, too.
inline double weighted_steps(const Explain& cost) noexcept {
    return 8 * static_cast<double>(cost.queries) + 4 * static_cast<double>(cost.rows) +
           8 * static_cast<double>(cost.islands) + static_cast<double>(cost.nodes) +
           static_cast<double>(cost.tested) / 8 + static_cast<double>(cost.covered) / 16;
}

}  // namespace throng::worlds
