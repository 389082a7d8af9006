#include "bench/compare/registry.hpp"

#include <type_traits>

#include "bench/common/structure_list.hpp"
#include "bench/compare/by_hand/lanes.hpp"
#include "bench/compare/structure_index.hpp"
#include "simd/cpu.hpp"

namespace throng::bench {

std::unique_ptr<Index> make_engine_index(const Setup& setup);
std::unique_ptr<Index> make_engine_with_pairs(const Setup& setup);
std::unique_ptr<Index> make_arrays_index(const Setup& setup);
std::unique_ptr<Index> make_c_index(const Setup& setup);
std::unique_ptr<Index> make_loop_index(const Setup& setup);
std::unique_ptr<Index> make_brute_index(const Setup& setup);
std::unique_ptr<Index> make_embree_refit_index(const Setup& setup);
std::unique_ptr<Index> make_embree_rebuild_index(const Setup& setup);
std::unique_ptr<Index> make_nanoflann_index(const Setup& setup);
std::unique_ptr<Index> make_nanoflann_by_id(const Setup& setup);
std::unique_ptr<Index> make_boost_index(const Setup& setup);
std::unique_ptr<Index> make_box2d_index(const Setup& setup);
std::unique_ptr<Index> make_bullet_index(const Setup& setup);
std::unique_ptr<Index> make_cgal_index(const Setup& setup);
std::unique_ptr<Index> make_geos_index(const Setup& setup);
std::unique_ptr<Index> make_hash_index(const Setup& setup);
std::unique_ptr<Index> make_wrong_index(const Setup& setup);
std::unique_ptr<Index> make_row_grid_on_threads(const Setup& setup);
std::unique_ptr<Index> make_grid_index(const Setup& setup);
std::unique_ptr<Index> make_lists_index(const Setup& setup);
std::unique_ptr<Index> make_pass_index(const Setup& setup);
std::unique_ptr<Index> make_sweep_index(const Setup& setup);

namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

// Any of structures/include/throng/structures: assigned in every frame, or moved agent by agent.
template <class Structure, Updating updating>
std::unique_ptr<Index> make_structure(const Setup& setup) {
    return std::make_unique<StructureIndex<Structure, updating>>(setup);
}

void add_structures(std::vector<Entry>& entries) {
    for_each_structure([&]<class Structure>(const char* name, const char* what) {
        entries.push_back({name, std::string(what) + "; assigned in every frame",
                           make_structure<Structure, Updating::assign>, any_number});
        if constexpr (structures::DynamicSpatialIndex<Structure>)
            entries.push_back({std::string(name) + ".moves", "the same, every agent moved by itself",
                               make_structure<Structure, Updating::by_move>, any_number});
    });
}

// Compiled for AVX2 where there is an x86-64, and then it is a CPU that has to have it.
bool runs_loops_by_hand() { return BY_HAND_HAS_AVX2 == 0 || simd::has_avx2(); }

void add_loops_by_hand(std::vector<Entry>& entries) {
    if (!runs_loops_by_hand()) return;
    entries.push_back({"sweep", "by hand, for few agents: sorted along one axis from frame to frame",
                       make_sweep_index, 200'000});
    entries.push_back(
        {"grid", "by hand: a grid by counting sort, made again in every frame", make_grid_index, any_number});
    entries.push_back(
        {"lists", "by hand, for few edits: a grid of linked lists", make_lists_index, any_number});
    entries.push_back({"pass", "by hand, for few queries: one pass over the agents where they lie",
                       make_pass_index, any_number});
}

std::vector<Entry> all_entries() {
    std::vector<Entry> entries{
        {"engine", "the Throng engine, through its public interface", make_engine_index, any_number},
        {"engine.together", "the same, with the pairs of a frame listed by the update that makes it",
         make_engine_with_pairs, any_number},
        {"arrays", "Throng without an engine: queries on the host's arrays", make_arrays_index, any_number},
#ifdef THRONG_BENCH_C
        {"c", "the engine through throng.h and the shared library", make_c_index, any_number},
#endif
        {"loop", "plain loops over packed arrays, as written by hand for a tiny world", make_loop_index,
         50'000},
#ifdef THRONG_BENCH_EMBREE
        {"embree.refit", "Embree's hierarchy of boxes, refitted every frame", make_embree_refit_index,
         any_number},
        {"embree.rebuild", "Embree's hierarchy of boxes, built again every frame", make_embree_rebuild_index,
         any_number},
#endif
#ifdef THRONG_BENCH_NANOFLANN
        {"nanoflann", "nanoflann's kd-tree, for neighbours; places sorted in space before",
         make_nanoflann_index, any_number},
        {"nanoflann.ids", "the same, places by id", make_nanoflann_by_id, any_number},
#endif
#ifdef THRONG_BENCH_BOOST
        {"boost", "Boost.Geometry's R-tree, packed anew in every frame", make_boost_index, any_number},
#endif
#ifdef THRONG_BENCH_CGAL
        {"cgal", "CGAL's intersecting sequences of boxes", make_cgal_index, any_number},
#endif
#ifdef THRONG_BENCH_BOX2D
        {"box2d", "Box2D's broad phase, a tree of boxes that are too large", make_box2d_index, any_number},
#endif
#ifdef THRONG_BENCH_BULLET
        {"bullet", "Bullet's dynamic tree of boxes", make_bullet_index, any_number},
#endif
#ifdef THRONG_BENCH_GEOS
        {"geos", "GEOS's packed STRtree, built anew in every frame", make_geos_index, any_number},
#endif
        {"hash", "by hand, for neighbours: a hash map from cells to agents", make_hash_index, any_number},
        {"wrong", "loses an answer, so that tests see whether that is found", make_wrong_index, 50'000},
#ifdef THRONG_BENCH_ORACLE
        {"brute", "brute force, the tests' oracle", make_brute_index, 50'000},
#endif
    };
    add_loops_by_hand(entries);
    add_structures(entries);
    entries.push_back(
        {"row_grid.threads", "the row grid, assigned on all threads", make_row_grid_on_threads, any_number});
    return entries;
}

}  // namespace

std::span<const Entry> registry() {
    static const std::vector<Entry> entries = all_entries();
    return entries;
}

const Entry* find_index(const std::string& name) {
    for (const Entry& entry : registry())
        if (name == entry.name) return &entry;
    return nullptr;
}

}  // namespace throng::bench
