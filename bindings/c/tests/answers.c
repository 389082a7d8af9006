// Asks a world of some thousand agents for a bit of everything, and prints a checksum for each kind of
// answer: however the library was built, the lines have to be the same.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "throng.h"

enum { agents = 5000, queries = 500, edits = 450 };
static throng_box world[agents], asked[queries];
static throng_cast casts[queries];
static throng_cast_hit first_hits[queries];
static throng_circle circles[queries];
static throng_shape shapes[queries];
static throng_point corners[3 * queries], at[queries];
static uint32_t counts[agents], categories[agents], groups[agents], some_ids[edits];
static uint8_t answers[agents];
static uint64_t is_there;  // how many agents the world has now
static int world_wraps;

// A failed call ends the program.
static void need(int32_t status, const char* what) {
    if (status == THRONG_OK) return;
    printf("%s: %s\n", what, throng_status_text(status));
    exit(1);
}
#define NEED(call) need((call), #call)

static float any(float most) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0f * most;
}

static throng_box any_box(float side) {
    const float x = any(300), y = any(200);
    throng_box box;
    box.min_x = x;
    box.min_y = y;
    box.max_x = x + any(side);
    box.max_y = y + any(side);
    return box;
}

// Fowler, Noll and Vo's hash of the bytes.
static void print_checksum(const char* what, const void* first, uint64_t count, uint64_t size) {
    const unsigned char* bytes = (const unsigned char*)first;
    uint64_t hash = 14695981039346656037u, i;
    for (i = 0; i < count * size; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
    printf("%s: %lu, %08lx%08lx\n", what, (unsigned long)count, (unsigned long)(hash >> 32),
           (unsigned long)(hash & 0xFFFFFFFFu));
}

// The pointer first: which of two arguments is worked out first is the compiler's choice.
#define print_list(what, get, list, element)                    \
    do {                                                        \
        const element* elements = get(list, &count);            \
        print_checksum(what, elements, count, sizeof(element)); \
    } while (0)

static void print_boxes_and_pairs(const throng_engine* engine, const throng_frame* frame) {
    throng_boxes boxes;
    throng_hits* hits = NULL;
    throng_pairs* pairs = NULL;
    uint64_t count = 0;
    int i;
    NEED(throng_hits_create(engine, &hits, NULL));
    for (i = 0; i < 2; ++i) {
        const uint64_t of = i == 0 ? queries : is_there;
        throng_boxes_init(&boxes);
        NEED(throng_boxes_of(&boxes, i == 0 ? asked : world, of));
        NEED(throng_frame_overlaps_of(frame, &boxes, NULL, hits, NULL));
        print_list("overlaps", throng_hits_ids, hits, uint32_t);
        NEED(throng_frame_count_of(frame, &boxes, NULL, counts, of, NULL));
        print_checksum("counts", counts, of, sizeof(uint32_t));
        NEED(throng_frame_any_of(frame, &boxes, NULL, answers, of, NULL));
        print_checksum("any", answers, of, 1);
    }
    NEED(throng_pairs_create(engine, &pairs, NULL));
    NEED(throng_frame_pairs(frame, NULL, pairs, NULL));
    print_list("pairs", throng_pairs_get, pairs, throng_pair);
    if (!world_wraps) NEED(throng_frame_pairs_with(frame, frame, NULL, pairs, NULL));
    print_list("pairs with itself", throng_pairs_get, pairs, throng_pair);
    throng_pairs_destroy(pairs);
    throng_hits_destroy(hits);
}

// One query at a time.
static void print_single(const throng_frame* frame) {
    static uint32_t ids[agents];
    static throng_neighbour near[8];
    throng_nearest nearest;
    uint64_t total = 0;
    int32_t is_any = 0;
    int i;
    throng_nearest_init(&nearest);
    nearest.count = 8;
    for (i = 0; i < 3; ++i) {
        NEED(throng_frame_overlaps(frame, &asked[i], NULL, ids, agents, &total, NULL));
        print_checksum("in a box", ids, total, sizeof(uint32_t));
        NEED(throng_frame_any(frame, &asked[i], NULL, &is_any, NULL));
        NEED(throng_frame_count(frame, &asked[i], NULL, &total, NULL));
        print_checksum(is_any ? "some" : "none", ids, total, 0);
        NEED(throng_frame_neighbours_nearest_into(frame, at[i].x, at[i].y, &nearest, NULL, near, 8, &total,
                                                  NULL));
        print_checksum("near a point", near, total, sizeof(throng_neighbour));
    }
}

// Without an engine.
static void print_arrays(void) {
    throng_boxes boxes, few;
    throng_hits* hits = NULL;
    uint64_t count = 0, of;
    NEED(throng_hits_create(NULL, &hits, NULL));
    throng_boxes_init(&boxes);
    NEED(throng_boxes_of(&boxes, world, is_there));
    for (of = 1; of <= queries; of += 249) {
        throng_boxes_init(&few);
        NEED(throng_boxes_of(&few, asked, of));
        NEED(throng_arrays_overlaps_of(&boxes, &few, NULL, hits, NULL));
        print_list("of arrays", throng_hits_ids, hits, uint32_t);
        NEED(throng_arrays_count_of(&boxes, &few, NULL, counts, of, NULL));
        print_checksum("counts of arrays", counts, of, sizeof(uint32_t));
    }
    throng_hits_destroy(hits);
}

static void print_neighbours(const throng_engine* engine, const throng_frame* frame) {
    throng_neighbours* lists = NULL;
    throng_within within;
    throng_nearest nearest;
    uint64_t count = 0;
    throng_within_init(&within);
    throng_nearest_init(&nearest);
    within.radius = 7;
    nearest.count = 8;
    within.distances = nearest.distances = 1;
    NEED(throng_neighbours_create(engine, &lists, NULL));
    NEED(throng_frame_neighbours_within(frame, &within, NULL, lists, NULL));
    print_list("within", throng_neighbours_ids, lists, uint32_t);
    print_list("their distances", throng_neighbours_squared_distances, lists, float);
    NEED(throng_frame_neighbours_nearest(frame, &nearest, NULL, lists, NULL));
    print_list("nearest", throng_neighbours_ids, lists, uint32_t);
    print_list("their distances", throng_neighbours_squared_distances, lists, float);
    throng_neighbours_destroy(lists);
}

static void print_casts(const throng_engine* engine, const throng_frame* frame) {
    throng_cast_hits* all = NULL;
    uint64_t count = 0;
    NEED(throng_frame_first_hits_of(frame, casts, queries, NULL, first_hits, queries, NULL));
    print_checksum("first hits", first_hits, queries, sizeof(throng_cast_hit));
    NEED(throng_cast_hits_create(engine, &all, NULL));
    NEED(throng_frame_all_hits_of(frame, casts, queries, NULL, all, NULL));
    print_list("all hits", throng_cast_hits_get, all, throng_cast_hit);
    throng_cast_hits_destroy(all);
}

static void print_shapes(const throng_frame* frame) {
    throng_boxes boxes;
    throng_hits* hits = NULL;
    uint64_t count = 0;
    NEED(throng_hits_create(NULL, &hits, NULL));
    throng_boxes_init(&boxes);
    NEED(throng_boxes_circles(&boxes, circles, queries));
    NEED(throng_frame_overlaps_of(frame, &boxes, NULL, hits, NULL));
    print_list("in circles", throng_hits_ids, hits, uint32_t);
    throng_boxes_init(&boxes);
    NEED(throng_boxes_shapes(&boxes, shapes, queries));
    NEED(throng_frame_overlaps_of(frame, &boxes, NULL, hits, NULL));
    print_list("in shapes", throng_hits_ids, hits, uint32_t);
    NEED(throng_frame_count_of(frame, &boxes, NULL, counts, queries, NULL));
    print_checksum("their counts", counts, queries, sizeof(uint32_t));
    NEED(throng_frame_any_of(frame, &boxes, NULL, answers, queries, NULL));
    print_checksum("any", answers, queries, 1);
    throng_hits_destroy(hits);
}

static void print_filtered(const throng_frame* frame) {
    throng_pair_query query;
    throng_filter filter;
    throng_boxes boxes;
    throng_hits* hits = NULL;
    throng_pairs* pairs = NULL;
    uint64_t count = 0;
    NEED(throng_hits_create(NULL, &hits, NULL));
    NEED(throng_pairs_create(NULL, &pairs, NULL));
    throng_pair_query_init(&query);
    query.within = 2;
    query.agents_as = THRONG_AGENTS_AS_CIRCLES;
    NEED(throng_frame_pairs(frame, &query, pairs, NULL));
    print_list("near pairs", throng_pairs_get, pairs, throng_pair);
    query.within = 0;
    NEED(throng_frame_pairs(frame, &query, pairs, NULL));
    print_list("circles that touch", throng_pairs_get, pairs, throng_pair);
    throng_pair_query_init(&query);
    query.a = 1;
    query.b = 6;
    query.other_groups_only = 1;
    NEED(throng_frame_pairs(frame, &query, pairs, NULL));
    print_list("filtered pairs", throng_pairs_get, pairs, throng_pair);
    throng_filter_init(&filter);
    filter.categories = 3;
    filter.not_in_group = 2;
    throng_boxes_init(&boxes);
    NEED(throng_boxes_of(&boxes, asked, queries));
    NEED(throng_frame_overlaps_of(frame, &boxes, &filter, hits, NULL));
    print_list("filtered", throng_hits_ids, hits, uint32_t);
    NEED(throng_frame_blocked_of(frame, casts, queries, &filter, answers, queries, NULL));
    print_checksum("blocked", answers, queries, 1);
    throng_pairs_destroy(pairs);
    throng_hits_destroy(hits);
}

static void print_points(const throng_frame* frame) {
    throng_points points;
    throng_neighbours* lists = NULL;
    throng_within within;
    throng_nearest nearest;
    uint64_t count = 0;
    NEED(throng_neighbours_create(NULL, &lists, NULL));
    throng_points_init(&points);
    points.x = &at[0].x;
    points.y = &at[0].y;
    points.stride = sizeof *at;
    points.count = queries;
    throng_within_init(&within);
    within.radius = 5;
    NEED(throng_frame_neighbours_within_of(frame, &points, &within, NULL, lists, NULL));
    print_list("of points", throng_neighbours_ids, lists, uint32_t);
    NEED(throng_frame_count_neighbours(frame, &within, NULL, counts, agents, NULL));
    print_checksum("how many", counts, is_there, sizeof(uint32_t));
    within.radius = 1;
    within.half = 1;
    NEED(throng_frame_neighbours_within(frame, &within, NULL, lists, NULL));
    print_list("half lists", throng_neighbours_ids, lists, uint32_t);
    throng_nearest_init(&nearest);
    nearest.count = 5;
    NEED(throng_frame_neighbours_nearest_of(frame, &points, &nearest, NULL, lists, NULL));
    print_list("nearest of points", throng_neighbours_ids, lists, uint32_t);
    throng_neighbours_destroy(lists);
}

// Some go elsewhere, by edits.
static void print_edited(throng_engine* engine) {
    throng_frame* frame = NULL;
    throng_kept_neighbourhood wanted;
    throng_kept_neighbours* kept = NULL;
    throng_pair_changes* changes = NULL;
    throng_boxes boxes;
    uint64_t count = 0;
    int i;
    throng_kept_neighbourhood_init(&wanted);
    wanted.radius = 3;
    wanted.skin = 2;
    NEED(throng_kept_neighbours_create(engine, &wanted, &kept, NULL));
    NEED(throng_pair_changes_create(engine, &changes, NULL));
    for (i = 0; i < 4; ++i) {
        const int is_update = i % 2 == 0;
        const uint64_t moved = is_there < agents ? 1 : i == 1 ? 60 : edits;
        throng_boxes_init(&boxes);
        NEED(throng_boxes_of(&boxes, is_update ? world : asked, is_update ? is_there : moved));
        if (is_update) NEED(throng_engine_update(engine, &boxes, NULL, NULL));
        if (!is_update) NEED(throng_engine_move(engine, some_ids, moved, &boxes, NULL));
        if (!is_update) NEED(throng_engine_commit(engine, NULL));
        NEED(throng_engine_frame(engine, &frame, NULL));
        NEED(throng_frame_neighbours_kept(frame, kept, NULL));
        print_list("kept", throng_kept_neighbours_ids, kept, uint32_t);
        NEED(throng_frame_pair_changes(frame, NULL, changes, NULL));
        print_list("began", throng_pair_changes_began, changes, throng_pair);
        print_list("ended", throng_pair_changes_ended, changes, throng_pair);
    }
    throng_frame_release(frame);
    throng_pair_changes_destroy(changes);
    throng_kept_neighbours_destroy(kept);
}

static void make_shapes(int i) {
    throng_shape* shape = &shapes[i];
    int k;
    circles[i].x = any(300);
    circles[i].y = any(200);
    circles[i].radius = any(10);
    circles[i].agents_as = THRONG_AGENTS_AS_CIRCLES;
    shape->kind = i % 2 == 0 ? THRONG_POLYGON : THRONG_SEGMENT;
    shape->x = any(300);
    shape->y = any(200);
    shape->to_x = shape->x + any(30);
    shape->to_y = shape->y + any(30);
    shape->radius = any(3);
    if (i % 2 != 0) return;
    shape->corner_count = 3;
    shape->corners = corners + 3 * i;
    for (k = 0; k < 3; ++k) {
        corners[3 * i + k].x = k == 1 ? shape->to_x : shape->x;
        corners[3 * i + k].y = k == 2 ? shape->to_y : shape->y;
    }
}

static void make_queries(void) {
    int i;
    for (i = 0; i < queries; ++i) {
        asked[i] = any_box(20);
        casts[i].min_x = casts[i].max_x = any(300);
        casts[i].min_y = casts[i].max_y = any(200);
        casts[i].dx = any(100) - 50;
        casts[i].dy = any(100) - 50;
        casts[i].radius = i % 2 == 0 ? 0 : any(2);
        at[i].x = any(300);
        at[i].y = any(200);
        if (i < edits) some_ids[i] = (uint32_t)i * 10;
        make_shapes(i);
    }
}

// Agents of a few sizes; in spots far from each other; of sizes that no grid fits; and few.
enum { plain = 0, crowded = 1, octaves = 2, few = 3, kinds = 4 };
static throng_frame* update(throng_engine* engine, int kind, throng_frame* frame) {
    throng_boxes boxes;
    throng_labels labels;
    int i;
    is_there = kind == few ? 12 : agents;
    for (i = 0; i < (int)is_there; ++i) {
        throng_box* box = &world[i];
        *box = any_box(i % 100 == 0 ? 90.0f : 4.0f);
        if (kind == crowded || kind == octaves) {
            const int spot = kind == octaves || i % 16 == 0 ? 0 : i % 20;
            const float side = kind == octaves ? (float)(64u << i % 24) : spot == 0 ? 0.25f : 8.0f;
            box->min_x = (float)(spot % 4) * 1000 + any(side);
            box->min_y = (float)(spot / 4) * 1000 + any(side);
            box->max_x = box->min_x + any(side / 32);
            box->max_y = box->min_y + any(side / 32);
        }
        categories[i] = 1u << (i / 12 % 3);
        groups[i] = (uint32_t)(i / 12 % 5);
    }
    throng_boxes_init(&boxes);
    NEED(throng_boxes_of(&boxes, world, is_there));
    throng_labels_init(&labels);
    labels.count = is_there;
    labels.categories = categories;
    labels.groups = groups;
    NEED(throng_engine_update(engine, &boxes, &labels, NULL));
    NEED(throng_engine_frame(engine, &frame, NULL));
    return frame;
}

static void print_all(throng_engine* engine, throng_frame* frame) {
    print_boxes_and_pairs(engine, frame);
    print_single(frame);
    print_arrays();
    print_neighbours(engine, frame);
    print_casts(engine, frame);
    print_shapes(frame);
    print_filtered(frame);
    print_points(frame);
}

int main(void) {
    throng_engine_config config;
    int kind;
    make_queries();
    throng_engine_config_init(&config);
    config.serial = 1;
    for (world_wraps = 0; world_wraps < 2; ++world_wraps) {
        config.period_x = world_wraps ? 320.0f : 0.0f;
        config.period_y = world_wraps ? 240.0f : 0.0f;
        for (kind = 0; kind < (world_wraps ? 1 : kinds); ++kind) {
            throng_engine* engine = NULL;
            throng_frame* frame = NULL;
            NEED(throng_engine_create(&config, &engine, NULL));
            frame = update(engine, kind, NULL);
            print_all(engine, frame);
            print_edited(engine);
            throng_frame_release(frame);
            throng_engine_destroy(engine);
        }
    }
    return 0;
}
