#include "bench/compare/registry.hpp"

#include "bench/compare/structure_index.hpp"
#include "throng/structures/row_grid.hpp"

namespace throng::bench {

std::unique_ptr<Index> make_engine_index(const Setup& setup);
std::unique_ptr<Index> make_loop_index(const Setup& setup);
std::unique_ptr<Index> make_brute_index(const Setup& setup);
std::unique_ptr<Index> make_row_grid_on_threads(const Setup& setup);
std::unique_ptr<Index> make_row_grid_by_rows(const Setup& setup);
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
    {.name = "row_grid",
     .what = "a uniform grid whose rows own their memory",
     .make = make_structure<RowGrid>},
    {.name = "row_grid.moves",
     .what = "the same, moved agent by agent",
     .make = make_structure<RowGrid, Updating::by_move>},
    {.name = "row_grid.threads",
     .what = "the same, made anew on all threads",
     .make = make_row_grid_on_threads},
    {.name = "row_grid.rows",
     .what = "the same, each row moving its own agents, on all threads",
     .make = make_row_grid_by_rows},
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
