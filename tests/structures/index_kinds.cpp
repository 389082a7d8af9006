#include "structures/index_kinds.hpp"

#include <ostream>

#include "bench/common/object_index.hpp"
#include "oracle/brute_index.hpp"
#include "structures/index_adapter.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::test {
namespace {

IndexKind brute_force() {
    IndexKind kind = kind_of<oracle::BruteIndex>("BruteIndex");
    kind.lists_parts = false;
    kind.uses_the_resource = false;
    kind.refuses_after_a_move = false;
    return kind;
}

// Each element may have a region to itself, in pools that have just grown, and assign makes the new ones
// before the old ones go.
IndexKind grid_hierarchy() {
    IndexKind kind = kind_of<GridHierarchy>("GridHierarchy");
    kind.max_bytes_per_element = 2600;
    return kind;
}

}  // namespace

std::vector<IndexKind> index_kinds() {
    return {brute_force(),
            kind_of<UniformGrid>("UniformGrid"),
            kind_of<LooseQuadtree>("LooseQuadtree"),
            kind_of<StaticIndex>("StaticIndex"),
            kind_of<RowGrid>("RowGrid"),
            kind_of<Quadtree>("Quadtree"),
            kind_of<LooseGrid>("LooseGrid"),
            kind_of<bench::ObjectIndex>("ObjectIndex"),
            grid_hierarchy()};
}

std::vector<IndexKind> dynamic_index_kinds() {
    std::vector<IndexKind> kinds = index_kinds();
    std::erase_if(kinds, [](const IndexKind& kind) { return !kind.dynamic; });
    return kinds;
}

std::string name_of_kind(const ::testing::TestParamInfo<IndexKind>& kind) { return kind.param.name; }

void PrintTo(const IndexKind& kind, std::ostream* out) { *out << kind.name; }

}  // namespace throng::test
