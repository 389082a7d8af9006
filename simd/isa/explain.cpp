// The search that only counts, for the lowest instruction set.
#include "simd/isa/lowest.hpp"

#include "simd/kernels/search/queries.hpp"
#include "simd/kernels/search/takers.hpp"
#include "simd/kernels/shapes/shape_queries.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

namespace {

// A taker that takes nothing, and counts what the search looks at.
class CostTaker {
public:
    explicit CostTaker(QueryCost& sum) : sum_(sum) {}

    template <bool cut, class P, class A>
    bool test(const P&, const A&, std::uint32_t begin, std::uint32_t end) {
        const std::uint32_t agents = begin < end ? end - begin : 0;
        sum_.tested += agents;
        if (in_tree_) sum_.oversized += agents;
        return true;
    }
    template <class A>
    bool take(const A&, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
        sum_.covered += end - begin;
        return true;
    }

    // A row may be looked at in several parts, one after the other.
    void sees_row(const Row& row, std::uint32_t columns) {
        sum_.rows += &row != row_;
        sum_.cells += columns;
        row_ = &row;
    }
    void sees_island() { ++sum_.islands; }
    void sees_tiles(std::uint64_t count) { sum_.islands += count; }
    void sees_chunks(std::uint64_t count) { sum_.tested += count * gap; }
    // The tree comes last.
    void sees_node() {
        ++sum_.nodes;
        in_tree_ = true;
    }

private:
    QueryCost& sum_;
    const Row* row_ = nullptr;
    bool in_tree_ = false;
};

static_assert(Observer<CostTaker>);

}  // namespace

void add_cost(const View& view, const Query& query, const LabelFilters& filters, QueryCost& sum) noexcept {
    using Admit = Admission<Lowest>::AnyAdmission;
    CostTaker taker(sum);
    const auto reach = Vectors<Lowest>::Locator(view).reach(query);
    Search<Lowest, BoxShape<Lowest>, Admit, CostTaker>::search(view, reach, query,
                                                               Admit::filter(view, filters, 0), taker);
}
void add_cost(const View& view, const ShapeQuery& query, const LabelFilters& filters,
              QueryCost& sum) noexcept {
    CostTaker taker(sum);
    ShapeQueries<Lowest>::search(view, query, Admission<Lowest>::AnyAdmission::filter(view, filters, 0),
                                 taker);
}

}  // namespace throng::simd
