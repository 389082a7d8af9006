#include "structures/tests/index_kinds.hpp"

#include <ostream>

#include "structures/tests/brute_index.hpp"
#include "structures/tests/index_adapter.hpp"
#include "structures/tests/object_index.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::structures::test {
namespace {

IndexKind brute_force() {
    IndexKind kind = kind_of<BruteIndex>("BruteIndex");
    kind.lists_parts = false;
    kind.uses_the_resource = false;
    kind.refuses_after_a_move = false;
    return kind;
}

template <SpatialIndex Index>
IndexKind kind_that_takes(const char* name, double bytes_in_a_crowd, std::size_t bytes_anywhere = 400) {
    IndexKind kind = kind_of<Index>(name);
    kind.max_bytes_in_a_crowd = bytes_in_a_crowd;
    kind.max_bytes_per_element = bytes_anywhere;
    return kind;
}

}  // namespace

std::vector<IndexKind> index_kinds() {
    return {brute_force(), kind_that_takes<UniformGrid>("UniformGrid", 20),
            kind_that_takes<LooseQuadtree>("LooseQuadtree", 40),
            kind_that_takes<StaticIndex>("StaticIndex", 25.2), kind_that_takes<RowGrid>("RowGrid", 48),
            kind_that_takes<Quadtree>("Quadtree", 36), kind_that_takes<LooseGrid>("LooseGrid", 45),
            kind_that_takes<ObjectIndex>("ObjectIndex", 130),
            // Each element may have a region to itself, in pools that have just grown, and `assign` makes the
            // new ones before it frees the old ones.
            kind_that_takes<GridHierarchy>("GridHierarchy", 48, 2600)};
}

std::vector<IndexKind> dynamic_index_kinds() {
    std::vector<IndexKind> kinds = index_kinds();
    std::erase_if(kinds, [](const IndexKind& kind) { return !kind.dynamic; });
    return kinds;
}

std::string name_of_kind(const ::testing::TestParamInfo<IndexKind>& kind) { return kind.param.name; }

void PrintTo(const IndexKind& kind, std::ostream* out) { *out << kind.name; }

}  // namespace throng::structures::test
