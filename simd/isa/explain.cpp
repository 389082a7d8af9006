// The search that only counts, for the lowest instruction set.
#if defined(__aarch64__)
#include "simd/isa/neon64.hpp"
#else
#include "simd/isa/sse2.hpp"
#endif

#include "simd/explain.hpp"
#include "simd/kernels/search/cost.hpp"

namespace throng::simd {

namespace {

#if defined(__aarch64__)
using Lowest = Neon64;
#else
using Lowest = Sse2;
#endif

}  // namespace

void add_cost(const View& view, const Query& query, const LabelFilters& filters, QueryCost& sum) noexcept {
    Costs<Lowest>::add(view, query, filters, sum);
}
void add_cost(const View& view, const ShapeQuery& query, const LabelFilters& filters,
              QueryCost& sum) noexcept {
    Costs<Lowest>::add(view, query, filters, sum);
}

}  // namespace throng::simd
