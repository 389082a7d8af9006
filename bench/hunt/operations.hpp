// What is timed or counted, and when.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "worlds/hunted/questions.hpp"

namespace throng::hunt {

enum class Operation : std::uint8_t {
    update,       // all boxes at once: Engine::update, or `assign` of a structure
    pairs,        // all overlapping pairs as a list
    count_pairs,  // how many there are
    small,        // a batch of the agents' own boxes, listed
    coherent,     // the same in an order in which neighbours follow each other
    small_count,  // the same counted
    wide,         // a batch of boxes a hundred times the area of a typical agent, listed
    wide_count,   // the same counted
    circles,      // a batch of circles of five typical agents across, listed
    segments,     // a batch of thin segments as long as twenty typical agents, listed
    single,       // agents' own boxes one by one
    first_edit,   // the first commit of one edit after an update
    one_edit,     // a commit of one edit; of some, the one that took longest
    many_edits,   // a commit of edits of 1 % of the agents
    moves,        // a structure: a move for every agent, and a clean-up
    memory,       // bytes an agent
    trials,       // trial moves that are accepted
    question,     // and those after it: worlds::questions, in their order
};
enum class Phase : std::uint8_t {
    first,    // the first frame
    changed,  // the second, in which the world has changed
    steady,   // frames after that; the worst of them
    edited,   // after commits of single edits
};

struct Named {
    const char* name;
    const char* what;
};
// In the order of the enumerations.
inline constexpr Named own_operations[] = {
    {"update", "all boxes at once"},
    {"pairs", "all pairs as a list"},
    {"count_pairs", "how many pairs there are"},
    {"small", "a batch of the agents' own boxes, in random order"},
    {"coherent", "the same in coherent order"},
    {"small_count", "the same counted"},
    {"wide", "a batch of boxes a hundred times the area of a typical agent"},
    {"wide_count", "the same counted"},
    {"circles", "a batch of circles that are five typical agents across"},
    {"segments", "a batch of thin segments as long as twenty typical agents, in all directions"},
    {"single", "agents' own boxes one by one"},
    {"first_edit", "the first commit of one edit after an update"},
    {"one_edit", "a commit of one edit"},
    {"many_edits", "a commit of edits of 1 % of the agents"},
    {"moves", "a move for every agent and a clean-up (structures only)"},
    {"memory", "bytes an agent"},
    {"trials", "trial moves that are accepted, one after the other, by the C library"},
};
inline constexpr auto operations = [] {
    std::array<Named, std::size(own_operations) + std::size(worlds::questions)> all{};
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (k < std::size(own_operations)) {
            all[k] = own_operations[k];
            continue;
        }
        const worlds::Question& question = worlds::questions[k - std::size(own_operations)];
        all[k] = {question.name, question.what};
    }
    return all;
}();
static_assert(std::size(own_operations) == static_cast<std::size_t>(Operation::question));
inline constexpr const char* phases[] = {"first", "changed", "steady", "edited"};
inline constexpr std::size_t operation_count = std::size(operations), phase_count = std::size(phases);

inline const char* name_of(Operation operation) {
    return operations[static_cast<std::size_t>(operation)].name;
}
inline const char* name_of(Phase phase) { return phases[static_cast<std::size_t>(phase)]; }

inline Operation operation_of(const worlds::Question& question) {
    return static_cast<Operation>(std::size(own_operations) +
                                  static_cast<std::size_t>(&question - worlds::questions));
}
inline bool is_question(Operation operation) { return operation >= Operation::question; }

inline std::optional<Operation> operation_of(std::string_view name) {
    for (std::size_t k = 0; k < operation_count; ++k)
        if (name == operations[k].name) return static_cast<Operation>(k);
    return std::nullopt;
}

// The same kind of query of the agents' own size, for one that is larger.
inline std::optional<Operation> smaller_query(Operation operation) {
    switch (operation) {
    case Operation::wide:
    case Operation::circles:
    case Operation::segments: return Operation::small;
    case Operation::wide_count: return Operation::small_count;
    default: return std::nullopt;
    }
}

// Whether its steps can be counted: by Frame::explain, or by kernels that count (tests/counting). Memory is
// counted in any case.
inline bool can_be_counted(Operation operation) {
    switch (operation) {
    case Operation::small:
    case Operation::wide:
    case Operation::circles:
    case Operation::segments:
    case Operation::memory: return true;
    default: return is_question(operation);
    }
}

}  // namespace throng::hunt
