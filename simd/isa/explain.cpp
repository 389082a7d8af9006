// The search that only counts, for the lowest instruction set.
#include "simd/isa/lowest.hpp"

#include "simd/kernels/search/cost.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

void add_cost(const View& view, const Query& query, const LabelFilters& filters, QueryCost& sum) noexcept {
    Costs<Lowest>::add(view, filters, query, sum);
}
void add_cost(const View& view, const ShapeQuery& query, const LabelFilters& filters,
              QueryCost& sum) noexcept {
    Costs<Lowest>::add(view, filters, query, sum);
}

}  // namespace throng::simd
