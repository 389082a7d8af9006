// The cluster in C: more agents than one machine holds, over MPI. throng/cluster.hpp is the manual; this
// header says only what differs in C. Boxes, shapes, labels, filters and options are the structs of throng.h.
//
//     throng_cluster_config config;
//     throng_cluster* cluster = NULL;
//     throng_boxes where;
//     const throng_cluster_pair* pairs;
//     uint64_t count;
//     throng_cluster_config_init(&config);
//     config.reach = 2;
//     status = throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), &config, &cluster);
//     throng_boxes_init(&where);
//     throng_boxes_of(&where, boxes, mine);
//     status = throng_cluster_update(cluster, ids, mine, &where, NULL, NULL);
//     status = throng_cluster_pairs(cluster, NULL, &pairs, &count);    // each pair on one rank
//     throng_cluster_destroy(cluster);                                 // of all ranks, before MPI_Finalize
//
// A communicator goes in as MPI_Fint, so that every language can pass it, and this header needs none of
// MPI's. Link with -lthrong_cluster_c, which has the calls of throng.h too.
//
// Every rank makes the same calls in the same order, and gets the same status, unless a call says that it is
// of each rank alone. A rank with a NULL cluster is refused alone. Arrays from a call belong to the cluster.
// Those of `owned` and `ghosts` are valid until the next update; pairs until the next call that gives pairs;
// lists until the next call that gives lists.
//
// A rank that hands in a struct of throng.h without its init, or NULL where one is needed, is refused on all
// ranks, with a code of throng.h such as THRONG_BAD_STRUCT.
#ifndef THRONG_CLUSTER_H
#define THRONG_CLUSTER_H

#include <stdint.h>

#include "throng.h"

#if defined(THRONG_CLUSTER_C_EXPORTS) && defined(__GNUC__)
#define THRONG_CLUSTER_API __attribute__((visibility("default")))
#else
#define THRONG_CLUSTER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_cluster throng_cluster;

// All is well if `trouble` is THRONG_CLUSTER_OK.
enum {
    THRONG_CLUSTER_OK = 0,
    THRONG_CLUSTER_REFUSED = 1,     // a rank's input or memory: `code` says what was wrong, `rank` where
    THRONG_CLUSTER_MPI_FAILED = 2,  // a call of MPI returned `mpi_error`
    THRONG_CLUSTER_PARTITION_FAILED = 3,  // Zoltan could not cut the world
    THRONG_CLUSTER_NOT_CONSERVED = 4,     // agents were lost or doubled on the way
    THRONG_CLUSTER_BEYOND_REACH = 5,      // a distance is beyond the reach or radius of the last update
    THRONG_CLUSTER_DIFFERS = 6,           // options that must be the same on all ranks differ
    THRONG_CLUSTER_OTHER_RANKS = 7,       // the other cluster is not on the same ranks
    THRONG_CLUSTER_NOT_CUT = 8,           // the other cluster has no cuts yet
    THRONG_CLUSTER_HOST_FAILED = 9,       // a step of the host's own failed on a rank, as that rank said
    THRONG_CLUSTER_FILE_FAILED = 10,      // a file could not be opened, read or written
    THRONG_CLUSTER_NOT_SAVED = 11,        // the file is no saved cluster, or one of another version
    THRONG_CLUSTER_DAMAGED = 12           // it is too short or too long, or its bytes have changed
};

typedef struct throng_cluster_status {
    int32_t trouble;
    int32_t code;      // a status of throng.h, if a rank was refused
    int32_t argument;  // and its argument
    int32_t rank;      // -1 if it is no rank's
    int32_t mpi_error;
    int32_t reserved;
    uint64_t index;  // of the element, or UINT64_MAX
    uint64_t id;     // the id that comes twice
} throng_cluster_status;

// Words for a status, as much as fits with a terminating zero; returns the length of the whole text.
THRONG_CLUSTER_API uint64_t throng_cluster_describe(const throng_cluster_status* status, char* text,
                                                    uint64_t room);

// Begin with its init.
typedef struct throng_cluster_config {
    const throng_engine_config* engine;  // each rank's own: threads, memory, periods; NULL: the defaults
    float reach;                         // the largest distance of pairs
    float radius;                        // the largest distance of neighbours
    int32_t rebalance;                   // whether the world is cut again if a rank has too much to do
    int32_t agents_stay;                 // whether the host keeps its agents where they are
    uint64_t payload_bytes;              // that travel with each agent
    uint64_t ghost_payload_bytes;        // so many of the first bytes go to ghosts, too
    uint64_t block_bytes;                // that a rank packs at once
    uint64_t sample;                     // agents of each rank's share that the cuts are made for
} throng_cluster_config;

THRONG_CLUSTER_API void throng_cluster_config_init(throng_cluster_config* config);
// NULL means the defaults. On failure there is no cluster.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_create(int communicator,
                                                               const throng_cluster_config* config,
                                                               throng_cluster** cluster);
THRONG_CLUSTER_API void throng_cluster_destroy(throng_cluster* cluster);
// For a step that a rank does alone, such as pairs, or a step of the host's own. It is ok on every rank if it
// is ok on all; otherwise every rank gets the status of the lowest rank that is not. NULL is ok. A host's own
// failure is a status with the trouble THRONG_CLUSTER_HOST_FAILED; its rank is set here if it is 0 or -1. A
// rank that cannot make a collective call may call this instead; instead of an update it gives no boxes
// (NULL).
THRONG_CLUSTER_API throng_cluster_status throng_cluster_agree(throng_cluster* cluster,
                                                              const throng_cluster_status* mine);
// The largest distance of pairs and of neighbours, from the next update on. Of each rank alone; the largest
// of all ranks counts.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_set_reach(throng_cluster* cluster, float reach,
                                                                  float radius);
// A layer that never moves and is whole on each rank. Later frames of `throng_cluster_frame` have it. Of each
// rank alone.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_set_static_layer(throng_cluster* cluster,
                                                                         const throng_static_layer* layer);

// --- A frame ---

// All agents of the cluster are replaced by those of all ranks together. Boxes may have heights; labels and
// payload may be NULL. NULL instead of boxes says that a step of the host failed on this rank: all ranks get
// THRONG_CLUSTER_HOST_FAILED.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_update(throng_cluster* cluster, const uint64_t* ids,
                                                               uint64_t count, const throng_boxes* boxes,
                                                               const throng_labels* labels,
                                                               const void* payload);

// The agents of a rank, by ascending id. Labels are NULL if no agent of the cluster has one, and heights
// likewise. Of the payload ghosts have `ghost_payload_bytes` of each.
typedef struct throng_cluster_agents {
    uint64_t count;
    const uint64_t* ids;
    const throng_box* boxes;
    const throng_label* labels;
    const void* payload;
    const throng_band* heights;
} throng_cluster_agents;

// Of each rank alone, as are the next four.
THRONG_CLUSTER_API void throng_cluster_owned(const throng_cluster* cluster, throng_cluster_agents* agents);
THRONG_CLUSTER_API void throng_cluster_ghosts(const throng_cluster* cluster, throng_cluster_agents* agents);
// The boxes of this rank's agents, their payload and their heights, to be written: for a host that writes
// those of the next frame over them and hands them in, which saves a copy. Once a box is written, the next
// call is an update. If that fails, the boxes and heights of the last frame are put back. Each pointer may be
// NULL, and heights become NULL if no rank gives them.
THRONG_CLUSTER_API void throng_cluster_in_place(throng_cluster* cluster, throng_box** boxes, void** payload,
                                                throng_band** heights);
// The frame of this rank's own engine, for all calls of throng.h. Its ids are places: those of owned agents,
// then those of ghosts, which are ghosts of the frame too. `*frame` is NULL, or an older frame: then its
// handle may be used again. Give the frame back by throng_frame_release.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_frame(const throng_cluster* cluster,
                                                              throng_frame** frame);
// The id over the whole cluster of such a place, or 0.
THRONG_CLUSTER_API uint64_t throng_cluster_global_id(const throng_cluster* cluster, uint32_t place);
// How many agents all ranks have; of each rank alone.
THRONG_CLUSTER_API uint64_t throng_cluster_size(const throng_cluster* cluster);
// Cuts by points, with weights or NULL; or as another cluster.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_partition(throng_cluster* cluster,
                                                                  const throng_point* points,
                                                                  const float* weights, uint64_t count);
THRONG_CLUSTER_API throng_cluster_status throng_cluster_partition_as(throng_cluster* cluster,
                                                                     const throng_cluster* other);
// All agents into a file, and back from it on any number of ranks.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_save(throng_cluster* cluster, const char* path);
THRONG_CLUSTER_API throng_cluster_status throng_cluster_load(throng_cluster* cluster, const char* path);
// The part of a rank; of each rank alone.
THRONG_CLUSTER_API void throng_cluster_domain(const throng_cluster* cluster, int rank, throng_box* box);

// --- All agents at once ---

typedef struct throng_cluster_pair {
    uint64_t a, b;
    uint32_t a_place, b_place;
} throng_cluster_pair;

// NULL means all pairs that overlap. Of each rank alone, unless agents stay: then all ranks want the same.
// Refused beyond `reach`. Without a place for pairs (NULL) no ids are read: see the next call.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_pairs(throng_cluster* cluster,
                                                              const throng_pair_query* query,
                                                              const throng_cluster_pair** pairs,
                                                              uint64_t* count);
// The same pairs as places alone, for a loop that needs no ids. Either agent of a pair may come first. There
// are none if agents stay. Of each rank alone, and valid like pairs.
THRONG_CLUSTER_API void throng_cluster_pair_places(const throng_cluster* cluster, const throng_pair** places,
                                                   uint64_t* count);
THRONG_CLUSTER_API throng_cluster_status throng_cluster_pairs_with(throng_cluster* cluster,
                                                                   const throng_cluster* other,
                                                                   const throng_pair_query* query,
                                                                   const throng_cluster_pair** pairs,
                                                                   uint64_t* count);

// --- The host's data of agents ---

// What a value is made of. Bytes cannot be added; integers wrap around, signed or not.
enum {
    THRONG_CLUSTER_BYTES = 0,
    THRONG_CLUSTER_FLOAT32 = 1,
    THRONG_CLUSTER_FLOAT64 = 2,
    THRONG_CLUSTER_INT8 = 3,
    THRONG_CLUSTER_INT16 = 4,
    THRONG_CLUSTER_INT32 = 5,
    THRONG_CLUSTER_INT64 = 6
};

// An array of values, each of so many numbers of that kind.
typedef struct throng_cluster_values {
    void* values;
    uint64_t count;
    uint64_t numbers;
    int32_t kind;
    int32_t reserved;
} throng_cluster_values;

// How many places there are: those of owned agents, then those of ghosts; of each rank alone.
THRONG_CLUSTER_API uint64_t throng_cluster_places(const throng_cluster* cluster);
// Each ghost gets the value that its owner has; and each owner's value grows by those of its ghosts. There is
// a value for each place. NULL values are refused on all ranks, here and below.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_forward(throng_cluster* cluster,
                                                                const throng_cluster_values* values);
THRONG_CLUSTER_API throng_cluster_status throng_cluster_reverse(throng_cluster* cluster,
                                                                const throng_cluster_values* values);
// Adds what agents get from pairs to the sums of owned agents, in the order of the other agents' ids. If
// `to_b` is NULL, `b` gets the opposite of what `a` gets. The terms are of the kind of the sums, one for each
// pair.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_sum_pairs(throng_cluster* cluster,
                                                                  const throng_cluster_pair* pairs,
                                                                  uint64_t count, const void* to_a,
                                                                  const void* to_b,
                                                                  const throng_cluster_values* sums);

// The same for pairs of places, where `a` is the first one.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_sum_pair_places(throng_cluster* cluster,
                                                                        const throng_pair* places,
                                                                        uint64_t count, const void* to_a,
                                                                        const void* to_b,
                                                                        const throng_cluster_values* sums);

// List i is ids[offsets[i]] .. ids[offsets[i + 1] - 1]. The numbers are squared distances of neighbours, or
// fractions of casts; NULL if there are none.
typedef struct throng_cluster_lists {
    uint64_t count;
    const uint64_t* offsets;
    const uint64_t* ids;
    const float* numbers;
} throng_cluster_lists;

// List i is that of the i-th owned agent, or of the i-th that was handed in if agents stay. Within a radius
// it is of each rank alone, unless agents stay: then all ranks want the same. Refused beyond `radius`, and
// with a filter that has a part for each.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_neighbours_within(throng_cluster* cluster,
                                                                          const throng_within* wanted,
                                                                          const throng_filter* filter,
                                                                          throng_cluster_lists* lists);
THRONG_CLUSTER_API throng_cluster_status throng_cluster_neighbours_nearest(throng_cluster* cluster,
                                                                           const throng_nearest* wanted,
                                                                           const throng_filter* filter,
                                                                           throng_cluster_lists* lists);

// --- What any rank asks: answers of all, in the order of the queries ---

// A filter may have a part for each query, but no `self`: the ids of agents to leave out, one for each query,
// are `selves`, which may be NULL. Queries are boxes, circles or shapes.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_overlaps(throng_cluster* cluster,
                                                                 const throng_boxes* queries,
                                                                 const throng_filter* filter,
                                                                 const uint64_t* selves,
                                                                 throng_cluster_lists* lists);
THRONG_CLUSTER_API throng_cluster_status throng_cluster_count(throng_cluster* cluster,
                                                              const throng_boxes* queries,
                                                              const throng_filter* filter,
                                                              const uint64_t* selves, uint64_t* counts);

typedef struct throng_cluster_hit {
    uint64_t id;
    float fraction;
    uint32_t is_found;
} throng_cluster_hit;

THRONG_CLUSTER_API throng_cluster_status throng_cluster_first_hits(throng_cluster* cluster,
                                                                   const throng_cast* casts, uint64_t count,
                                                                   const throng_filter* filter,
                                                                   const uint64_t* selves,
                                                                   throng_cluster_hit* hits);
THRONG_CLUSTER_API throng_cluster_status throng_cluster_all_hits(throng_cluster* cluster,
                                                                 const throng_cast* casts, uint64_t count,
                                                                 const throng_filter* filter,
                                                                 const uint64_t* selves,
                                                                 throng_cluster_lists* lists);
// Neighbours of points, the nearest first. A `size_mismatch` of radii, and options that differ between ranks,
// are refused on all.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_neighbours_within_of(
    throng_cluster* cluster, const throng_points* points, const throng_within* wanted,
    const throng_filter* filter, const uint64_t* selves, throng_cluster_lists* lists);
THRONG_CLUSTER_API throng_cluster_status throng_cluster_neighbours_nearest_of(
    throng_cluster* cluster, const throng_points* points, const throng_nearest* wanted,
    const throng_filter* filter, const uint64_t* selves, throng_cluster_lists* lists);

// --- About it; of each rank alone ---

// The largest distance of pairs and of neighbours that any rank had set before the last update.
THRONG_CLUSTER_API float throng_cluster_reach(const throng_cluster* cluster);
THRONG_CLUSTER_API float throng_cluster_radius(const throng_cluster* cluster);
// Agents with half a width or height above this are giants.
THRONG_CLUSTER_API float throng_cluster_giants_from(const throng_cluster* cluster);

typedef struct throng_cluster_report {
    uint64_t held, sent, jumped, received, owned, ghosts, ghosts_sent, neighbours, cluster_owned;
    uint64_t busiest, all_work;
    uint64_t partitioned, general, rounds;
    uint64_t migration_messages, migration_bytes, ghosting_messages, ghosting_bytes;
    uint64_t general_messages, general_bytes, sums, sums_bytes;
    double seconds, partition_seconds, migration_seconds, ghosting_seconds, build_seconds, waited_seconds;
} throng_cluster_report;

THRONG_CLUSTER_API void throng_cluster_get_report(const throng_cluster* cluster,
                                                  throng_cluster_report* report);

// What each rank did for the last frame. Unlike the others here it is a call of all ranks: all get the same.
// `update` has the seconds of the last update, four members those of its parts, and `query` those of all
// other calls since. `waited` is the time in MPI, mostly for other ranks, and `busy` the rest.
typedef struct throng_cluster_rank_report {
    uint64_t owned, ghosts, pairs, bytes, most_bytes;
    double update_seconds, partition_seconds, migration_seconds, ghosting_seconds, build_seconds;
    double query_seconds, waited_seconds, busy_seconds;
} throng_cluster_rank_report;

// One for each rank; valid until the next call of this. `imbalance`, which may be NULL, is how many times the
// mean the busiest rank was busy.
THRONG_CLUSTER_API throng_cluster_status throng_cluster_reports(throng_cluster* cluster,
                                                                const throng_cluster_rank_report** reports,
                                                                uint64_t* count, double* imbalance);

#ifdef __cplusplus
}
#endif
#endif
