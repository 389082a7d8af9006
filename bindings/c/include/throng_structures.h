// Small structures in C: a quadtree and a grid that a host edits one element at a time, where throng.h has an
// engine that works in frames. Read its beginning first: calls, structs, failure and results are the same
// here.
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
// Edits are immediate: the next query sees them. Ids are small numbers, the structure's to choose, and used
// again after a removal. One thread may edit or list pairs, or any number may query. All threads must round
// as the one that made the structure.
//
// A library that was built without THRONG_STRUCTURES has none of these calls.
#ifndef THRONG_STRUCTURES_H
#define THRONG_STRUCTURES_H

#include "throng.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_structure throng_structure;

// For what never moves, which takes no edits but throng_structure_assign; for elements of any sizes; and for
// elements of about one size. The C++ library has more kinds: structures/docs/choosing.md.
enum { THRONG_STATIC_INDEX = 0, THRONG_LOOSE_QUADTREE = 1, THRONG_ROW_GRID = 2 };

// What is expected. None of it is a limit.
typedef struct throng_structure_config {
    uint32_t size;
    uint32_t kind;
    throng_box extents;  // must be given, but for a static index
    uint64_t elements;   // about how many
    float typical_size;  // the longer side of most elements: 1
    float largest_size;  // the longer side of all but a few: 1
} throng_structure_config;
#define throng_structure_config_init(config) throng_init_structure_config((config), sizeof *(config))
THRONG_C_API int32_t throng_init_structure_config(throng_structure_config* config, uint32_t size);

// It takes memory as the engine does, or from the global heap if that is NULL. On failure *structure is NULL.
THRONG_C_API int32_t throng_structure_create(const throng_engine* engine,
                                             const throng_structure_config* config,
                                             throng_structure** structure, throng_status_details* details);
THRONG_C_API void throng_structure_destroy(throng_structure* structure);

// Replaces all elements, which get the ids from 0. Where all move, this is faster than a move for each.
THRONG_C_API int32_t throng_structure_assign(throng_structure* structure, const throng_boxes* boxes,
                                             throng_status_details* details);
// One by one, in order. A call that fails has edited the elements before the one that the details name, and
// no other.
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
// The box by which the structure answers for an element, or THRONG_UNKNOWN_ID.
THRONG_C_API int32_t throng_structure_box(const throng_structure* structure, uint32_t id, throng_box* box,
                                          throng_status_details* details);

// Which elements overlap a box, except `omitted`, or with THRONG_NO_AGENT all: as many ids as there is room
// for. `total`, which may be NULL, takes how many there are.
THRONG_C_API int32_t throng_structure_overlaps(const throng_structure* structure, const throng_box* box,
                                               uint32_t omitted, uint32_t* ids, uint64_t room,
                                               uint64_t* total, throng_status_details* details);
// The same for many boxes, on this thread. `omitted` is NULL, or has one id for each. There must be one
// offset more than boxes: list q is what lies from offsets[q] to offsets[q + 1]. All offsets are written, and
// the first ids, as many as there is room for.
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

#ifdef __cplusplus
}
#endif

#endif
