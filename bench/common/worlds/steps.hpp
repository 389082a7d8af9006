// What a query costs as a count of steps, which is the same on every machine and needs no quiet one.
#pragma once

#include "throng/reports.hpp"

namespace throng::worlds {

// All that was looked at: agents, cells, rows, islands, and nodes of the tree of oversized agents.
inline double steps(const Explain& cost) noexcept {
    return static_cast<double>(cost.tested + cost.covered + cost.cells + cost.rows + cost.islands +
                               cost.nodes);
}

}  // namespace throng::worlds
