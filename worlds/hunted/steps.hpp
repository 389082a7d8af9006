// What a query costs as a count of steps, which is the same on every machine and needs no quiet machine.
#pragma once

#include <cstdint>

#include "throng/reports.hpp"
#include "worlds/hunted/questions.hpp"

namespace throng::worlds {

// All that was looked at: agents, cells, rows, islands, and nodes of the tree of oversized agents.
inline double steps(const Explain& cost) noexcept {
    return static_cast<double>(cost.tested + cost.covered + cost.cells + cost.rows + cost.islands +
                               cost.nodes);
}

// The same as a multiple of the cost of a node. Eight agents are compared at once; the start of a query, a
// row or an island takes as long as several nodes. Roughly as measured (docs/decisions/README.md): a query
// with many such steps also takes long.
inline double weighted_steps(const Explain& cost) noexcept {
    return 8 * static_cast<double>(cost.queries) + 4 * static_cast<double>(cost.rows) +
           8 * static_cast<double>(cost.islands) + static_cast<double>(cost.nodes) +
           static_cast<double>(cost.tested) / 8 + static_cast<double>(cost.covered) / 16;
}

// The same of a question, from the steps that kernels counted (tests/counting). To begin a cast takes as long
// as several of them, and so does its answer; a list has to be begun, and its answers written. Roughly as
// measured.
inline double weighted_steps(const Question& question, std::uint64_t counted, double asked,
                             double answers) noexcept {
    const auto steps = static_cast<double>(counted);
    if (question.is_cast()) return steps + 8 * asked + 2 * answers;
    return question.kind == Question::Kind::pairs ? steps : steps + (asked + answers) / 2;
}

}  // namespace throng::worlds
