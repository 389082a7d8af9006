// Filters for queries, and whether a frame answers them as brute force does, through every form of every
// call.
#pragma once

#include "support/test.hpp"

namespace throng::test {

// Labels of all sorts: the default one, several categories, none, one that is rare, and six groups.
Label random_label(Random& random);
std::vector<Label> random_labels(Random& random, std::size_t count);
// Filters likewise: all agents, none, some categories, without oneself, and other groups only.
Filter random_filter(Random& random, std::size_t agents);

// One filter for each query.
struct FilteredQueries {
    std::vector<Box> queries;
    std::vector<Filter> filters;
};
FilteredQueries random_filters(Random& random, std::size_t agents, std::vector<Box> queries);

// Whether every form gives what brute force does, in the order in which the agents come without a filter.
::testing::AssertionResult filters_agree(const Frame& frame, const oracle::BruteForceFrame& twin,
                                         const FilteredQueries& asked);
// The pairs that brute force finds, with a few filters. Where all agents are close together, distances only make the lists
// longer.
using FilteredPairs = std::vector<std::vector<Pair>>;
FilteredPairs expect_filtered_pairs(const oracle::BruteForceFrame& twin, bool with_distances = true);
::testing::AssertionResult pair_filters_agree(const Frame& frame, const FilteredPairs& expected);

// The answers one behind the other, in the frame's own order: queries, and pairs with a few filters.
struct FilteredAnswers {
    std::vector<AgentId> ids;
    std::vector<std::uint64_t> offsets;
    std::vector<Pair> pairs;
    friend bool operator==(const FilteredAnswers&, const FilteredAnswers&) = default;
};
FilteredAnswers ask_filtered(const Frame& frame, const FilteredQueries& asked);

}  // namespace throng::test
