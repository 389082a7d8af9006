// What a host in strict C99 does; the same file is compiled as C++. It fails with the number of the line
// where something does not hold, and says so.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throng.h"

#define CHECK(condition)                                             \
    do {                                                             \
        if (!(condition)) {                                          \
            printf("line %d: not true: " #condition "\n", __LINE__); \
            exit(1);                                                 \
        }                                                            \
    } while (0)

static const float x[4] = {1, 2, 9, 20}, y[4] = {1, 1, 9, 20}, half[4] = {1, 1, 1, 1};
static const uint32_t categories[4] = {1, 2, 4, 1};

static throng_engine* make_engine(void) {
    throng_engine_config config;
    throng_engine* engine = NULL;
    CHECK(throng_engine_config_init(&config) == THRONG_OK);
    config.serial = 1;
    CHECK(throng_engine_create(&config, &engine, NULL) == THRONG_OK);
    return engine;
}

static void update(throng_engine* engine) {
    throng_boxes boxes;
    throng_labels labels;
    throng_boxes_init(&boxes);
    throng_labels_init(&labels);
    labels.count = 4;
    labels.categories = categories;
    CHECK(throng_boxes_centre_half(&boxes, x, y, half, half, 4, 0) == THRONG_OK);
    CHECK(throng_engine_update(engine, &boxes, &labels, NULL) == THRONG_OK);
    CHECK(throng_engine_size(engine) == 4 && throng_engine_isa(engine) != NULL);
}

static void single_queries(const throng_frame* frame) {
    const throng_box near_box = {0, 0, 4, 4};
    const throng_cast ray = {0, 1, 0, 1, 30, 0, 0};
    throng_filter filter;
    throng_cast_hit hit;
    throng_neighbour nearest;
    throng_box box;
    throng_label label;
    uint32_t ids[4];
    uint64_t total = 0;
    int32_t yes = 0;
    throng_filter_init(&filter);
    filter.categories = 2;
    CHECK(throng_frame_overlaps(frame, &near_box, NULL, ids, 4, &total, NULL) == THRONG_OK && total == 2);
    CHECK(throng_frame_overlaps(frame, &near_box, &filter, ids, 4, &total, NULL) == THRONG_OK && total == 1 &&
          ids[0] == 1);
    CHECK(throng_frame_count(frame, &near_box, NULL, &total, NULL) == THRONG_OK && total == 2);
    CHECK(throng_frame_any(frame, &near_box, &filter, &yes, NULL) == THRONG_OK && yes == 1);
    CHECK(throng_frame_first_hit(frame, &ray, NULL, &hit, NULL) == THRONG_OK && hit.id == 0 &&
          hit.fraction == 0);
    CHECK(throng_frame_blocked(frame, &ray, &filter, &yes, NULL) == THRONG_OK && yes == 1);
    CHECK(throng_frame_nearest(frame, 8, 8, NULL, &nearest, NULL, NULL) == THRONG_OK && nearest.id == 2);
    CHECK(throng_frame_agent_box(frame, 2, &box, NULL) == THRONG_OK && box.min_x == 8 && box.max_y == 10);
    CHECK(throng_frame_agent_label(frame, 2, &label, NULL) == THRONG_OK && label.categories == 4);
}

static void lists(const throng_engine* engine, const throng_frame* frame) {
    throng_pairs* pairs = NULL;
    throng_neighbours* near_lists = NULL;
    throng_within within;
    const throng_pair* pair;
    const uint64_t* offsets;
    uint64_t count = 0;
    CHECK(throng_pairs_create(engine, &pairs, NULL) == THRONG_OK);
    CHECK(throng_frame_pairs(frame, NULL, pairs, NULL) == THRONG_OK);
    CHECK(throng_pairs_sort(pairs, NULL) == THRONG_OK);
    pair = throng_pairs_get(pairs, &count);
    CHECK(count == 1 && pair[0].a == 0 && pair[0].b == 1);
    throng_pairs_destroy(pairs);
    CHECK(throng_neighbours_create(NULL, &near_lists, NULL) == THRONG_OK);
    throng_within_init(&within);
    within.radius = 2;
    CHECK(throng_frame_neighbours_within(frame, &within, NULL, near_lists, NULL) == THRONG_OK);
    offsets = throng_neighbours_offsets(near_lists, &count);
    CHECK(count == 5 && offsets[4] == 2 && throng_neighbours_ids(near_lists, NULL)[0] == 1);
    throng_neighbours_destroy(near_lists);
}

// All answers, block by block, are those of one call.
static void blocks(const throng_engine* engine, const throng_frame* frame) {
    const throng_circle circles[3] = {{1, 1, 1, THRONG_AGENTS_AS_BOXES, {0}},
                                      {9, 9, 30, THRONG_AGENTS_AS_CENTRES, {0}},
                                      {50, 50, 1, THRONG_AGENTS_AS_BOXES, {0}}};
    throng_hits* hits = NULL;
    throng_boxes queries;
    uint64_t first, count, found = 0;
    CHECK(throng_hits_create(engine, &hits, NULL) == THRONG_OK);
    throng_boxes_init(&queries);
    CHECK(throng_boxes_circles(&queries, circles, 3) == THRONG_OK);
    for (first = 0; first < 3; first += count - 1) {
        CHECK(throng_hits_block(hits, first, 16, NULL) == THRONG_OK);
        CHECK(throng_frame_overlaps_of(frame, &queries, NULL, hits, NULL) == THRONG_OK);
        CHECK(throng_hits_offsets(hits, &count) != NULL && count > 1);
        found += throng_hits_offsets(hits, NULL)[count - 1];
    }
    CHECK(found == 6);
    throng_hits_destroy(hits);
}

static void edits(throng_engine* engine) {
    const throng_box places[2] = {{30, 30, 31, 31}, {40, 40, 41, 41}};
    const uint32_t gone = 0;
    throng_handle handle;
    throng_boxes boxes;
    throng_validation validation;
    uint32_t ids[2];
    throng_boxes_init(&boxes);
    throng_validation_init(&validation);
    CHECK(throng_boxes_of(&boxes, places, 2) == THRONG_OK);
    CHECK(throng_engine_insert(engine, &boxes, NULL, ids, 2, NULL) == THRONG_OK && ids[0] == 4 &&
          ids[1] == 5);
    CHECK(throng_engine_move(engine, ids, 2, &boxes, NULL) == THRONG_OK);
    CHECK(throng_engine_handle(engine, gone, &handle, NULL) == THRONG_OK);
    CHECK(throng_engine_remove(engine, &gone, 1, NULL) == THRONG_OK);
    CHECK(throng_engine_id(engine, &handle) == THRONG_NO_AGENT);
    CHECK(throng_engine_staged(engine) > 0 && throng_engine_commit(engine, NULL) == THRONG_OK);
    CHECK(throng_engine_size(engine) == 5);
    CHECK(throng_engine_validate(engine, &validation, NULL) == THRONG_OK && validation.faults == 0);
}

int main(void) {
    throng_engine* engine = make_engine();
    throng_frame* frame = NULL;
    CHECK(throng_version() == THRONG_C_VERSION);
    CHECK(strlen(throng_status_text(THRONG_NOT_FINITE)) > 10);
    update(engine);
    CHECK(throng_engine_frame(engine, &frame, NULL) == THRONG_OK && throng_frame_number(frame) == 1);
    single_queries(frame);
    lists(engine, frame);
    blocks(engine, frame);
    edits(engine);
    throng_engine_destroy(engine);
    CHECK(throng_frame_size(frame) == 4);
    throng_frame_release(frame);
    return 0;
}
