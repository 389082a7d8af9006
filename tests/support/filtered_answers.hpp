// Filters for queries, and whether a frame answers them as brute force does.
#pragma once

#include "harness/agreement.hpp"
#include "support/test.hpp"

namespace throng::test {

// Labels of all sorts: the default one, several categories, none, one that is rare, and six groups.
Label random_label(Random& random);
std::vector<Label> random_labels(Random& random, std::size_t count);
Band random_band(Random& random);
std::vector<Band> random_bands(Random& random, std::size_t count);
// Filters likewise: all agents, none, some categories, all but oneself, and other groups only.
Filter random_filter(Random& random, std::size_t agents);

// All kinds of queries for pairs; those with a distance come last.
std::vector<PairQuery> all_pair_queries();

// One filter for each query.
struct FilteredQueries {
    std::vector<Box> queries;
    std::vector<Filter> filters;
};
FilteredQueries random_filters(Random& random, std::size_t agents, std::vector<Box> queries);

// Whether every form finds what brute force does, in the order in which the agents come without a filter.
::testing::AssertionResult filters_agree(const Frame& frame, const oracle::BruteForceFrame& twin,
                                         const FilteredQueries& asked);
// The pairs that brute force finds, with each filter. Where all agents are close together, distances only
// make the lists longer.
Expectation expect_filtered_pairs(const oracle::BruteForceFrame& twin, bool with_distances = true);

}  // namespace throng::test
