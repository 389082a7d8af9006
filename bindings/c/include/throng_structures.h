// Small structures in C: a quadtree and a grid that a host edits one element at a time, and a tree of points
// in doubles that never move. The engine of throng.h works in frames instead. Read its beginning first:
// calls, structs, failure and results are the same here.
//
//     throng_structure_config config;
//     throng_structure* index = NULL;
//     throng_structure_config_init(&config);
//     config.kind = THRONG_LOOSE_QUADTREE;
//     config.extents.max_x = config.extents.max_y = 1000;
//     if (throng_structure_create(NULL, &config, &index, NULL) != THRONG_OK) return 1;
//     throng_structure_insert(index, &boxes, ids, count, NULL);
//     throng_structure_overlaps(index, &box, THRONG_NO_AGENT, ids, room, &total, NULL);
//
// Edits are immediate: the next query sees them. Ids are small numbers. The structure chooses them, and uses
// them again after a removal. One thread may edit or list pairs, or any number may query. All threads must
// round like the one that made the structure.
//
// A library that was built without THRONG_STRUCTURES has none of these calls.
#ifndef THRONG_STRUCTURES_H
#define THRONG_STRUCTURES_H

#include "throng.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_structure throng_structure;

// The first is for what never moves, and takes no edit but throng_structure_assign; the second is for
// elements of any sizes; the third for elements of about one size. The C++ library has more:
// structures/docs/choosing.md.
enum { THRONG_STATIC_INDEX = 0, THRONG_LOOSE_QUADTREE = 1, THRONG_ROW_GRID = 2 };

// What is expected. None of it is a limit.
typedef struct throng_structure_config {
    uint32_t size;
    uint32_t kind;
    throng_box extents;  // must be given, except for a static index
    uint64_t elements;   // about how many
    float typical_size;  // the longer side of most elements: 1
    float largest_size;  // the longer side of nearly all elements: 1
} throng_structure_config;
#define throng_structure_config_init(config) throng_init_structure_config((config), sizeof *(config))
THRONG_C_API int32_t throng_init_structure_config(throng_structure_config* config, uint32_t size);

// It takes memory as the engine does, or from the global heap if that is NULL. On failure *structure is NULL.
THRONG_C_API int32_t throng_structure_create(const throng_engine* engine,
                                             const throng_structure_config* config,
                                             throng_structure** structure, throng_status_details* details);
THRONG_C_API void throng_structure_destroy(throng_structure* structure);

// Replaces all elements, with ids from 0. If all move, this is faster than a move for each.
THRONG_C_API int32_t throng_structure_assign(throng_structure* structure, const throng_boxes* boxes,
                                             throng_status_details* details);
// One by one, in order. A failed call has edited only the elements before the one that the details name.
THRONG_C_API int32_t throng_structure_insert(throng_structure* structure, const throng_boxes* boxes,
                                             uint32_t* ids, uint64_t count, throng_status_details* details);
THRONG_C_API int32_t throng_structure_move(throng_structure* structure, const uint32_t* ids, uint64_t count,
                                           const throng_boxes* boxes, throng_status_details* details);
THRONG_C_API int32_t throng_structure_remove(throng_structure* structure, const uint32_t* ids, uint64_t count,
                                             throng_status_details* details);
// The deferred part of edits, for the end of a frame: frees what is empty and tightens bounds.
THRONG_C_API int32_t throng_structure_clean_up(throng_structure* structure, throng_status_details* details);
// Removes everything and keeps the memory.
THRONG_C_API int32_t throng_structure_clear(throng_structure* structure, throng_status_details* details);

// 0 for NULL.
THRONG_C_API uint64_t throng_structure_size(const throng_structure* structure);
THRONG_C_API uint64_t throng_structure_bytes(const throng_structure* structure);
// The box that the structure has for an element, or THRONG_UNKNOWN_ID.
THRONG_C_API int32_t throng_structure_box(const throng_structure* structure, uint32_t id, throng_box* box,
                                          throng_status_details* details);

// Which elements overlap a box, except `omitted`; THRONG_NO_AGENT omits none: as many ids as there is room
// for. `total`, which may be NULL, takes how many there are.
THRONG_C_API int32_t throng_structure_overlaps(const throng_structure* structure, const throng_box* box,
                                               uint32_t omitted, uint32_t* ids, uint64_t room,
                                               uint64_t* total, throng_status_details* details);
// The same for many boxes, on this thread. `omitted` is NULL, or has one id for each. There must be one
// offset more than boxes: list q goes from offsets[q] to offsets[q + 1]. All offsets are written, and the
// first ids, as many as there is room for.
THRONG_C_API int32_t throng_structure_overlaps_of(const throng_structure* structure,
                                                  const throng_boxes* boxes, const uint32_t* omitted,
                                                  uint64_t* offsets, uint64_t offset_room, uint32_t* ids,
                                                  uint64_t room, uint64_t* total,
                                                  throng_status_details* details);
// Every two that overlap, once: as many as there is room for.
THRONG_C_API int32_t throng_structure_pairs(throng_structure* structure, throng_pair* pairs, uint64_t room,
                                            uint64_t* total, throng_status_details* details);
// All ids, leaf by leaf: the best order for a query about each.
THRONG_C_API int32_t throng_structure_elements(const throng_structure* structure, uint32_t* ids,
                                               uint64_t room, throng_status_details* details);

// --- Points in doubles -------------------------------------------------------------------------------------
//
// A k-d tree of points in the plane that never move. It finds the nearest, all within a distance and all
// pairs, exactly: distances are compared in doubles, wherever the points are and however unevenly they lie.
//
//     throng_point_tree* tree = NULL;
//     throng_point_options options;
//     throng_point_options_init(&options);
//     options.count = 3;
//     if (throng_point_tree_create(NULL, &tree, NULL) != THRONG_OK) return 1;
//     throng_point_tree_assign(tree, &options, points, point_count, NULL);
//     throng_point_tree_nearest(tree, &options, queries, query_count, distances, ids, room, NULL);
//
// Any number of threads may ask a tree. A query that is not finite is refused with its number.
typedef struct throng_point_tree throng_point_tree;
typedef struct throng_point_lists throng_point_lists;
typedef struct throng_point_pairs throng_point_pairs;

typedef struct throng_double_point {
    double x;
    double y;
} throng_double_point;
typedef struct throng_point_pair {
    int64_t first;  // the lower id
    int64_t second;
} throng_point_pair;

// A query, a point in its list, and the distance between them.
typedef struct throng_point_entry {
    int64_t query;
    int64_t id;
    double distance;
} throng_point_entry;

// The distance of two points: as the crow flies, the sum of both differences, or the larger one.
enum { THRONG_EUCLIDEAN = 0, THRONG_MANHATTAN = 1, THRONG_CHEBYSHEV = 2 };

// What a call is to do. A call reads the options that its comment names, the metric and `serial`.
typedef struct throng_point_options {
    uint32_t size;
    uint32_t metric;
    uint32_t serial;      // 0: on the threads of the engine that the tree was made for. 1: on this thread
    uint32_t sorted;      // 1: lists are sorted by id
    uint64_t count;       // for the nearest: 1
    double radius;        // infinity. Nothing is within NaN, or less than zero
    const double* radii;  // one for each query, instead of `radius`, or NULL
    uint64_t radius_count;
    // For throng_point_tree_assign and throng_point_lists_entries: the distance once around a plane that
    // wraps around, in each direction; 0: it does not. The first point outside [0, around) is
    // THRONG_TOO_LARGE. Queries may be anywhere, and the shorter way counts.
    double around_x, around_y;
} throng_point_options;
#define throng_point_options_init(options) throng_init_point_options((options), sizeof *(options))
THRONG_C_API int32_t throng_init_point_options(throng_point_options* options, uint32_t size);

// It takes memory and threads as the engine does; if that is NULL, memory from the global heap and oneTBB's
// threads, if the library was built with it. On failure *tree is NULL.
THRONG_C_API int32_t throng_point_tree_create(const throng_engine* engine, throng_point_tree** tree,
                                              throng_status_details* details);
THRONG_C_API void throng_point_tree_destroy(throng_point_tree* tree);
// Replaces all points; point i has the id i. Options may be NULL in all of these calls. No other thread may
// use the tree meanwhile.
THRONG_C_API int32_t throng_point_tree_assign(throng_point_tree* tree, const throng_point_options* options,
                                              const throng_double_point* points, uint64_t point_count,
                                              throng_status_details* details);
// 0 for NULL.
THRONG_C_API uint64_t throng_point_tree_size(const throng_point_tree* tree);
THRONG_C_API uint64_t throng_point_tree_bytes(const throng_point_tree* tree);

// The first `count` points nearer than `radius`, nearest first. Row q of both arrays, `count` numbers long,
// is that of query q. If there are fewer, distances are infinite and ids are the number of all points.
THRONG_C_API int32_t throng_point_tree_nearest(const throng_point_tree* tree,
                                               const throng_point_options* options,
                                               const throng_double_point* queries, uint64_t query_count,
                                               double* distances, int64_t* ids, uint64_t room,
                                               throng_status_details* details);
// How many points are within `radius` of each query, or within its own of the `radii`.
THRONG_C_API int32_t throng_point_tree_count(const throng_point_tree* tree,
                                             const throng_point_options* options,
                                             const throng_double_point* queries, uint64_t query_count,
                                             int64_t* counts, uint64_t room, throng_status_details* details);
// Which points, as lists; `sorted` says in which order.
THRONG_C_API int32_t throng_point_tree_find(const throng_point_tree* tree,
                                            const throng_point_options* options,
                                            const throng_double_point* queries, uint64_t query_count,
                                            throng_point_lists* lists, throng_status_details* details);
// Which are within `radius` of one query: as many ids as there is room for. `total`, which may be NULL, takes
// how many there are. They are sorted if all fit.
THRONG_C_API int32_t throng_point_tree_find_one(const throng_point_tree* tree,
                                                const throng_point_options* options,
                                                const throng_double_point* query, int64_t* ids, uint64_t room,
                                                uint64_t* total, throng_status_details* details);
// Every two points within `radius` of each other, once.
THRONG_C_API int32_t throng_point_tree_find_pairs(const throng_point_tree* tree,
                                                  const throng_point_options* options,
                                                  throng_point_pairs* pairs, throng_status_details* details);
// For each of these radii, how many pairs of a point of this tree and one of the other are within it. Nodes
// that are all within it are counted as a whole. The plane is that of `tree`: if it wraps around, the first
// point of `other` outside of [0, around) is THRONG_TOO_LARGE.
THRONG_C_API int32_t throng_point_tree_count_pairs(const throng_point_tree* tree,
                                                   const throng_point_tree* other,
                                                   const throng_point_options* options, const double* radii,
                                                   uint64_t radius_count, int64_t* counts, uint64_t room,
                                                   throng_status_details* details);
// The same with a weight for each point of both trees. For each radius: the sum of both weights' products
// over the pairs that are within it, but not within the next smaller radius. Of equal radii the first gets
// the sum.
THRONG_C_API int32_t throng_point_tree_sum_pairs(const throng_point_tree* tree,
                                                 const throng_point_tree* other,
                                                 const throng_point_options* options, const double* radii,
                                                 uint64_t radius_count, const double* weights,
                                                 uint64_t weight_count, const double* other_weights,
                                                 uint64_t other_weight_count, double* sums, uint64_t room,
                                                 throng_status_details* details);

// List q goes from offsets[q] to offsets[q + 1]. A failed call leaves no lists. `engine` as above.
THRONG_C_API int32_t throng_point_lists_create(const throng_engine* engine, throng_point_lists** lists,
                                               throng_status_details* details);
THRONG_C_API void throng_point_lists_destroy(throng_point_lists* lists);
THRONG_C_API const int64_t* throng_point_lists_offsets(const throng_point_lists* lists, uint64_t* count);
THRONG_C_API const int64_t* throng_point_lists_ids(const throng_point_lists* lists, uint64_t* count);

// An entry for each id in the lists of these queries, measured by the metric of the options. A query's number
// is in `numbers`, one for each query, or is its place if that is NULL.
THRONG_C_API int32_t throng_point_lists_entries(const throng_point_lists* lists,
                                                const throng_point_options* options,
                                                const throng_double_point* points, uint64_t point_count,
                                                const throng_double_point* queries, const int64_t* numbers,
                                                uint64_t query_count, throng_point_entry* entries,
                                                uint64_t room, throng_status_details* details);

THRONG_C_API int32_t throng_point_pairs_create(const throng_engine* engine, throng_point_pairs** pairs,
                                               throng_status_details* details);
THRONG_C_API void throng_point_pairs_destroy(throng_point_pairs* pairs);
THRONG_C_API const throng_point_pair* throng_point_pairs_get(const throng_point_pairs* pairs,
                                                             uint64_t* count);

// Points in doubles that an engine finds in floats. For many queries in an even world this is several times
// as fast as a tree. Each point gets a place, scaled and rounded to floats. Update the engine with the places
// of the points. Ask it for neighbours of the places of queries, with distances. These calls then measure
// what it found in doubles. structures/include/throng/structures/point_places.hpp says more.
typedef struct throng_point_places {
    double centre_x;
    double centre_y;
    double scale;
} throng_point_places;

// For these points. The first that is not finite is refused with its number.
THRONG_C_API int32_t throng_point_places_of(const throng_double_point* points, uint64_t point_count,
                                            throng_point_places* places, throng_status_details* details);
// Where points are. outside[i] is 1 for a point without a place, which is put at 0, and otherwise 0.
THRONG_C_API int32_t throng_point_places_put(const throng_point_places* places,
                                             const throng_double_point* points, uint64_t point_count,
                                             throng_point* floats, uint8_t* outside, uint64_t room,
                                             throng_status_details* details);
// The radius with which an engine finds all within `radius`, or each of the `radii`. It is 0 if floats are
// too coarse for it, or it is NaN: use a tree for these.
THRONG_C_API int32_t throng_point_places_reach(const throng_point_places* places,
                                               const throng_point_options* options, float* reach,
                                               uint64_t room, throng_status_details* details);
// As throng_point_tree_nearest, from lists of `count` + 1 within the reach of `radius`. open[q] is 1 if
// another point may be nearer, and otherwise 0: use a tree for these.
THRONG_C_API int32_t throng_point_places_nearest(const throng_point_places* places,
                                                 const throng_point_options* options,
                                                 const throng_double_point* points, uint64_t point_count,
                                                 const throng_double_point* queries, uint64_t query_count,
                                                 const throng_neighbours* candidates, uint8_t* open,
                                                 uint64_t open_room, double* distances, int64_t* ids,
                                                 uint64_t room, throng_status_details* details);
// As throng_point_tree_find, from lists of all within the reach of `radius`.
THRONG_C_API int32_t throng_point_places_find(const throng_point_places* places,
                                              const throng_point_options* options,
                                              const throng_double_point* points, uint64_t point_count,
                                              const throng_double_point* queries, uint64_t query_count,
                                              const throng_neighbours* candidates, throng_point_lists* lists,
                                              throng_status_details* details);
// As throng_point_tree_find_pairs, from lists of agents with `half`, in row order.
THRONG_C_API int32_t throng_point_places_find_pairs(const throng_point_places* places,
                                                    const throng_point_options* options,
                                                    const throng_double_point* points, uint64_t point_count,
                                                    const throng_neighbours* candidates,
                                                    throng_point_pairs* pairs,
                                                    throng_status_details* details);

#ifdef __cplusplus
}
#endif

#endif
