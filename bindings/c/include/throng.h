// Throng in C: a spatial index in the plane for very many agents; most of them move in every frame.
//
//     throng_engine_config config;
//     throng_engine* engine = NULL;
//     throng_frame* frame = NULL;
//     throng_pairs* pairs = NULL;
//     throng_boxes boxes;
//     throng_engine_config_init(&config);
//     throng_boxes_init(&boxes);
//     throng_boxes_points(&boxes, x, y, 0.5f, count, 0);  // arrays of floats; all reach 0.5 far
//     if (throng_engine_create(&config, &engine, NULL) != THRONG_OK) return 1;
//     if (throng_pairs_create(engine, &pairs, NULL) != THRONG_OK) return 1;
//     if (throng_engine_update(engine, &boxes, NULL, NULL) != THRONG_OK) return 1;
//     if (throng_engine_frame(engine, &frame, NULL) != THRONG_OK) return 1;
//     throng_frame_pairs(frame, NULL, pairs, NULL);  // every two that touch
//
// An update takes the boxes of all agents and makes a frame. A frame is a snapshot that any thread may query.
//
// Link with -lthrong_c. The library exports only names that begin with throng_. This header is C99, and C++.
//
// Calls. Calls take and return only numbers and pointers, so the foreign function interface of every language
// can make them. In a number that says yes or no, 0 is no. Sizes are in elements, strides in bytes.
//
// Structs with options begin with their size. Initialise each with its macro, throng_filter_init(&filter),
// which fills in the defaults, and then set what you want. A newer library fills in what your header lacks.
// An older one refuses options that it does not know with THRONG_BAD_STRUCT, unless they are zero. A call
// that allows NULL for an option struct then uses the defaults. Structs without a size are elements of arrays
// and never change.
//
// Failure. Each call that can fail returns a status: THRONG_OK or one of the codes below. A failed call
// leaves the engine as it was. The last argument may be NULL, or takes the details: which argument was wrong,
// and which of its elements. A NULL handle or pointer that is needed is THRONG_NULL_POINTER. Nothing throws,
// prints, aborts or exits. No call can tell that a handle was destroyed: it is a dangling pointer.
//
// Threads. One thread at a time may write to an engine. Meanwhile any thread may call throng_engine_frame and
// query the frames that it holds. A result object is for one thread at a time. The library starts no threads:
// parallel work runs on the host's (throng_engine_config), or on oneTBB's if the library was built with it.
//
// Floating point. A host may round as it likes, but all writes to one engine must round alike. No calling
// thread may trap on floating-point exceptions.
//
// Cost. Batches and calls for all agents run in parallel and cost what they cost in C++. Single queries run
// on the calling thread. Keep result objects and frame handles: then a settled world allocates nothing.
//
// Calls under THRONG_EXPERIMENTAL may change without a new major version. The rest may only grow.
#ifndef THRONG_H
#define THRONG_H

#include <stdint.h>

#if defined(THRONG_C_EXPORTS) && defined(__GNUC__)
#define THRONG_C_API __attribute__((visibility("default")))
#else
#define THRONG_C_API
#endif
// Marks a call that may still change.
#define THRONG_EXPERIMENTAL

#ifdef __cplusplus
extern "C" {
#endif

// --- The version -------------------------------------------------------------------------------------------

// Of this header.
#define THRONG_C_VERSION_MAJOR 0
#define THRONG_C_VERSION_MINOR 3
#define THRONG_C_VERSION_PATCH 0
#define THRONG_C_VERSION \
    (THRONG_C_VERSION_MAJOR * 1000000u + THRONG_C_VERSION_MINOR * 1000u + THRONG_C_VERSION_PATCH)

// Of the library, as the same number: 1.2.3 is 1002003.
THRONG_C_API uint32_t throng_version(void);

// --- Statuses ----------------------------------------------------------------------------------------------

// What went wrong.
enum {
    THRONG_OK = 0,
    THRONG_NOT_FINITE = 1,     // a coordinate is NaN, infinite, or too large for a float
    THRONG_INVERTED = 2,       // a minimum above its maximum: a negative half extent or radius
    THRONG_UNKNOWN_ID = 3,     // the id was never in use, or its agent was removed
    THRONG_DUPLICATE_ID = 4,   // the same id twice in one call
    THRONG_SIZE_MISMATCH = 5,  // arrays that belong together differ in length
    THRONG_NULL_VIEW = 6,      // an array that is NULL, with a count above zero
    THRONG_BAD_STRIDE = 7,     // several elements with a stride that is shorter than one
    THRONG_TOO_MANY = 8,       // more than 4,294,967,040 agents, or an id that is that large
    THRONG_EDITS_PENDING = 9,  // a bulk update while edits are staged
    THRONG_OUT_OF_MEMORY = 10,
    THRONG_BAD_CONFIG = 11,   // an option out of range, or options that do not go together or with the call
    THRONG_UNKNOWN_ISA = 12,  // no instruction set has that name
    THRONG_UNSUPPORTED_ISA = 13,  // this machine or library cannot run the instruction set
    THRONG_BAD_EXECUTOR = 14,     // the host's parallel_for did not run every block exactly once
    THRONG_TOO_LARGE = 17,        // an element is larger than the structure allows
    THRONG_BAD_SHAPE = 19,        // a polygon that is not convex, or has no corner or more than 32
    THRONG_OTHER_ROUNDING =
        20,                 // a thread edits a structure, but rounds otherwise than the thread that made it
    THRONG_CANCELLED = 21,  // the host stopped the call: throng_cancel_with
    THRONG_BAD_PLAN = 22,   // the bytes are no plan, or one of an engine with another configuration
    // Only in C.
    THRONG_NULL_POINTER = 100,  // a handle or a pointer is NULL
    THRONG_BAD_STRUCT = 101,    // no struct that this library knows has that size: was it initialised?
    THRONG_BAD_VERSION = 102    // the header has another major version than the library
};

// Which argument was wrong.
enum {
    THRONG_ARGUMENT_ANY = 0,    // no particular argument
    THRONG_ARGUMENT_BOXES = 1,  // boxes, shapes, points or casts
    THRONG_ARGUMENT_IDS = 2,    // ids of agents, or the place for new ones
    THRONG_ARGUMENT_LABELS = 3,
    THRONG_ARGUMENT_FILTERS = 4,
    THRONG_ARGUMENT_RADII = 5,
    THRONG_ARGUMENT_OUTPUT = 6,  // memory or an object for answers
    THRONG_ARGUMENT_OPTIONS =
        7,  // throng_within, throng_nearest, throng_pair_query or throng_kept_neighbourhood
    THRONG_ARGUMENT_EXTENTS = 8,
    THRONG_ARGUMENT_CELL_SIZE = 9,
    THRONG_ARGUMENT_ELEMENT_SIZE = 10,
    THRONG_ARGUMENT_COUNTS = 11,
    THRONG_ARGUMENT_EXECUTOR = 12,
    THRONG_ARGUMENT_COUNT = 13,  // of throng_within and throng_nearest, named like the member
    THRONG_ARGUMENT_AGENTS_AS = 14,
    THRONG_ARGUMENT_HALF = 15,
    THRONG_ARGUMENT_EITHER_REACHES = 16,
    THRONG_ARGUMENT_IN_ROW_ORDER = 17,
    THRONG_ARGUMENT_QUERIES = 18,  // what is asked about, in calls that also take the agents' boxes
    THRONG_ARGUMENT_LISTS = 19,    // throng_links: offsets, places and ids of lists, or pairs
    THRONG_ARGUMENT_VALUES = 20,   // columns of values
    THRONG_ARGUMENT_WEIGHTS = 21,
    THRONG_ARGUMENT_OWNED = 22,    // more ghosts than boxes, or ghosts in a call other than an update
    THRONG_ARGUMENT_PERIOD = 23,   // out of range, or of two frames whose worlds wrap around differently
    THRONG_ARGUMENT_HEIGHTS = 24,  // of boxes or of a filter, or heights where the call takes none
    // Only in C.
    THRONG_ARGUMENT_HANDLE = 100,  // the engine, the frame, or whatever else the call is for
    THRONG_ARGUMENT_CONFIG = 101,
    THRONG_ARGUMENT_MEMORY = 102,  // one of the host's two functions for memory is missing
    THRONG_ARGUMENT_ISA = 103
};

#define THRONG_NO_INDEX UINT64_MAX
#define THRONG_NO_AGENT UINT32_MAX

typedef struct throng_status_details {
    uint32_t size;
    int32_t code;
    int32_t argument;
    uint32_t reserved;
    uint64_t index;  // the lowest element at fault, or THRONG_NO_INDEX
} throng_status_details;
#define throng_status_details_init(details) throng_init_status_details((details), sizeof *(details))
THRONG_C_API int32_t throng_init_status_details(throng_status_details* details, uint32_t size);

// A sentence for people, which stays valid; "unknown code" for a number that is no code.
THRONG_C_API const char* throng_status_text(int32_t code);
// The sentence with argument and index. Writes as much as fits, with a terminating zero, and returns the
// length of the whole.
THRONG_C_API uint64_t throng_status_describe(const throng_status_details* details, char* text, uint64_t room);

// --- Elements of arrays ------------------------------------------------------------------------------------

// Closed: boxes that touch overlap.
typedef struct throng_box {
    float min_x, min_y, max_x, max_y;
} throng_box;
typedef struct throng_point {
    float x, y;
} throng_point;
typedef struct throng_pair {
    uint32_t a, b;
} throng_pair;
// One agent, for good. A later agent may get the same id, but never the handle.
typedef struct throng_handle {
    uint32_t id, generation;
} throng_handle;
typedef struct throng_label {
    uint32_t categories, group;
} throng_label;
// From `min_z` to `max_z`, both included.
typedef struct throng_band {
    float min_z, max_z;
} throng_band;
typedef struct throng_neighbour {
    uint32_t id;
    float squared_distance;
} throng_neighbour;
// How many others a trial move overlaps before and after it, and whether it was made: 1 or 0.
typedef struct throng_trial {
    uint32_t before, after, accepted;
} throng_trial;
// A box that moves by (dx, dy) from time 0 to time 1, with corners rounded by a radius. A point is a ray;
// with a radius it is a circle. What it touches at the start is hit at time 0, wherever it moves. So an agent
// at a wall casts a slightly smaller shape, or stops a little before what it hits.
typedef struct throng_cast {
    float min_x, min_y, max_x, max_y, dx, dy, radius;
} throng_cast;
// The heights of a cast: those at time 0, any floats, and by how much they rise until time 1. A line of sight
// has two equal edges, and rises from the eye to the target.
typedef struct throng_cast_heights {
    float min_z, max_z, dz;
} throng_cast_heights;
// Which agent, and at which fraction of the movement. Without a hit: THRONG_NO_AGENT and infinity. For an
// element of the static layer `is_static` is 1.
typedef struct throng_cast_hit {
    uint32_t id;
    float fraction;
    uint32_t is_static;
} throng_cast_hit;

// What counts of agents for a circle, neighbours or pairs: their boxes, the centres of the boxes, or the
// largest circles in them.
enum { THRONG_AGENTS_AS_BOXES = 0, THRONG_AGENTS_AS_CENTRES = 1, THRONG_AGENTS_AS_CIRCLES = 2 };
typedef struct throng_circle {
    float x, y, radius;
    uint8_t agents_as;
    uint8_t reserved[3];
} throng_circle;
// A shape of any kind: a box from (x, y) to (to_x, to_y); a circle around (x, y); all points within a radius
// of the segment from (x, y) to (to_x, to_y); a convex polygon with its corners in order, clockwise or not.
enum { THRONG_BOX = 0, THRONG_CIRCLE = 1, THRONG_SEGMENT = 2, THRONG_POLYGON = 3 };
typedef struct throng_shape {
    uint32_t kind;
    uint32_t agents_as;  // for a circle
    float x, y, to_x, to_y, radius;
    uint32_t corner_count;
    const throng_point* corners;
} throng_shape;
// Like throng_filter below, for one query of a batch.
typedef struct throng_query_filter {
    uint32_t categories, self, not_in_group;
} throng_query_filter;

// --- What is given -----------------------------------------------------------------------------------------

// How boxes are given.
enum { THRONG_MIN_MAX = 0, THRONG_CENTRE_HALF = 1, THRONG_POINTS = 2, THRONG_CIRCLES = 3, THRONG_SHAPES = 4 };

// Boxes in the host's arrays. They are read during the call and not kept. A stride goes from one element to
// the next; 0 means close together, which is read fastest. The queries of a batch, and only they, may be
// circles or other shapes, close together. Circles are answered faster than shapes of mixed kinds.
typedef struct throng_boxes {
    uint32_t size;
    uint32_t form;  // THRONG_MIN_MAX: all four arrays are edges
    uint64_t count;
    const float* x;  // the minimum or the centre
    const float* y;
    const float* last_x;  // the maximum or the half extent; not read for points
    const float* last_y;
    uint64_t stride_x, stride_y, stride_last_x, stride_last_y;
    float radius;  // for points: how far all of them reach
    uint32_t reserved;
    const throng_circle* circles;  // for THRONG_CIRCLES
    const throng_shape* shapes;    // for THRONG_SHAPES
    // For boxes and points. Each array here that is not NULL is read instead of the array of floats above.
    // The origin is subtracted from minimum, maximum and centre, whether floats or doubles, and the half
    // extent or the radius is added, all in double. Each edge is rounded once to the nearest float, so boxes
    // that touch in doubles still touch. Give a point amid the agents, and use the same one for all agents of
    // an engine, its static layer and its queries. An edge too large for a float is THRONG_NOT_FINITE.
    const double* double_x;
    const double* double_y;
    const double* double_last_x;
    const double* double_last_y;
    double origin_x, origin_y;
    // For an update, and otherwise 0: how many of the boxes, the last ones, are ghosts. A ghost is a copy of
    // an agent that another engine owns: for the next tile, in another process or on another machine. Pairs
    // of two ghosts are not listed, and only owned agents get lists and counts in calls for all agents.
    // Queries of the host's own find both. Edits leave an agent owned or a ghost; inserted agents are owned.
    uint64_t ghosts;
    // For an update, an insert, a move or a static layer, and otherwise NULL: a band of heights for each box,
    // such as a storey, from min_z to max_z, or to min_z + height if max_z is NULL. If both are NULL, all
    // agents have every height, and agents that move keep theirs. Any float is legal, infinite ones too. Two
    // agents are a pair, or neighbours, only if they share a height. Queries choose storeys by their filters.
    const float* min_z;
    const float* max_z;
    uint64_t stride_z;  // of both
    float height;
    uint32_t reserved_z;
} throng_boxes;
#define throng_boxes_init(boxes) throng_init_boxes((boxes), sizeof *(boxes))
THRONG_C_API int32_t throng_init_boxes(throng_boxes* boxes, uint32_t size);
// These fill in an initialised struct, with one stride for all arrays.
THRONG_C_API int32_t throng_boxes_min_max(throng_boxes* boxes, const float* min_x, const float* min_y,
                                          const float* max_x, const float* max_y, uint64_t count,
                                          uint64_t stride);
THRONG_C_API int32_t throng_boxes_centre_half(throng_boxes* boxes, const float* x, const float* y,
                                              const float* half_x, const float* half_y, uint64_t count,
                                              uint64_t stride);
THRONG_C_API int32_t throng_boxes_points(throng_boxes* boxes, const float* x, const float* y, float radius,
                                         uint64_t count, uint64_t stride);
// The same for doubles, with an origin.
THRONG_C_API int32_t throng_boxes_double_min_max(throng_boxes* boxes, const double* min_x,
                                                 const double* min_y, const double* max_x,
                                                 const double* max_y, uint64_t count, uint64_t stride,
                                                 double origin_x, double origin_y);
THRONG_C_API int32_t throng_boxes_double_centre_half(throng_boxes* boxes, const double* x, const double* y,
                                                     const double* half_x, const double* half_y,
                                                     uint64_t count, uint64_t stride, double origin_x,
                                                     double origin_y);
THRONG_C_API int32_t throng_boxes_double_points(throng_boxes* boxes, const double* x, const double* y,
                                                float radius, uint64_t count, uint64_t stride,
                                                double origin_x, double origin_y);
THRONG_C_API int32_t throng_boxes_of(throng_boxes* boxes, const throng_box* first, uint64_t count);
THRONG_C_API int32_t throng_boxes_circles(throng_boxes* boxes, const throng_circle* first, uint64_t count);
THRONG_C_API int32_t throng_boxes_shapes(throng_boxes* boxes, const throng_shape* first, uint64_t count);

// Labels of agents: a mask of up to 32 categories, and a group. NULL for an array means the first category,
// or no group (UINT32_MAX).
typedef struct throng_labels {
    uint32_t size;
    uint32_t reserved;
    uint64_t count;
    const uint32_t* categories;
    const uint32_t* groups;
    uint64_t stride;  // of both; 0 means close together
} throng_labels;
#define throng_labels_init(labels) throng_init_labels((labels), sizeof *(labels))
THRONG_C_API int32_t throng_init_labels(throng_labels* labels, uint32_t size);

// Which agents a query finds: those with one of the categories, and neither `self` nor in that group.
typedef struct throng_filter {
    uint32_t size;
    uint32_t categories;           // UINT32_MAX: all, also those without any
    uint32_t self;                 // THRONG_NO_AGENT: no agent is left out
    uint32_t not_in_group;         // UINT32_MAX: no group is left out
    uint32_t each_without_itself;  // for a batch: query i leaves out agent i; no effect on one query
    // Elements of the frame's static layer are found as well, by their categories and group; `self` leaves
    // out none of them. Counts are of both together, unless they tell which is which. Lists of ids are two
    // results: see the calls that end in _both.
    uint32_t with_static;
    // For a batch: one for each query, or each id, instead of the categories, self and group above. No effect
    // on one query.
    const throng_query_filter* each;
    uint64_t each_count;
    // For agents with heights: those that share one with the band from min_z to max_z. By default it has
    // every height, and so has an agent without a band.
    float min_z, max_z;
    // For a batch: a band for each query instead, with or without `each`. No effect on one query; refused
    // with each_without_itself.
    const throng_band* each_band;
    uint64_t each_band_count;
    // For calls with casts: the heights of each cast, or of the only one. A cast touches an agent at the
    // first time at which they share a height; the band above must admit the agent as well. NULL: casts have
    // every height. No effect on other queries.
    const throng_cast_heights* cast_heights;
    uint64_t cast_heights_count;
} throng_filter;
#define throng_filter_init(filter) throng_init_filter((filter), sizeof *(filter))
THRONG_C_API int32_t throng_init_filter(throng_filter* filter, uint32_t size);

// --- Memory and threads of the host, and the engine --------------------------------------------------------

// Returns memory of that size and alignment, a power of two, or NULL. It is given back with the same numbers.
// Calls for one engine come one at a time, but from any thread that uses it.
typedef void* (*throng_allocate)(void* context, uint64_t bytes, uint64_t alignment);
typedef void (*throng_deallocate)(void* context, void* memory, uint64_t bytes, uint64_t alignment);

// Calls body(argument, index) exactly once for each index below `count`, on any threads in any order, and
// returns when all have returned. It may be called from several threads at once. No block waits, or calls
// back into it. It and each block take up to 112 KB of stack. `count` is at most 4,096.
typedef void (*throng_block)(void* argument, uint64_t index);
typedef void (*throng_parallel_for)(void* context, uint64_t count, throng_block body, void* argument);

typedef struct throng_engine throng_engine;
typedef struct throng_frame throng_frame;
// Results, see below.
typedef struct throng_hits throng_hits;
typedef struct throng_hits_as_found throng_hits_as_found;
typedef struct throng_pairs throng_pairs;
typedef struct throng_neighbours throng_neighbours;
typedef struct throng_cast_hits throng_cast_hits;
typedef struct throng_pair_changes throng_pair_changes;
typedef struct throng_kept_neighbours throng_kept_neighbours;
typedef struct throng_memory throng_memory;

// What the pointers point to, and both contexts, must outlive the engine, its frames, its static layers and
// its result objects.
typedef struct throng_engine_config {
    uint32_t size;
    uint32_t header_version;           // filled in by the macro
    throng_parallel_for parallel_for;  // NULL: oneTBB if the library has it, otherwise the calling thread
    void* executor_context;
    uint32_t workers;          // how many threads parallel_for has: a hint that changes no answer
    uint32_t serial;           // 1: everything runs on the calling thread, if parallel_for is NULL
    throng_allocate allocate;  // NULL: the global heap
    throng_deallocate deallocate;
    void* memory_context;
    const char* isa;  // the name of an instruction set, such as "avx2"; NULL: the best that runs here
    float cell_width, row_height;  // a fixed grid; 0 lets the engine choose, which is nearly always best
    float common_size;             // larger agents are kept outside of the grid; 0 lets the engine choose
    // 1: if `allocate` is NULL, blocks of two megabytes and more lie in huge pages, if the system has them.
    // First calls take much less time, and up to two megabytes of each block stay unused.
    uint32_t huge_pages;
    uint32_t threads;  // if parallel_for is NULL: at most so many of oneTBB's; 0: all
    uint32_t reserved;
    // The distance once around the world in each direction, from 1e-30 to 1e30; 0: it does not wrap around.
    // Agents and queries may be anywhere and are folded: an agent's centre goes into [0, period), doubles
    // before they are rounded. What is near a seam is found from its other side. A static layer is copied and
    // folded when it is set. Calls for two frames whose worlds do not wrap around alike are THRONG_BAD_CONFIG
    // with THRONG_ARGUMENT_PERIOD. What goes around more than sixteen times is THRONG_TOO_LARGE.
    float period_x, period_y;
} throng_engine_config;
#define throng_engine_config_init(config) \
    throng_init_engine_config((config), sizeof *(config), THRONG_C_VERSION)
THRONG_C_API int32_t throng_init_engine_config(throng_engine_config* config, uint32_t size,
                                               uint32_t header_version);

// Lets a host stop long calls. From now on, calls of this thread ask `cancelled` on this thread, about every
// 50 milliseconds, whether to end. While it returns other than 0, they end within milliseconds and return
// THRONG_CANCELLED: answers are empty, nothing has changed, and the same call may be made again. Only counts
// and the like in the host's memory may have been written. Calls of other threads go on. `cancelled` may take
// its time; calls that it makes to this library do not ask it. If the host's parallel_for runs no blocks on
// the calling thread, a call asks only between its steps. NULL ends this: do so before the thread ends.
typedef int32_t (*throng_cancelled)(void* context);
THRONG_C_API void throng_cancel_with(throng_cancelled cancelled, void* context);

// On failure *engine is NULL. THRONG_BAD_VERSION if the header has another major version.
THRONG_C_API int32_t throng_engine_create(const throng_engine_config* config, throng_engine** engine,
                                          throng_status_details* details);
// Frames and result objects live on. NULL is fine.
THRONG_C_API void throng_engine_destroy(throng_engine* engine);

// --- Writing: one thread at a time -------------------------------------------------------------------------

// Replaces all agents, with ids from 0, and publishes a frame. `labels` may be NULL. The details name the
// lowest agent whose box is illegal. This is the fastest way if most agents move.
THRONG_C_API int32_t throng_engine_update(throng_engine* engine, const throng_boxes* boxes,
                                          const throng_labels* labels, throng_status_details* details);
// The same, but element i has the id ids[i]: `count` ids, which may have gaps. Dense ascending ids are
// fastest.
THRONG_C_API int32_t throng_engine_update_by_ids(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                                 const throng_boxes* boxes, const throng_labels* labels,
                                                 throng_status_details* details);
// Both, with all pairs of the new frame, as throng_frame_pairs lists them. It takes as long as both calls. If
// it fails there are no pairs, and nothing was published.
THRONG_C_API int32_t throng_engine_update_with_pairs(throng_engine* engine, const throng_boxes* boxes,
                                                     const throng_labels* labels, throng_pairs* pairs,
                                                     throng_status_details* details);
THRONG_C_API int32_t throng_engine_update_by_ids_with_pairs(throng_engine* engine, const uint32_t* ids,
                                                            uint64_t count, const throng_boxes* boxes,
                                                            const throng_labels* labels, throng_pairs* pairs,
                                                            throng_status_details* details);
// Both for input that cannot be trusted: agents with illegal boxes are left out of the frame, and their ids
// written in ascending order, as many as there is room for. `total`, which may be NULL, takes how many were
// left out.
THRONG_C_API int32_t throng_engine_update_legal(throng_engine* engine, const throng_boxes* boxes,
                                                const throng_labels* labels, uint32_t* left_out,
                                                uint64_t room, uint64_t* total,
                                                throng_status_details* details);
THRONG_C_API int32_t throng_engine_update_legal_by_ids(throng_engine* engine, const uint32_t* ids,
                                                       uint64_t count, const throng_boxes* boxes,
                                                       const throng_labels* labels, uint32_t* left_out,
                                                       uint64_t room, uint64_t* total,
                                                       throng_status_details* details);

// Edits are staged, and commit publishes all of them as one frame. Only what changed is rebuilt.

// New agents, whose ids are written to `ids`, which has room for `count`: as many as boxes. `labels` may be
// NULL.
THRONG_C_API int32_t throng_engine_insert(throng_engine* engine, const throng_boxes* boxes,
                                          const throng_labels* labels, uint32_t* ids, uint64_t count,
                                          throng_status_details* details);
// New boxes, which may bring other heights; other labels; and the removal of agents.
THRONG_C_API int32_t throng_engine_move(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                        const throng_boxes* boxes, throng_status_details* details);
THRONG_C_API int32_t throng_engine_relabel(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                           const throng_labels* labels, throng_status_details* details);
THRONG_C_API int32_t throng_engine_remove(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                          throng_status_details* details);
// Publishes the staged edits.
THRONG_C_API int32_t throng_engine_commit(throng_engine* engine, throng_status_details* details);
// Drops the staged edits.
THRONG_C_API int32_t throng_engine_discard(throng_engine* engine, throng_status_details* details);
// How many edits are staged.
THRONG_C_API uint64_t throng_engine_staged(const throng_engine* engine);

// Trial moves, one after the other, as in a Monte Carlo simulation. Trial i moves the agent ids[i] to
// boxes[i], if the rule accepts it; then it is published at once, and the next trials see it. Others are
// counted that overlap a circle around the centre of the agent's box: where the agent is, and where it would
// be.
typedef struct throng_trial_rule {
    uint32_t size;
    uint32_t agents_as;  // what others are to the circle: THRONG_AGENTS_AS_CIRCLES
    float radius;        // must be given, unless there are radii
    uint32_t reserved;
    const float* radii;  // NULL, or one for each trial
    uint64_t radii_count;
    // The weights of an agent that overlaps 0, 1, 2.. others; of more others the weight is 0. A trial is
    // accepted if its random number times the weight before is less than the weight after. With random
    // numbers from [0, 1) and weights exp(-energy / temperature) that is Metropolis' rule. NULL: hard discs.
    // A trial is accepted if nothing overlaps afterwards.
    const double* weights;
    uint64_t weight_count;
    const double* randoms;  // one for each trial, or NULL without weights
    uint64_t random_count;
} throng_trial_rule;
#define throng_trial_rule_init(rule) throng_init_trial_rule((rule), sizeof *(rule))
THRONG_C_API int32_t throng_init_trial_rule(throng_trial_rule* rule, uint32_t size);

// One trial for each id and box, and room for as many answers. With staged edits it is refused, and a static
// layer that was set is published first. `filter` says which others count. The agent that moves never does,
// so `self` is refused there, and so are `each`, `each_band` and each_without_itself. All arguments are
// checked first. The call ends amid the trials only if memory runs out or it is cancelled. `total`, which may
// be NULL, takes how many were made, and these stay.
//
// The engine notes where agents are, 8 bytes for each id below throng_frame_id_bound, until
// throng_engine_release_memory. Calls that follow each other, with no other write between, find it there. Ids
// far apart, above 16 million and fewer than one in 64 in use, are THRONG_TOO_MANY.
THRONG_C_API int32_t throng_engine_try_moves(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                             const throng_boxes* boxes, const throng_trial_rule* rule,
                                             const throng_filter* filter, throng_trial* trials, uint64_t room,
                                             uint64_t* total, throng_status_details* details);

// The handle of an agent, for hosts whose agents may be removed elsewhere: by now its id might be another
// agent's. A handle survives updates that include its id.
THRONG_C_API int32_t throng_engine_handle(throng_engine* engine, uint32_t id, throng_handle* agent,
                                          throng_status_details* details);
// The id of a handle's agent; THRONG_NO_AGENT if the agent is gone. Edits refuse that.
THRONG_C_API uint32_t throng_engine_id(const throng_engine* engine, const throng_handle* agent);

// Subtracts (dx, dy) from every box, rounding as a float subtraction does, and publishes that frame. A static
// layer does not move.
THRONG_C_API int32_t throng_engine_rebase(throng_engine* engine, float dx, float dy,
                                          throng_status_details* details);
// Gives the agent with the id order[k] the id k, and publishes that frame. `order` names every agent once. In
// the order of throng_frame_row_order, agents near each other in the world get ids, and so places in the
// host's arrays, near each other. All handles become stale.
THRONG_C_API int32_t throng_engine_renumber(throng_engine* engine, const uint32_t* order, uint64_t count,
                                            throng_status_details* details);

// The plan: on which grid the agents are, and all that decides when a grid is chosen again. The order of
// answers follows from the agents and from the plan, and the plan from all earlier updates. So engines with
// the same agents but other histories give the same answers in another order. A game in lockstep hands the
// plan on to a player who joins, and keeps it for each frame to which it may go back. The bytes are the same
// on every machine.

// Writes the plan of the newest frame as bytes, as many as there is room for: about 410, and about 36 for
// each island. `total`, which may be NULL, takes how many there are.
THRONG_C_API int32_t throng_engine_plan(const throng_engine* engine, uint8_t* bytes, uint64_t room,
                                        uint64_t* total, throng_status_details* details);
// The next update builds its frame as the engine of the plan would, and from then on both give the same bytes
// for the same calls. The bytes may come from anywhere: what is no plan, or one of an engine with other sizes
// in its configuration, is THRONG_BAD_PLAN.
THRONG_C_API int32_t throng_engine_set_plan(throng_engine* engine, const uint8_t* bytes, uint64_t count,
                                            throng_status_details* details);
// The next update builds its frame as a new engine would.
THRONG_C_API int32_t throng_engine_replan(throng_engine* engine, throng_status_details* details);

// What never moves: built once, and shared by the frames of one or more engines. Its elements have ids of
// their own, from 0. It uses the memory and the threads of that engine, or the defaults if it is NULL.
// `labels` may be NULL. On failure *layer is NULL.
typedef struct throng_static_layer throng_static_layer;
THRONG_C_API int32_t throng_static_layer_create(const throng_engine* engine, const throng_boxes* boxes,
                                                const throng_labels* labels, throng_static_layer** layer,
                                                throng_status_details* details);
// Another layer: the same elements with (dx, dy) subtracted, as in throng_engine_rebase.
THRONG_C_API int32_t throng_static_layer_rebased(const throng_static_layer* layer, float dx, float dy,
                                                 throng_static_layer** rebased,
                                                 throng_status_details* details);
// Frames and engines that have it keep it. NULL is fine.
THRONG_C_API void throng_static_layer_destroy(throng_static_layer* layer);
// Its elements as a frame of their own; *frame as in throng_engine_frame.
THRONG_C_API int32_t throng_static_layer_frame(const throng_static_layer* layer, throng_frame** frame,
                                               throng_status_details* details);
// Frames published from now on have this layer; earlier ones keep theirs.
THRONG_C_API int32_t throng_engine_set_static_layer(throng_engine* engine, const throng_static_layer* layer,
                                                    throng_status_details* details);
// Frames published from now on have no layer.
THRONG_C_API int32_t throng_engine_clear_static_layer(throng_engine* engine, throng_status_details* details);

// For a loading screen: takes the memory for updates of up to so many agents and commits of up to so many
// edits now, and touches its pages, so that the first frames do not wait for the system. It is kept until
// throng_engine_release_memory.
THRONG_C_API int32_t throng_engine_reserve(throng_engine* engine, uint64_t agents, uint64_t edits,
                                           throng_status_details* details);
// Gives back what is kept for later calls.
THRONG_C_API int32_t throng_engine_release_memory(throng_engine* engine, throng_status_details* details);

// --- Reports -----------------------------------------------------------------------------------------------

// Bytes, by part.
typedef struct throng_memory_report {
    uint32_t size;
    uint32_t reserved;
    uint64_t rows, history, tables, agents, staged, scratch;
    uint64_t allocations;  // how many so far
} throng_memory_report;
#define throng_memory_report_init(report) throng_init_memory_report((report), sizeof *(report))
THRONG_C_API int32_t throng_init_memory_report(throng_memory_report* report, uint32_t size);

// The grid of a frame. THRONG_EXPERIMENTAL: the numbers describe internals.
typedef struct throng_tuning {
    uint32_t size;
    int32_t reason;  // throng_tuning_text has it in words
    float cell_width, row_height, origin_x, origin_y;
    uint32_t columns, rows;
    float common_width, common_height;
    uint32_t islands;
    float crowding;
    uint64_t oversized, times_chosen;
} throng_tuning;
#define throng_tuning_init(tuning) throng_init_tuning((tuning), sizeof *(tuning))
THRONG_C_API int32_t throng_init_tuning(throng_tuning* tuning, uint32_t size);

typedef struct throng_validation {
    uint32_t size;
    int32_t first;    // the first fault; throng_fault_text has it in words
    uint64_t faults;  // 0: all is sound
    uint32_t row, slot, agent, reserved;
} throng_validation;
#define throng_validation_init(validation) throng_init_validation((validation), sizeof *(validation))
THRONG_C_API int32_t throng_init_validation(throng_validation* validation, uint32_t size);

// For the thread that writes.
THRONG_C_API int32_t throng_engine_memory(const throng_engine* engine, throng_memory_report* report,
                                          throng_status_details* details);
THRONG_EXPERIMENTAL THRONG_C_API int32_t throng_engine_tuning(const throng_engine* engine,
                                                              throng_tuning* tuning,
                                                              throng_status_details* details);
// How the library was built, such as the instruction sets and oneTBB, in one line for bug reports. Writes as
// much as fits, with a terminating zero, and returns the length of the whole.
THRONG_C_API uint64_t throng_build_describe(char* text, uint64_t room);
// Reads everything, on this thread: for tests and bug reports.
THRONG_C_API int32_t throng_engine_validate(const throng_engine* engine, throng_validation* validation,
                                            throng_status_details* details);
// How many agents the newest frame has; 0 for NULL.
THRONG_C_API uint64_t throng_engine_size(const throng_engine* engine);
// The name of the instruction set; NULL for NULL.
THRONG_C_API const char* throng_engine_isa(const throng_engine* engine);
THRONG_EXPERIMENTAL THRONG_C_API const char* throng_tuning_text(int32_t reason);
THRONG_EXPERIMENTAL THRONG_C_API const char* throng_fault_text(int32_t fault);

// --- Frames ------------------------------------------------------------------------------------------------

// The newest frame: an immutable snapshot, which lives until it is released, even if the engine is gone. Any
// thread may call this. *frame must be NULL or a frame that you hold; that frame is released. If no one else
// holds it, its handle is reused and nothing is allocated. On failure *frame stays as it is.
THRONG_C_API int32_t throng_engine_frame(const throng_engine* engine, throng_frame** frame,
                                         throng_status_details* details);
// Adds and drops a reference to the frame. Any thread may call these. NULL is fine.
THRONG_C_API void throng_frame_retain(throng_frame* frame);
THRONG_C_API void throng_frame_release(throng_frame* frame);

// How many agents it has. This and the next three are 0 for NULL.
THRONG_C_API uint64_t throng_frame_size(const throng_frame* frame);
// One more than the largest id.
THRONG_C_API uint64_t throng_frame_id_bound(const throng_frame* frame);
// Its number among the frames that the engine published, from 1.
THRONG_C_API uint64_t throng_frame_number(const throng_frame* frame);
// A hash of all agents in their order, which follows from the engine's history; and a hash of the agents
// alone, the same in every frame with these ids, boxes, labels and heights.
THRONG_C_API uint64_t throng_frame_fingerprint(const throng_frame* frame);
THRONG_C_API uint64_t throng_frame_agents_fingerprint(const throng_frame* frame);
// The static layer of a frame, as a frame; it has no elements if there was none. *layer as in
// throng_engine_frame.
THRONG_C_API int32_t throng_frame_static_layer(const throng_frame* frame, throng_frame** layer,
                                               throng_status_details* details);
// The same frame, but its batches run on the calling thread: for use inside a job of the host's. *serial as
// above.
THRONG_C_API int32_t throng_frame_serial(const throng_frame* frame, throng_frame** serial,
                                         throng_status_details* details);

// The box and the label of an agent, or THRONG_UNKNOWN_ID. The first call for a frame makes a table of all
// agents, which costs at most an update.
THRONG_C_API int32_t throng_frame_agent_box(const throng_frame* frame, uint32_t id, throng_box* box,
                                            throng_status_details* details);
THRONG_C_API int32_t throng_frame_agent_label(const throng_frame* frame, uint32_t id, throng_label* label,
                                              throng_status_details* details);
// The band of heights of an agent: every height if it was given none.
THRONG_C_API int32_t throng_frame_agent_height(const throng_frame* frame, uint32_t id, throng_band* height,
                                               throng_status_details* details);
// The same for `count` agents. There must be room for as many.
THRONG_C_API int32_t throng_frame_agent_boxes(const throng_frame* frame, const uint32_t* ids, uint64_t count,
                                              throng_box* boxes, uint64_t room,
                                              throng_status_details* details);
THRONG_C_API int32_t throng_frame_agent_labels(const throng_frame* frame, const uint32_t* ids, uint64_t count,
                                               throng_label* labels, uint64_t room,
                                               throng_status_details* details);
THRONG_C_API int32_t throng_frame_agent_heights(const throng_frame* frame, const uint32_t* ids,
                                                uint64_t count, throng_band* heights, uint64_t room,
                                                throng_status_details* details);
// All agents with their boxes, row by row, in the order of answers: as many as there is room for,
// throng_frame_size in all. Either array may be NULL.
THRONG_C_API int32_t throng_frame_agents(const throng_frame* frame, uint32_t* ids, throng_box* boxes,
                                         uint64_t room, throng_status_details* details);
// The ids alone, in the same order, which is faster.
THRONG_C_API int32_t throng_frame_row_order(const throng_frame* frame, uint32_t* ids, uint64_t room,
                                            throng_status_details* details);
// 1 for a ghost, and 0 for an owned agent or an id that is not in use; and how many ghosts there are.
THRONG_C_API int32_t throng_frame_is_ghost(const throng_frame* frame, uint32_t id);
THRONG_C_API uint64_t throng_frame_ghost_count(const throng_frame* frame);

// --- Results -----------------------------------------------------------------------------------------------

// Result objects keep their memory, so keep them from call to call. Each uses the memory of the engine that
// it is made with, or the global heap if that is NULL. What a getter points to stays until the next call that
// fills the object, or until it is destroyed. `count` may be NULL, and takes the number of elements. List q
// goes from offsets[q] to offsets[q + 1]. There is one offset more than lists; none before the first call.

THRONG_C_API int32_t throng_hits_create(const throng_engine* engine, throng_hits** hits,
                                        throng_status_details* details);
THRONG_C_API void throng_hits_destroy(throng_hits* hits);
THRONG_C_API const uint64_t* throng_hits_offsets(const throng_hits* hits, uint64_t* count);
THRONG_C_API const uint32_t* throng_hits_ids(const throng_hits* hits, uint64_t* count);
// Sorts each list by id.
THRONG_C_API int32_t throng_hits_sort(throng_hits* hits, throng_status_details* details);

THRONG_C_API int32_t throng_pairs_create(const throng_engine* engine, throng_pairs** pairs,
                                         throng_status_details* details);
THRONG_C_API void throng_pairs_destroy(throng_pairs* pairs);
THRONG_C_API const throng_pair* throng_pairs_get(const throng_pairs* pairs, uint64_t* count);
// Sorts by `a`, which becomes the lower id of each, then by `b`; pairs of two frames keep their `a`.
THRONG_C_API int32_t throng_pairs_sort(throng_pairs* pairs, throng_status_details* details);

THRONG_C_API int32_t throng_neighbours_create(const throng_engine* engine, throng_neighbours** lists,
                                              throng_status_details* details);
THRONG_C_API void throng_neighbours_destroy(throng_neighbours* lists);
THRONG_C_API const uint64_t* throng_neighbours_offsets(const throng_neighbours* lists, uint64_t* count);
THRONG_C_API const uint32_t* throng_neighbours_ids(const throng_neighbours* lists, uint64_t* count);
// None unless they were asked for.
THRONG_C_API const float* throng_neighbours_squared_distances(const throng_neighbours* lists,
                                                              uint64_t* count);
// In row order: the agent that each list belongs to.
THRONG_C_API const uint32_t* throng_neighbours_agents(const throng_neighbours* lists, uint64_t* count);
// Sorts each list by id, with their distances.
THRONG_C_API int32_t throng_neighbours_sort(throng_neighbours* lists, throng_status_details* details);

THRONG_C_API int32_t throng_cast_hits_create(const throng_engine* engine, throng_cast_hits** hits,
                                             throng_status_details* details);
THRONG_C_API void throng_cast_hits_destroy(throng_cast_hits* hits);
THRONG_C_API const uint64_t* throng_cast_hits_offsets(const throng_cast_hits* hits, uint64_t* count);
THRONG_C_API const throng_cast_hit* throng_cast_hits_get(const throng_cast_hits* hits, uint64_t* count);

// Lists in the order in which they were found, which is the fastest: list k is that of query queries[k].
THRONG_C_API int32_t throng_hits_as_found_create(const throng_engine* engine, throng_hits_as_found** hits,
                                                 throng_status_details* details);
THRONG_C_API void throng_hits_as_found_destroy(throng_hits_as_found* hits);
THRONG_C_API const uint32_t* throng_hits_as_found_queries(const throng_hits_as_found* hits, uint64_t* count);
THRONG_C_API const uint64_t* throng_hits_as_found_offsets(const throng_hits_as_found* hits, uint64_t* count);
THRONG_C_API const uint32_t* throng_hits_as_found_ids(const throng_hits_as_found* hits, uint64_t* count);
// Sorts each list by id.
THRONG_C_API int32_t throng_hits_as_found_sort(throng_hits_as_found* hits, throng_status_details* details);

// Which pairs began and which ended since the last frame that this saw, and all pairs of that frame. `a` is
// below `b`; pairs that began or ended are sorted. `clear` forgets the frame.
THRONG_C_API int32_t throng_pair_changes_create(const throng_engine* engine, throng_pair_changes** changes,
                                                throng_status_details* details);
THRONG_C_API void throng_pair_changes_destroy(throng_pair_changes* changes);
THRONG_C_API void throng_pair_changes_clear(throng_pair_changes* changes);
THRONG_C_API const throng_pair* throng_pair_changes_began(const throng_pair_changes* changes,
                                                          uint64_t* count);
THRONG_C_API const throng_pair* throng_pair_changes_ended(const throng_pair_changes* changes,
                                                          uint64_t* count);
THRONG_C_API const throng_pair* throng_pair_changes_pairs(const throng_pair_changes* changes,
                                                          uint64_t* count);

// Neighbours that are kept from frame to frame, known as Verlet lists. List i has every agent that is within
// the radius of agent i and shares a height with it, and maybe others, which may have gone far away since. If
// little moves, most calls make no search. `clear` forgets the lists.
typedef struct throng_kept_neighbourhood {
    uint32_t size;
    float radius;   // must be given
    float skin;     // how much further to look when lists are made
    uint32_t half;  // each pair once, in the list of the lower id
} throng_kept_neighbourhood;
#define throng_kept_neighbourhood_init(wanted) throng_init_kept_neighbourhood((wanted), sizeof *(wanted))
THRONG_C_API int32_t throng_init_kept_neighbourhood(throng_kept_neighbourhood* wanted, uint32_t size);
THRONG_C_API int32_t throng_kept_neighbours_create(const throng_engine* engine,
                                                   const throng_kept_neighbourhood* wanted,
                                                   throng_kept_neighbours** kept,
                                                   throng_status_details* details);
THRONG_C_API void throng_kept_neighbours_destroy(throng_kept_neighbours* kept);
THRONG_C_API void throng_kept_neighbours_clear(throng_kept_neighbours* kept);
THRONG_C_API const uint64_t* throng_kept_neighbours_offsets(const throng_kept_neighbours* kept,
                                                            uint64_t* count);
THRONG_C_API const uint32_t* throng_kept_neighbours_ids(const throng_kept_neighbours* kept, uint64_t* count);
// How many calls made lists so far.
THRONG_C_API uint64_t throng_kept_neighbours_times_rebuilt(const throng_kept_neighbours* kept);
// Whether the last call made lists: 1 or 0.
THRONG_C_API int32_t throng_kept_neighbours_was_rebuilt(const throng_kept_neighbours* kept);

// How many bytes of memory a result holds.
THRONG_C_API uint64_t throng_hits_bytes(const throng_hits* hits);
THRONG_C_API uint64_t throng_pairs_bytes(const throng_pairs* pairs);
THRONG_C_API uint64_t throng_neighbours_bytes(const throng_neighbours* lists);
THRONG_C_API uint64_t throng_cast_hits_bytes(const throng_cast_hits* hits);
THRONG_C_API uint64_t throng_hits_as_found_bytes(const throng_hits_as_found* hits);

// A block of the same memory, for the host's own arrays: at least so many bytes, at a multiple of 64.
THRONG_C_API int32_t throng_memory_create(const throng_engine* engine, uint64_t bytes, throng_memory** memory,
                                          throng_status_details* details);
THRONG_C_API void throng_memory_destroy(throng_memory* memory);
// Where it begins, and how many bytes it has.
THRONG_C_API void* throng_memory_get(throng_memory* memory, uint64_t* bytes);

// Answers in blocks, if all of them are too many to hold. This affects only the next call that fills the
// object: it begins at list `first`, and makes as many whole lists as fit into max_bytes, at least one,
// unless `first` is behind the last.
//
//     for (first = 0; first < boxes.count; first += count - 1) {
//         throng_hits_block(hits, first, 1 << 24, NULL);
//         if (throng_frame_overlaps_of(frame, &boxes, NULL, hits, NULL) != THRONG_OK) return 1;
//         offsets = throng_hits_offsets(hits, &count);  // count - 1 lists, from that of query `first` on
//         ids = throng_hits_ids(hits, NULL);
//     }
//
// Each list is the same as in a call for all. Lists of agents go up to throng_frame_id_bound, or in row order
// up to throng_frame_size. The call that begins at 0 checks all queries; later calls check those of their
// block. Nothing is searched twice if blocks are asked for one after the other with the same object: it
// remembers how much the last one found.
THRONG_C_API int32_t throng_hits_block(throng_hits* hits, uint64_t first, uint64_t max_bytes,
                                       throng_status_details* details);
THRONG_C_API int32_t throng_neighbours_block(throng_neighbours* lists, uint64_t first, uint64_t max_bytes,
                                             throng_status_details* details);
THRONG_C_API int32_t throng_cast_hits_block(throng_cast_hits* hits, uint64_t first, uint64_t max_bytes,
                                            throng_status_details* details);

// --- Queries: any thread. A filter may be NULL -------------------------------------------------------------

// Names are those of C++, with an ending where C++ has other parameters: _of takes many queries, _shape one
// shape, _into the host's own arrays, and _both has two results, the agents and the elements of the static
// layer. `neighbours` are those within a radius, or the nearest.

// Which agents overlap a box: as many ids as there is room for. `total`, which may be NULL, takes how many
// there are.
THRONG_C_API int32_t throng_frame_overlaps(const throng_frame* frame, const throng_box* box,
                                           const throng_filter* filter, uint32_t* ids, uint64_t room,
                                           uint64_t* total, throng_status_details* details);
// How many overlap it.
THRONG_C_API int32_t throng_frame_count(const throng_frame* frame, const throng_box* box,
                                        const throng_filter* filter, uint64_t* total,
                                        throng_status_details* details);
// Whether any does: 1 or 0.
THRONG_C_API int32_t throng_frame_any(const throng_frame* frame, const throng_box* box,
                                      const throng_filter* filter, int32_t* found,
                                      throng_status_details* details);
// The same for one shape.
THRONG_C_API int32_t throng_frame_overlaps_shape(const throng_frame* frame, const throng_shape* shape,
                                                 const throng_filter* filter, uint32_t* ids, uint64_t room,
                                                 uint64_t* total, throng_status_details* details);
THRONG_C_API int32_t throng_frame_count_shape(const throng_frame* frame, const throng_shape* shape,
                                              const throng_filter* filter, uint64_t* total,
                                              throng_status_details* details);
THRONG_C_API int32_t throng_frame_any_shape(const throng_frame* frame, const throng_shape* shape,
                                            const throng_filter* filter, int32_t* found,
                                            throng_status_details* details);
// The same for many boxes or shapes, with the answers in their order. There must be room for as many counts
// or bytes as boxes.
THRONG_C_API int32_t throng_frame_overlaps_of(const throng_frame* frame, const throng_boxes* boxes,
                                              const throng_filter* filter, throng_hits* hits,
                                              throng_status_details* details);
THRONG_C_API int32_t throng_frame_count_of(const throng_frame* frame, const throng_boxes* boxes,
                                           const throng_filter* filter, uint32_t* counts, uint64_t room,
                                           throng_status_details* details);
THRONG_C_API int32_t throng_frame_any_of(const throng_frame* frame, const throng_boxes* boxes,
                                         const throng_filter* filter, uint8_t* answers, uint64_t room,
                                         throng_status_details* details);
// Lists in the host's arrays: there must be one offset more than boxes. The first ids are written, as many as
// there is room for. `total`, which may be NULL, takes how many there are.
THRONG_C_API int32_t throng_frame_overlaps_into(const throng_frame* frame, const throng_boxes* boxes,
                                                const throng_filter* filter, uint64_t* offsets,
                                                uint64_t offset_room, uint32_t* ids, uint64_t room,
                                                uint64_t* total, throng_status_details* details);
// Agents and elements: two results with as many lists.
THRONG_C_API int32_t throng_frame_overlaps_of_both(const throng_frame* frame, const throng_boxes* boxes,
                                                   const throng_filter* filter, throng_hits* agents,
                                                   throng_hits* elements, throng_status_details* details);
// In the order in which they are found, which is the fastest.
THRONG_C_API int32_t throng_frame_overlaps_as_found(const throng_frame* frame, const throng_boxes* boxes,
                                                    const throng_filter* filter, throng_hits_as_found* hits,
                                                    throng_status_details* details);
THRONG_C_API int32_t throng_frame_overlaps_as_found_both(const throng_frame* frame, const throng_boxes* boxes,
                                                         const throng_filter* filter,
                                                         throng_hits_as_found* agents,
                                                         throng_hits_as_found* elements,
                                                         throng_status_details* details);

// Which pairs: one agent has one of the categories `a`, the other one of `b`, and they are at most `within`
// apart; at 0 they overlap. The distance is between boxes, the largest circles in them, or centres.
typedef struct throng_pair_query {
    uint32_t size;
    uint32_t a, b;  // UINT32_MAX: all
    uint32_t other_groups_only;
    float within;
    uint32_t agents_as;  // THRONG_AGENTS_AS_BOXES
} throng_pair_query;
#define throng_pair_query_init(query) throng_init_pair_query((query), sizeof *(query))
THRONG_C_API int32_t throng_init_pair_query(throng_pair_query* query, uint32_t size);

// Every such pair once. The query may be NULL: all that overlap.
THRONG_C_API int32_t throng_frame_pairs(const throng_frame* frame, const throng_pair_query* query,
                                        throng_pairs* pairs, throng_status_details* details);
// How many these are.
THRONG_C_API int32_t throng_frame_count_pairs(const throng_frame* frame, const throng_pair_query* query,
                                              uint64_t* total, throng_status_details* details);
// The same into the host's array: as many as there is room for. `total`, which may be NULL, takes how many
// there are.
THRONG_C_API int32_t throng_frame_pairs_into(const throng_frame* frame, const throng_pair_query* query,
                                             throng_pair* pairs, uint64_t room, uint64_t* total,
                                             throng_status_details* details);
// Every pair of an agent `a` of this frame and an agent `b` of the other, such as a static layer's frame.
THRONG_C_API int32_t throng_frame_pairs_with(const throng_frame* frame, const throng_frame* other,
                                             const throng_pair_query* query, throng_pairs* pairs,
                                             throng_status_details* details);
// How many these are.
THRONG_C_API int32_t throng_frame_count_pairs_with(const throng_frame* frame, const throng_frame* other,
                                                   const throng_pair_query* query, uint64_t* total,
                                                   throng_status_details* details);
// The same into the host's array: as many as there is room for. `total`, which may be NULL, takes how many
// there are.
THRONG_C_API int32_t throng_frame_pairs_with_into(const throng_frame* frame, const throng_frame* other,
                                                  const throng_pair_query* query, throng_pair* pairs,
                                                  uint64_t room, uint64_t* total,
                                                  throng_status_details* details);
// Compares the pairs of this frame with those of the frame that `changes` saw last.
THRONG_C_API int32_t throng_frame_pair_changes(const throng_frame* frame, const throng_pair_query* query,
                                               throng_pair_changes* changes, throng_status_details* details);

// All agents within a radius of the centres of agents, or of points.
typedef struct throng_within {
    uint32_t size;
    float radius;        // must be given, unless there are radii
    const float* radii;  // NULL, or one for each point, or for each id below throng_frame_id_bound
    uint64_t radii_count;
    uint32_t agents_as;       // THRONG_AGENTS_AS_CENTRES
    uint32_t either_reaches;  // with radii: two are in each other's lists if either radius reaches the other
    uint32_t half;            // each pair once, in the list of the lower id
    uint32_t with_self;       // whether an agent is in its own list
    uint32_t distances;       // whether squared distances are written too
    uint32_t in_row_order;    // lists in the order of the frame's rows, which is the fastest
} throng_within;
#define throng_within_init(within) throng_init_within((within), sizeof *(within))
THRONG_C_API int32_t throng_init_within(throng_within* within, uint32_t size);

// The nearest agents, sorted. Of equal distances the lowest id comes first.
typedef struct throng_nearest {
    uint32_t size;
    uint32_t count;    // how many at most: 1 to 64
    float max_radius;  // how far to look; by default without an end
    uint32_t agents_as;
    const float* max_radii;  // NULL, or one for each, as above
    uint64_t radii_count;
    uint32_t with_self, distances, in_row_order, reserved;
} throng_nearest;
#define throng_nearest_init(nearest) throng_init_nearest((nearest), sizeof *(nearest))
THRONG_C_API int32_t throng_init_nearest(throng_nearest* nearest, uint32_t size);

// Points in the host's arrays; a stride of 0 means close together.
typedef struct throng_points {
    uint32_t size;
    uint32_t reserved;
    uint64_t count;
    const float* x;
    const float* y;
    uint64_t stride;
    // Read instead, if they are not NULL; the origin is subtracted as in throng_boxes.
    const double* double_x;
    const double* double_y;
    double origin_x, origin_y;
} throng_points;
#define throng_points_init(points) throng_init_points((points), sizeof *(points))
THRONG_C_API int32_t throng_init_points(throng_points* points, uint32_t size);

// For all agents: list i is that of id i.
THRONG_C_API int32_t throng_frame_neighbours_within(const throng_frame* frame, const throng_within* wanted,
                                                    const throng_filter* filter, throng_neighbours* lists,
                                                    throng_status_details* details);
THRONG_C_API int32_t throng_frame_neighbours_nearest(const throng_frame* frame, const throng_nearest* wanted,
                                                     const throng_filter* filter, throng_neighbours* lists,
                                                     throng_status_details* details);
// For points: list i is that of point i.
THRONG_C_API int32_t throng_frame_neighbours_within_of(const throng_frame* frame, const throng_points* points,
                                                       const throng_within* wanted,
                                                       const throng_filter* filter, throng_neighbours* lists,
                                                       throng_status_details* details);
THRONG_C_API int32_t throng_frame_neighbours_nearest_of(const throng_frame* frame,
                                                        const throng_points* points,
                                                        const throng_nearest* wanted,
                                                        const throng_filter* filter, throng_neighbours* lists,
                                                        throng_status_details* details);
// For each agent of this frame the agents of another, such as a static layer's frame.
THRONG_C_API int32_t throng_frame_neighbours_within_in(const throng_frame* frame, const throng_frame* others,
                                                       const throng_within* wanted,
                                                       const throng_filter* filter, throng_neighbours* lists,
                                                       throng_status_details* details);
THRONG_C_API int32_t throng_frame_neighbours_nearest_in(const throng_frame* frame, const throng_frame* others,
                                                        const throng_nearest* wanted,
                                                        const throng_filter* filter, throng_neighbours* lists,
                                                        throng_status_details* details);
// Agents and elements: two results with as many lists. With the nearest, the two lists of a place have at
// most `count` together.
THRONG_C_API int32_t throng_frame_neighbours_within_both(
    const throng_frame* frame, const throng_within* wanted, const throng_filter* filter,
    throng_neighbours* agents, throng_neighbours* elements, throng_status_details* details);
THRONG_C_API int32_t throng_frame_neighbours_nearest_both(
    const throng_frame* frame, const throng_nearest* wanted, const throng_filter* filter,
    throng_neighbours* agents, throng_neighbours* elements, throng_status_details* details);
THRONG_C_API int32_t throng_frame_neighbours_within_of_both(
    const throng_frame* frame, const throng_points* points, const throng_within* wanted,
    const throng_filter* filter, throng_neighbours* agents, throng_neighbours* elements,
    throng_status_details* details);
THRONG_C_API int32_t throng_frame_neighbours_nearest_of_both(
    const throng_frame* frame, const throng_points* points, const throng_nearest* wanted,
    const throng_filter* filter, throng_neighbours* agents, throng_neighbours* elements,
    throng_status_details* details);
// How many are within the radius: for all agents counts[id], with room for throng_frame_id_bound of them, or
// for points.
THRONG_C_API int32_t throng_frame_count_neighbours(const throng_frame* frame, const throng_within* wanted,
                                                   const throng_filter* filter, uint32_t* counts,
                                                   uint64_t room, throng_status_details* details);
THRONG_C_API int32_t throng_frame_count_neighbours_of(const throng_frame* frame, const throng_points* points,
                                                      const throng_within* wanted,
                                                      const throng_filter* filter, uint32_t* counts,
                                                      uint64_t room, throng_status_details* details);
// Kept lists, completed for this frame or made again.
THRONG_C_API int32_t throng_frame_neighbours_kept(const throng_frame* frame, throng_kept_neighbours* kept,
                                                  throng_status_details* details);
// For one point, on this thread, into the host's array. `total`, which may be NULL, takes how many there are.
THRONG_C_API int32_t throng_frame_neighbours_within_into(const throng_frame* frame, float x, float y,
                                                         const throng_within* wanted,
                                                         const throng_filter* filter,
                                                         throng_neighbour* neighbours, uint64_t room,
                                                         uint64_t* total, throng_status_details* details);
THRONG_C_API int32_t throng_frame_neighbours_nearest_into(const throng_frame* frame, float x, float y,
                                                          const throng_nearest* wanted,
                                                          const throng_filter* filter,
                                                          throng_neighbour* neighbours, uint64_t room,
                                                          uint64_t* total, throng_status_details* details);
// The agent whose centre is nearest to a point; THRONG_NO_AGENT if there is none. `is_static`, which may be
// NULL, takes whether it is an element of the static layer: 1 or 0.
THRONG_C_API int32_t throng_frame_nearest(const throng_frame* frame, float x, float y,
                                          const throng_filter* filter, throng_neighbour* nearest,
                                          int32_t* is_static, throng_status_details* details);

// What a cast touches first.
THRONG_C_API int32_t throng_frame_first_hit(const throng_frame* frame, const throng_cast* cast,
                                            const throng_filter* filter, throng_cast_hit* hit,
                                            throng_status_details* details);
// Whether anything is in its way: 1 or 0.
THRONG_C_API int32_t throng_frame_blocked(const throng_frame* frame, const throng_cast* cast,
                                          const throng_filter* filter, int32_t* blocked,
                                          throng_status_details* details);
// All that it touches, the earliest first: as many as there is room for. `total`, which may be NULL, takes
// how many there are.
THRONG_C_API int32_t throng_frame_all_hits(const throng_frame* frame, const throng_cast* cast,
                                           const throng_filter* filter, throng_cast_hit* hits, uint64_t room,
                                           uint64_t* total, throng_status_details* details);
// The same for `count` casts, with the answers in their order. There must be as many hits or bytes as casts.
THRONG_C_API int32_t throng_frame_first_hits_of(const throng_frame* frame, const throng_cast* casts,
                                                uint64_t count, const throng_filter* filter,
                                                throng_cast_hit* hits, uint64_t room,
                                                throng_status_details* details);
THRONG_C_API int32_t throng_frame_blocked_of(const throng_frame* frame, const throng_cast* casts,
                                             uint64_t count, const throng_filter* filter, uint8_t* answers,
                                             uint64_t room, throng_status_details* details);
THRONG_C_API int32_t throng_frame_all_hits_of(const throng_frame* frame, const throng_cast* casts,
                                              uint64_t count, const throng_filter* filter,
                                              throng_cast_hits* hits, throng_status_details* details);

// What a batch examines. THRONG_EXPERIMENTAL: the numbers describe internals.
typedef struct throng_explanation {
    uint32_t size;
    uint32_t reserved;
    uint64_t queries, rows, cells;
    uint64_t tested;   // agents whose boxes were compared
    uint64_t covered;  // agents taken without a comparison
    uint64_t islands, nodes, oversized, hits;
} throng_explanation;
#define throng_explanation_init(explanation) throng_init_explanation((explanation), sizeof *(explanation))
THRONG_C_API int32_t throng_init_explanation(throng_explanation* explanation, uint32_t size);
// What a batch of queries would examine.
THRONG_EXPERIMENTAL THRONG_C_API int32_t throng_frame_explain(const throng_frame* frame,
                                                              const throng_boxes* boxes,
                                                              const throng_filter* filter,
                                                              throng_explanation* explanation,
                                                              throng_status_details* details);

// --- Queries without an engine: any thread -----------------------------------------------------------------

// For a host that asks little: boxes, queries and points in its arrays, and no engine. Answers are those of
// an engine that was updated with the boxes, but each list is in ascending order. The call uses the threads,
// the memory and the instruction set of the configuration; NULL stands for the defaults. A query at fault is
// THRONG_ARGUMENT_QUERIES.

// Which boxes overlap each query, how many, and whether any does.
THRONG_C_API int32_t throng_arrays_overlaps_of(const throng_boxes* boxes, const throng_boxes* queries,
                                               const throng_engine_config* config, throng_hits* hits,
                                               throng_status_details* details);
THRONG_C_API int32_t throng_arrays_count_of(const throng_boxes* boxes, const throng_boxes* queries,
                                            const throng_engine_config* config, uint32_t* counts,
                                            uint64_t room, throng_status_details* details);
THRONG_C_API int32_t throng_arrays_any_of(const throng_boxes* boxes, const throng_boxes* queries,
                                          const throng_engine_config* config, uint8_t* answers, uint64_t room,
                                          throng_status_details* details);
// Which boxes are within the radius of each point, and which are nearest.
THRONG_C_API int32_t throng_arrays_neighbours_within_of(
    const throng_boxes* boxes, const throng_points* points, const throng_within* wanted,
    const throng_engine_config* config, throng_neighbours* lists, throng_status_details* details);
THRONG_C_API int32_t throng_arrays_neighbours_nearest_of(
    const throng_boxes* boxes, const throng_points* points, const throng_nearest* wanted,
    const throng_engine_config* config, throng_neighbours* lists, throng_status_details* details);

// An origin for a world in doubles, and how exact floats are there.
typedef struct throng_origin_choice {
    uint32_t size;
    uint32_t reserved;
    double x, y;
    double spacing;  // the distance between floats near the boxes, leaving out the farthest 64th of boxes
    double extent;   // 15 in 16 of the boxes with a width or height above 0 are larger than this; or 0
    double spread;  // the larger of two medians: distances from the middle of the boxes, and half their sizes
} throng_origin_choice;
#define throng_origin_choice_init(choice) throng_init_origin_choice((choice), sizeof *(choice))
THRONG_C_API int32_t throng_init_origin_choice(throng_origin_choice* choice, uint32_t size);
// Looks at up to 256 boxes, spread evenly over all; their own origin does not matter. The current origin is
// kept in two cases: floats near the boxes are finer than a thousandth of `extent`, or the origin is within
// eight times `spread` of their middle, or of `least_spread` if that is larger, such as the spread of walls.
// Otherwise it is (0, 0), if that is as good, or a round point amid the boxes.
THRONG_C_API int32_t throng_arrays_choose_origin(const throng_boxes* boxes, double current_x,
                                                 double current_y, double least_spread,
                                                 throng_origin_choice* choice,
                                                 throng_status_details* details);

// --- Folds: any thread -------------------------------------------------------------------------------------

// What to compute from the values of all agents in a list, or of all that an agent is paired with: their sum,
// mean, least or greatest, or how many they are.
enum {
    THRONG_FOLD_SUM = 0,
    THRONG_FOLD_MEAN = 1,
    THRONG_FOLD_LEAST = 2,
    THRONG_FOLD_GREATEST = 3,
    THRONG_FOLD_COUNT = 4
};
// Numbers of the host's at equal distances: what is read, and what is written. `stride` is in bytes; 0 means
// close together. Columns whose members lie together in the host's structs are read fastest.
enum { THRONG_FLOATS = 0, THRONG_DOUBLES = 1 };
typedef struct throng_column {
    const void* first;
    uint64_t count, stride;
    uint32_t type;
    uint32_t reserved;
} throng_column;
typedef struct throng_result_column {
    void* first;
    uint64_t count, stride;
    uint32_t type;
    uint32_t reserved;
} throng_result_column;
// Lists or pairs, in arrays:
//
//     links.offsets = throng_neighbours_offsets(lists, &links.offset_count);
//     links.ids = throng_neighbours_ids(lists, &links.id_count);
//
// List k is ids[offsets[k]] .. ids[offsets[k + 1] - 1]. Its result goes to row k, or to row places[k]; no
// place may come twice. The places of lists in row order are throng_neighbours_agents, those of lists as
// found are throng_hits_as_found_queries.
typedef struct throng_links {
    uint32_t size;
    uint32_t are_pairs;  // 1: `pairs` are read, and otherwise the lists
    const uint64_t* offsets;
    uint64_t offset_count;
    const uint32_t* ids;
    uint64_t id_count;
    const uint32_t* places;
    uint64_t place_count;
    const throng_pair* pairs;
    uint64_t pair_count;
} throng_links;
#define throng_links_init(links) throng_init_links((links), sizeof *(links))
THRONG_C_API int32_t throng_init_links(throng_links* links, uint32_t size);
typedef struct throng_fold {
    uint32_t size;
    uint32_t by;                   // THRONG_FOLD_SUM
    const throng_column* weights;  // one for each id of the lists, or each pair; NULL: all are 1
    double empty;                  // the mean, least or greatest of nothing: NaN
} throng_fold;
#define throng_fold_init(fold) throng_init_fold((fold), sizeof *(fold))
THRONG_C_API int32_t throng_init_fold(throng_fold* fold, uint32_t size);

// Folds each list, or for each agent the values of all that it is paired with. Over pairs there is a result
// for each row of the values, and for a count for each row of the results. There are as many results as
// values, and rows are ids; a count takes no values and has one result. Rows that no list goes to stay as
// they are.
//
// Arithmetic is in doubles, in the order of a list or of the pairs, so the same bits come out on any number
// of threads. A weight multiplies its value. A mean is divided by the sum of the weights; least and greatest
// take none. The sum of nothing is 0. Anything else of nothing, and a mean with weights that sum to 0, is
// `empty`. A NaN among the values makes the result NaN. Results must not overlap values or weights.
//
// An id without a value is THRONG_UNKNOWN_ID; the index is its place among the ids of all lists or pairs. For
// lists, some results may have been written by then. The call uses the threads and the memory of the
// configuration; NULL stands for the defaults. `fold` may be NULL: sums.
THRONG_C_API int32_t throng_arrays_fold(const throng_links* links, const throng_column* values,
                                        uint64_t value_count, const throng_result_column* results,
                                        uint64_t room, const throng_fold* fold,
                                        const throng_engine_config* config, throng_status_details* details);

#ifdef __cplusplus
}
#endif

#endif
