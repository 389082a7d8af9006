#include "bench/compare/registry.hpp"

#include "bench/compare/structure_index.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::bench {

std::unique_ptr<Index> make_engine_index(const Setup& setup);
std::unique_ptr<Index> make_loop_index(const Setup& setup);
std::unique_ptr<Index> make_brute_index(const Setup& setup);
std::unique_ptr<Index> make_embree_refit_index(const Setup& setup);
std::unique_ptr<Index> make_embree_rebuild_index(const Setup& setup);

namespace {

// Any of engine/include/throng/structures: made anew in every frame, or moved agent by agent.
template <class Structure, Updating updating = Updating::anew>
[[maybe_unused]] std::unique_ptr<Index> make_structure(const Setup& setup) {
    return std::make_unique<StructureIndex<Structure, updating>>(setup);
}

const Entry entries[] = {
    {.name = "engine", .what = "the Throng engine, through its public interface", .make = make_engine_index},
    {.name = "loop",
     .what = "plain loops over packed arrays, as written by hand for a tiny world",
     .make = make_loop_index,
     .most_agents = 50'000},
    {.name = "uniform_grid",
     .what = "a grid of points that are all taken for the largest",
     .make = make_structure<UniformGrid>},
    {.name = "uniform_grid.moves",
     .what = "the same, each agent moved",
     .make = make_structure<UniformGrid, Updating::by_move>},
    {.name = "loose_quadtree",
     .what = "the loose quadtree, made anew every frame",
     .make = make_structure<LooseQuadtree>},
    {.name = "loose_quadtree.moves",
     .what = "the loose quadtree, moved agent by agent and cleaned up",
     .make = make_structure<LooseQuadtree, Updating::by_move>},
    {.name = "static",
     .what = "StaticIndex: a packed hierarchy of boxes, built at once",
     .make = make_structure<StaticIndex>},
    {.name = "row_grid",
     .what = "a uniform grid whose rows own their memory",
     .make = make_structure<RowGrid>},
    {.name = "row_grid.moves",
     .what = "the same, moved agent by agent",
     .make = make_structure<RowGrid, Updating::by_move>},
    {.name = "quadtree", .what = "the quadtree, made anew in every frame", .make = make_structure<Quadtree>},
    {.name = "quadtree.moves",
     .what = "the quadtree, in which every agent is moved",
     .make = make_structure<Quadtree, Updating::by_move>},
    {.name = "loose_grid",
     .what = "the loose/tight double grid, made anew every frame",
     .make = make_structure<LooseGrid>},
    {.name = "loose_grid.moves",
     .what = "the loose/tight double grid, moved agent by agent",
     .make = make_structure<LooseGrid, Updating::by_move>},
#ifdef THRONG_BENCH_EMBREE
    {.name = "embree.refit",
     .what = "Embree's hierarchy of boxes, refitted every frame",
     .make = make_embree_refit_index},
    {.name = "embree.rebuild",
     .what = "Embree's hierarchy of boxes, built anew every frame",
     .make = make_embree_rebuild_index},
#endif
#ifdef THRONG_BENCH_ORACLE
    {.name = "brute",
     .what = "brute force, the tests' oracle",
     .make = make_brute_index,
     .most_agents = 50'000},
#endif
};

}  // namespace

std::span<const Entry> registry() { return entries; }

const Entry* find_index(const std::string& name) {
    for (const Entry& entry : entries)
        if (name == entry.name) return &entry;
    return nullptr;
}

}  // namespace throng::bench
