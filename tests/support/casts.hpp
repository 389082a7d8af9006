// Casts that are awkward for the agents of a scene, and whether a frame answers them as brute force does,
// through every form of every call.
#pragma once

#include "support/test.hpp"

namespace throng::test {

// Rays from agent to agent, along edges and through corners, along the axes, across the world and far beyond
// it; boxes and circles that move, a lot, a little or not at all. All of them legal.
std::vector<Cast> casts_for(const Scene& scene, std::size_t count, std::uint64_t seed = 1);

// The answers of brute force to each cast with its filter.
struct ExpectedCasts {
    std::vector<Cast> casts;
    std::vector<Filter> filters;  // one for each, or none
    std::vector<std::vector<CastHit>> hits;

    Filters as_filters() const { return filters.empty() ? Filters() : Filters::of(filters); }
    Filter filter(std::size_t i) const { return filters.empty() ? Filter() : filters[i]; }
};
ExpectedCasts expect_casts(const oracle::BruteForceFrame& twin, std::vector<Cast> casts,
                           std::vector<Filter> filters = {});

// The same for agents and the elements of a static layer together.
ExpectedCasts expect_casts_of_both(const oracle::BruteForceFrame& agents,
                                   const oracle::BruteForceFrame& elements, std::vector<Cast> casts,
                                   std::vector<Filter> filters = {});

// Whether the batches, and every so many of the single calls, give these answers.
::testing::AssertionResult casts_agree(const Frame& frame, const ExpectedCasts& expected);
::testing::AssertionResult casts_agree(const WithStatic& both, const ExpectedCasts& expected);

}  // namespace throng::test
