// Asks a world of some thousand agents for a bit of everything, and prints a checksum for each kind of
// answer: however the library was built, the lines have to be the same.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "throng.h"

enum { agents = 5000, queries = 500 };
static throng_box world[agents], asked[queries];
static throng_cast casts[queries];
static throng_cast_hit first_hits[queries];
static uint32_t counts[queries];

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
    throng_boxes_init(&boxes);
    NEED(throng_boxes_of(&boxes, asked, queries));
    NEED(throng_hits_create(engine, &hits, NULL));
    NEED(throng_frame_overlaps_of(frame, &boxes, NULL, hits, NULL));
    print_list("overlaps", throng_hits_ids, hits, uint32_t);
    NEED(throng_frame_count_of(frame, &boxes, NULL, counts, queries, NULL));
    print_checksum("counts", counts, queries, sizeof(uint32_t));
    NEED(throng_pairs_create(engine, &pairs, NULL));
    NEED(throng_frame_pairs(frame, NULL, pairs, NULL));
    print_list("pairs", throng_pairs_get, pairs, throng_pair);
    throng_pairs_destroy(pairs);
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

static void make_world(void) {
    int i;
    for (i = 0; i < agents; ++i) world[i] = any_box(i % 100 == 0 ? 90.0f : 4.0f);
    for (i = 0; i < queries; ++i) {
        asked[i] = any_box(20);
        casts[i].min_x = casts[i].max_x = any(300);
        casts[i].min_y = casts[i].max_y = any(200);
        casts[i].dx = any(100) - 50;
        casts[i].dy = any(100) - 50;
        casts[i].radius = i % 2 == 0 ? 0 : any(2);
    }
}

int main(void) {
    throng_engine_config config;
    throng_engine* engine = NULL;
    throng_frame* frame = NULL;
    throng_boxes boxes;
    make_world();
    throng_engine_config_init(&config);
    config.serial = 1;
    NEED(throng_engine_create(&config, &engine, NULL));
    throng_boxes_init(&boxes);
    NEED(throng_boxes_of(&boxes, world, agents));
    NEED(throng_engine_update(engine, &boxes, NULL, NULL));
    NEED(throng_engine_frame(engine, &frame, NULL));
    print_boxes_and_pairs(engine, frame);
    print_neighbours(engine, frame);
    print_casts(engine, frame);
    throng_frame_release(frame);
    throng_engine_destroy(engine);
    return 0;
}
