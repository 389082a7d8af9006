/* The C library on as many ranks as mpirun started: a row of boxes that touch their neighbours, in C99. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "throng_cluster.h"

static int failures = 0;

void expect(int holds, const char* what) {
    if (holds) return;
    printf("does not hold: %s\n", what);
    ++failures;
}

uint64_t sum(uint64_t mine) {
    unsigned long long here = mine, all = 0;
    MPI_Allreduce(&here, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

throng_boxes one(const throng_box* box) {
    throng_boxes boxes;
    throng_boxes_init(&boxes);
    throng_boxes_of(&boxes, box, 1);
    return boxes;
}
static throng_within within_of(float radius) {
    throng_within within;
    throng_within_init(&within);
    within.radius = radius;
    within.distances = 1;
    return within;
}

/* What one rank does alone, all hear of. */
static void agree(throng_cluster* cluster, int rank, int ranks) {
    const throng_cluster_pair* pairs = NULL;
    throng_cluster_status mine = {0}, all;
    const throng_within within = within_of(1);
    const throng_box box = {0, 0, 1, 1};
    const throng_boxes boxes = one(&box);
    throng_points none;
    uint64_t found = 0;
    char text[200];
    throng_points_init(&none);
    EXPECT(throng_cluster_agree(cluster, NULL).trouble == THRONG_CLUSTER_OK);
    mine = throng_cluster_pairs(cluster, NULL, &pairs, &found);
    EXPECT(throng_cluster_agree(cluster, &mine).trouble == THRONG_CLUSTER_OK);
    mine.trouble = rank == ranks - 1 ? 256 : THRONG_CLUSTER_OK; /* no trouble that there is */
    for (mine.rank = -1; mine.rank <= 0; ++mine.rank) {
        all = throng_cluster_agree(cluster, &mine);
        EXPECT(all.trouble == THRONG_CLUSTER_HOST_FAILED && all.rank == ranks - 1);
    }
    all = throng_cluster_agree(cluster, &all); /* passed on */
    EXPECT(all.trouble == THRONG_CLUSTER_HOST_FAILED && all.rank == ranks - 1);
    throng_cluster_describe(&all, text, sizeof text);
    EXPECT(strstr(text, "host") != NULL);
    /* In the place of a collective call. */
    mine.rank = 0;
    all = rank == ranks - 1 ? throng_cluster_agree(cluster, &mine)
                            : throng_cluster_count(cluster, &boxes, NULL, NULL, &found);
    EXPECT(all.trouble == THRONG_CLUSTER_HOST_FAILED && all.rank == ranks - 1);
    /* Arrays that are NULL on one rank. */
    all = throng_cluster_count(cluster, &boxes, NULL, NULL, rank == ranks - 1 ? NULL : &found);
    EXPECT(all.trouble == THRONG_CLUSTER_REFUSED && all.rank == ranks - 1);
    all = throng_cluster_pairs_with(cluster, rank == 0 ? NULL : cluster, NULL, &pairs, &found);
    EXPECT(all.trouble == THRONG_CLUSTER_REFUSED && all.rank == 0);
    EXPECT(throng_cluster_neighbours_within(cluster, NULL, NULL, NULL).trouble == THRONG_CLUSTER_REFUSED);
    all = throng_cluster_neighbours_within_of(cluster, &none, rank == ranks - 1 ? NULL : &within, NULL, NULL,
                                              NULL);
    EXPECT(all.trouble == THRONG_CLUSTER_REFUSED && all.rank == ranks - 1);
    EXPECT(throng_cluster_agree(NULL, NULL).trouble == THRONG_CLUSTER_REFUSED);
}

/* A struct that one rank did not initialise is refused on all, in each call that takes one. */
static void forget_init(throng_cluster* cluster, int rank, int ranks) {
    const int last = rank == ranks - 1;
    const throng_box box = {0, 0, 9, 9};
    const throng_cast cast = {-5, 0.5f, -5, 0.5f, 10, 0, 0};
    const throng_cluster_pair* pairs = NULL;
    throng_boxes boxes = one(&box);
    throng_filter filter = {0};
    throng_nearest nearest;
    throng_points points;
    throng_pair_query query = {0};
    throng_cluster_lists lists;
    throng_cluster_hit hit;
    throng_cluster_status all[7];
    char text[200];
    const throng_filter* const bad = last ? &filter : NULL;
    uint64_t found = 0;
    throng_nearest_init(&nearest);
    throng_points_init(&points);
    points.count = 1;
    points.x = &box.min_x;
    points.y = &box.min_y;
    all[0] = throng_cluster_overlaps(cluster, &boxes, bad, NULL, &lists);
    all[1] = throng_cluster_count(cluster, &boxes, bad, NULL, &found);
    all[2] = throng_cluster_first_hits(cluster, &cast, 1, bad, NULL, &hit);
    all[3] = throng_cluster_all_hits(cluster, &cast, 1, bad, NULL, &lists);
    all[4] = throng_cluster_neighbours_nearest(cluster, &nearest, bad, &lists);
    all[5] = throng_cluster_neighbours_nearest_of(cluster, &points, &nearest, bad, NULL, &lists);
    all[6] = throng_cluster_pairs_with(cluster, cluster, last ? &query : NULL, &pairs, &found);
    for (int i = 0; i < 7; ++i)
        EXPECT(all[i].trouble == THRONG_CLUSTER_REFUSED && all[i].code == THRONG_BAD_STRUCT &&
               all[i].rank == ranks - 1);
    throng_cluster_describe(&all[0], text, sizeof text);
    EXPECT(strstr(text, "was it initialised? on rank") != NULL);
    boxes.size = last ? 0 : boxes.size;
    EXPECT(throng_cluster_update(cluster, &found, 1, &boxes, NULL, NULL).code == THRONG_BAD_STRUCT);
    EXPECT(throng_cluster_pairs(cluster, &query, &pairs, &found).code == THRONG_BAD_STRUCT);
    EXPECT(throng_cluster_size(cluster) == count);
}

static void ask(throng_cluster* cluster) {
    const throng_cluster_pair* pairs = NULL;
    const throng_within within = within_of(1);
    const throng_box all = {-1, -1, 2 * count, 2};
    const throng_boxes boxes = one(&all);
    const float xy[4] = {3.25f, 150.5f, 0.5f, 9}, radii[2] = {1.5f, 9};
    const uint64_t selves[2] = {1003, 1};
    const throng_cast cast = {-5, 0.5f, -5, 0.5f, 10, 0, 0};
    const uint64_t self = 1000;
    throng_points points;
    throng_nearest nearest;
    throng_within of_each = within;
    throng_pair_query query;
    throng_cluster_lists lists;
    throng_cluster_hit hit;
    uint64_t found = 0;
    throng_points_init(&points);
    points.count = 2;
    points.x = xy;
    points.y = xy + 2;
    throng_nearest_init(&nearest);
    nearest.count = 2;
    nearest.distances = 1;
    of_each.radii = radii;
    of_each.radii_count = 2;
    EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count - 1);
    throng_pair_query_init(&query);
    query.within = 0.5f;
    EXPECT(throng_cluster_pairs(cluster, &query, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count - 1);
    query.within = 2;
    EXPECT(throng_cluster_pairs(cluster, &query, &pairs, &found).trouble == THRONG_CLUSTER_BEYOND_REACH);
    EXPECT(throng_cluster_pairs_with(cluster, cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count + 2 * (count - 1));
    EXPECT(throng_cluster_neighbours_nearest(cluster, &nearest, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(lists.offsets == NULL ? 0 : lists.offsets[lists.count]) == 2 * count);
    EXPECT(throng_cluster_neighbours_nearest_of(cluster, &points, &nearest, NULL, selves, &lists).trouble ==
           0);
    EXPECT(lists.count == 2 && lists.offsets[2] == 4 && lists.ids[0] == 1002 && lists.ids[2] == 1150);
    EXPECT(lists.numbers[0] == 0.5625f && lists.ids[1] == 1004);
    EXPECT(throng_cluster_neighbours_within_of(cluster, &points, &of_each, NULL, NULL, &lists).trouble == 0);
    EXPECT(lists.offsets[1] == 3 && lists.ids[0] == 1003 && lists.ids[3] == 1150);
    EXPECT(throng_cluster_count(cluster, &boxes, NULL, &self, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(found == count - 1);
    EXPECT(throng_cluster_overlaps(cluster, &boxes, NULL, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.count == 1 && lists.offsets[1] == count && lists.ids[1] == 1001);
    EXPECT(throng_cluster_first_hits(cluster, &cast, 1, NULL, &self, &hit).trouble == THRONG_CLUSTER_OK);
    EXPECT(hit.is_found && hit.id == 1001);
    EXPECT(throng_cluster_all_hits(cluster, &cast, 1, NULL, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.offsets[1] == 6 && lists.numbers[0] == 0.5f);
}

/* Shapes of all kinds, each with a filter of its own: categories 1 and 2 take turns along the row. */
static void ask_with_shapes(throng_cluster* cluster) {
    const throng_point corners[3] = {{100.5f, 0.25f}, {109.5f, 0.25f}, {105, 0.75f}};
    const throng_circle circle = {50, 0.5f, 3, THRONG_AGENTS_AS_BOXES, {0}};
    throng_shape shapes[4] = {{0}};
    throng_query_filter each[4];
    const uint64_t expected[4] = {4, 5, 3, 5};
    throng_boxes queries;
    throng_filter filter;
    throng_cluster_lists lists;
    uint64_t counts[4];
    shapes[0].kind = THRONG_BOX, shapes[0].x = 20.5f, shapes[0].to_x = 27.5f, shapes[0].to_y = 1;
    shapes[1].kind = THRONG_SEGMENT, shapes[1].x = 60.5f, shapes[1].to_x = 68.5f;
    shapes[1].y = shapes[1].to_y = 2, shapes[1].radius = 1.5f;
    shapes[2].kind = THRONG_CIRCLE, shapes[2].agents_as = THRONG_AGENTS_AS_CENTRES;
    shapes[2].x = 50.5f, shapes[2].y = 0.5f, shapes[2].radius = 2;
    shapes[3].kind = THRONG_POLYGON, shapes[3].corners = corners, shapes[3].corner_count = 3;
    for (int q = 0; q < 4; ++q) {
        each[q].categories = 1;
        each[q].self = THRONG_NO_AGENT;
        each[q].not_in_group = UINT32_MAX;
    }
    throng_filter_init(&filter);
    filter.each = each;
    filter.each_count = 4;
    throng_boxes_init(&queries);
    throng_boxes_shapes(&queries, shapes, 4);
    EXPECT(throng_cluster_count(cluster, &queries, &filter, NULL, counts).trouble == THRONG_CLUSTER_OK);
    for (int q = 0; q < 4; ++q) EXPECT(counts[q] == expected[q]);
    EXPECT(throng_cluster_overlaps(cluster, &queries, &filter, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.offsets[4] == 17 && lists.ids[0] == 1020 && lists.ids[16] == 1108);
    each[2].self = 7; /* the ids of a cluster have 64 bits: `selves` */
    EXPECT(throng_cluster_count(cluster, &queries, &filter, NULL, counts).trouble == THRONG_CLUSTER_REFUSED);
    throng_boxes_circles(&queries, &circle, 1);
    EXPECT(throng_cluster_overlaps(cluster, &queries, NULL, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.offsets[1] == 8);
}

/* The frame of this rank, with walls that are whole on each. */
static void ask_the_frame(throng_cluster* cluster, const throng_box* floor) {
    throng_boxes boxes = one(floor);
    throng_static_layer* layer = NULL;
    throng_frame* frame = NULL;
    throng_filter both;
    throng_cluster_agents mine, copies;
    uint64_t found = 0;
    throng_filter_init(&both);
    both.with_static = 1;
    throng_cluster_owned(cluster, &mine);
    throng_cluster_ghosts(cluster, &copies);
    EXPECT(throng_cluster_frame(cluster, &frame).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_frame_size(frame) == mine.count + copies.count);
    EXPECT(throng_frame_ghost_count(frame) == copies.count);
    for (uint32_t id = 0; id < mine.count + copies.count; ++id) {
        const int is_ghost = id >= mine.count;
        EXPECT(throng_frame_is_ghost(frame, id) == is_ghost);
        EXPECT(throng_cluster_global_id(cluster, id) ==
               (is_ghost ? copies.ids[id - mine.count] : mine.ids[id]));
    }
    EXPECT(throng_frame_count_of(frame, &boxes, NULL, NULL, 0, NULL) != THRONG_OK);
    EXPECT(throng_frame_count(frame, floor, &both, &found, NULL) == THRONG_OK);
    EXPECT(found == mine.count + copies.count); /* the layer comes with the next update */
    EXPECT(throng_static_layer_create(NULL, &boxes, NULL, &layer, NULL) == THRONG_OK);
    EXPECT(throng_cluster_set_static_layer(cluster, layer).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_set_static_layer(cluster, NULL).trouble == THRONG_CLUSTER_REFUSED);
    throng_static_layer_destroy(layer);
    boxes.count = mine.count;
    throng_boxes_of(&boxes, mine.boxes, mine.count);
    EXPECT(throng_cluster_update(cluster, mine.ids, mine.count, &boxes, NULL, NULL).trouble == 0);
    throng_cluster_owned(cluster, &mine);
    throng_cluster_ghosts(cluster, &copies);
    EXPECT(throng_cluster_frame(cluster, &frame).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_frame_count(frame, floor, &both, &found, NULL) == THRONG_OK);
    EXPECT(found == mine.count + copies.count + 1);
    throng_frame_release(frame);
    EXPECT(throng_cluster_frame(cluster, NULL).trouble == THRONG_CLUSTER_REFUSED);
}

/* Each agent of the row touches its neighbours: their numbers come to it, wherever they are. */
static void move_values(throng_cluster* cluster, int rank, int ranks) {
    const throng_cluster_pair* pairs = NULL;
    throng_cluster_agents mine, copies;
    throng_cluster_values values = {0}, sums = {0};
    static double numbers[count], to_a[2 * count], to_b[2 * count], of_mine[count];
    uint64_t found = 0;
    throng_cluster_owned(cluster, &mine);
    throng_cluster_ghosts(cluster, &copies);
    values.values = numbers;
    values.count = throng_cluster_places(cluster);
    values.numbers = 1;
    values.kind = THRONG_CLUSTER_FLOAT64;
    EXPECT(values.count == mine.count + copies.count);
    for (uint64_t i = 0; i < mine.count; ++i) numbers[i] = (double)mine.ids[i];
    EXPECT(throng_cluster_forward(cluster, &values).trouble == THRONG_CLUSTER_OK);
    for (uint64_t i = 0; i < copies.count; ++i) EXPECT(numbers[mine.count + i] == (double)copies.ids[i]);
    EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    for (uint64_t i = 0; i < found; ++i) {
        to_a[i] = numbers[pairs[i].b_place];
        to_b[i] = numbers[pairs[i].a_place];
    }
    sums = values;
    sums.values = of_mine;
    sums.count = mine.count;
    EXPECT(throng_cluster_sum_pairs(cluster, pairs, found, to_a, to_b, &sums).trouble == THRONG_CLUSTER_OK);
    for (uint64_t i = 0; i < mine.count; ++i) {
        const uint64_t id = mine.ids[i], first = 1000, last = 1000 + count - 1;
        EXPECT(of_mine[i] == (double)((id == first ? 0 : id - 1) + (id == last ? 0 : id + 1)));
    }
    /* The same by places alone. */
    const throng_pair* places = NULL;
    uint64_t again = 0;
    EXPECT(throng_cluster_pairs(cluster, NULL, NULL, &again).trouble == THRONG_CLUSTER_OK && again == found);
    throng_cluster_pair_places(cluster, &places, &again);
    EXPECT(again == found);
    for (uint64_t i = 0; i < found; ++i) {
        to_a[i] = numbers[places[i].b];
        to_b[i] = numbers[places[i].a];
    }
    memset(of_mine, 0, sizeof of_mine);
    EXPECT(throng_cluster_sum_pair_places(cluster, places, found, to_a, to_b, &sums).trouble == 0);
    for (uint64_t i = 0; i < mine.count; ++i) {
        const uint64_t id = mine.ids[i], first = 1000, last = 1000 + count - 1;
        EXPECT(of_mine[i] == (double)((id == first ? 0 : id - 1) + (id == last ? 0 : id + 1)));
    }
    for (uint64_t i = 0; i < values.count; ++i) numbers[i] = i < mine.count ? 0 : 1;
    EXPECT(throng_cluster_reverse(cluster, &values).trouble == THRONG_CLUSTER_OK);
    double copies_of_mine = 0;
    for (uint64_t i = 0; i < mine.count; ++i) copies_of_mine += numbers[i];
    EXPECT(sum((uint64_t)copies_of_mine) == sum(copies.count));
    const throng_cluster_status refused = throng_cluster_forward(cluster, rank == ranks - 1 ? NULL : &values);
    EXPECT(refused.trouble == THRONG_CLUSTER_REFUSED && refused.rank == ranks - 1);
    values.kind = rank == ranks - 1 ? 77 : THRONG_CLUSTER_FLOAT64;
    EXPECT(throng_cluster_reverse(cluster, &values).rank == ranks - 1);
}

/* What all ranks did. */
static void read_reports(throng_cluster* cluster, int rank, int ranks) {
    const throng_cluster_rank_report* reports = NULL;
    throng_cluster_agents mine;
    uint64_t found = 0, owned = 0;
    double imbalance = 0;
    EXPECT(throng_cluster_reports(cluster, &reports, &found, &imbalance).trouble == THRONG_CLUSTER_OK);
    EXPECT(found == (uint64_t)ranks && imbalance >= 1 && imbalance <= ranks + 0.01);
    throng_cluster_owned(cluster, &mine);
    EXPECT(reports[rank].owned == mine.count && reports[rank].bytes > 0);
    EXPECT(reports[rank].busy_seconds >= 0 && reports[rank].update_seconds > 0);
    for (int r = 0; r < ranks; ++r) owned += reports[r].owned;
    EXPECT(owned == count);
    EXPECT(throng_cluster_reports(cluster, rank == 0 ? NULL : &reports, &found, NULL).trouble ==
           THRONG_CLUSTER_REFUSED);
}

/* Into a file and back. */
static void save_and_load(throng_cluster* cluster, int rank) {
    const char* const folder = getenv("TMPDIR");
    throng_boxes none;
    throng_cluster_status status;
    char path[500], text[200];
    unsigned long long number = (unsigned long long)(MPI_Wtime() * 1e6);
    throng_boxes_init(&none);
    MPI_Bcast(&number, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/throng-c-%llu.saved", folder != NULL ? folder : "/tmp", number);
    status = throng_cluster_load(cluster, path);
    throng_cluster_describe(&status, text, sizeof text);
    EXPECT(status.trouble == THRONG_CLUSTER_FILE_FAILED && strstr(text, "no such file") != NULL);
    EXPECT(throng_cluster_save(cluster, path).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_update(cluster, NULL, 0, &none, NULL, NULL).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_size(cluster) == 0);
    EXPECT(throng_cluster_load(cluster, path).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_size(cluster) == count);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) remove(path);
    EXPECT(throng_cluster_save(cluster, NULL).trouble == THRONG_CLUSTER_REFUSED);
    EXPECT(throng_cluster_load(NULL, path).trouble == THRONG_CLUSTER_REFUSED);
}

/* Each rank with an engine configuration of its own; one that cannot be read is refused on all. */
static throng_cluster* make_cluster(int rank, int ranks) {
    throng_cluster* cluster = NULL;
    throng_cluster_config config;
    throng_engine_config engine;
    const MPI_Fint all = MPI_Comm_c2f(MPI_COMM_WORLD);
    throng_cluster_status refused;
    throng_cluster_config_init(&config);
    config.reach = 0.5f;
    throng_engine_config_init(&engine);
    engine.threads = 2;
    config.engine = &engine;
    engine.size = rank == ranks - 1 ? 1 : engine.size;
    refused = throng_cluster_create(all, &config, &cluster);
    EXPECT(refused.trouble == THRONG_CLUSTER_REFUSED && refused.code == THRONG_BAD_STRUCT);
    EXPECT(refused.rank == ranks - 1 && cluster == NULL);
    engine.size = sizeof engine;
    engine.cell_width = rank == 0 ? -1.0f : 0;
    refused = throng_cluster_create(all, &config, &cluster);
    EXPECT(refused.code == THRONG_BAD_CONFIG && refused.rank == 0 && cluster == NULL);
    engine.cell_width = 0;
    EXPECT(throng_cluster_create(all, &config, rank == 0 ? NULL : &cluster).rank == 0);
    EXPECT(throng_cluster_create(all, &config, &cluster).trouble == THRONG_CLUSTER_OK);
    return cluster;
}

static void write_in_place(throng_cluster* cluster) {
    throng_box* boxes = NULL;
    throng_boxes where;
    throng_cluster_agents mine;
    throng_cluster_owned(cluster, &mine);
    throng_cluster_in_place(cluster, &boxes, NULL, NULL);
    EXPECT(boxes == mine.boxes);
    for (uint64_t i = 0; i < mine.count; ++i) boxes[i].min_x += 1, boxes[i].max_x += 1;
    throng_boxes_init(&where);
    throng_boxes_of(&where, boxes, mine.count);
    EXPECT(throng_cluster_update(cluster, mine.ids, mine.count, &where, NULL, NULL).trouble == 0);
    throng_cluster_owned(cluster, &mine);
    EXPECT(sum(mine.count) == count);
}

/* Every second agent has another category. */
static void hand_in_labels(throng_cluster* cluster, const uint64_t* ids, uint64_t held,
                           const throng_boxes* where) {
    throng_label labels[count];
    throng_labels what;
    throng_cluster_agents mine;
    for (int i = 0; i < count; ++i) {
        labels[i].categories = i % 2 == 0 ? 1 : 2;
        labels[i].group = UINT32_MAX;
    }
    throng_labels_init(&what);
    what.count = held;
    what.categories = &labels[0].categories;
    what.groups = &labels[0].group;
    what.stride = sizeof labels[0];
    EXPECT(throng_cluster_update(cluster, ids, held, where, &what, NULL).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_size(cluster) == count);
    EXPECT(throng_cluster_reach(cluster) == 0.5f && throng_cluster_radius(cluster) == 0.5f);
    EXPECT(throng_cluster_giants_from(cluster) >= 0.5f);
    throng_cluster_owned(cluster, &mine);
    EXPECT(sum(mine.count) == count);
    for (uint64_t i = 0; i < mine.count; ++i)
        EXPECT(mine.labels[i].categories == (mine.ids[i] % 2 == 0 ? 1u : 2u));
}

static void reach_further(throng_cluster* cluster, const uint64_t* ids, uint64_t held,
                          const throng_boxes* where) {
    throng_pair_query query;
    const throng_cluster_pair* pairs = NULL;
    uint64_t found = 0;
    EXPECT(throng_cluster_set_reach(cluster, -1, 0).trouble == THRONG_CLUSTER_REFUSED);
    EXPECT(throng_cluster_set_reach(cluster, 2, 0).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_update(cluster, ids, held, where, NULL, NULL).trouble == THRONG_CLUSTER_OK);
    throng_pair_query_init(&query);
    query.within = 1.5f;
    EXPECT(throng_cluster_pairs(cluster, &query, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == 2 * count - 3);
}

/* The first rank holds all agents. A refused update leaves the last frame. */
static void hand_in_an_inverted_box(throng_cluster* cluster, const uint64_t* ids, uint64_t held,
                                    throng_box* boxes) {
    char text[200];
    throng_boxes where;
    throng_cluster_agents mine;
    throng_cluster_report report;
    boxes[7].min_x = 99;
    throng_boxes_init(&where);
    throng_boxes_of(&where, boxes, held);
    const throng_cluster_status refused = throng_cluster_update(cluster, ids, held, &where, NULL, NULL);
    throng_cluster_describe(&refused, text, sizeof text);
    EXPECT(refused.trouble == THRONG_CLUSTER_REFUSED && refused.rank == 0 && refused.index == 7);
    EXPECT(strstr(text, "index 7") != NULL);
    throng_cluster_get_report(cluster, &report);
    throng_cluster_owned(cluster, &mine);
    EXPECT(report.owned == mine.count && report.cluster_owned == count);
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    throng_cluster* cluster = make_cluster(rank, ranks);
    const throng_box floor = {-1, -1, 2 * count, 2};
    uint64_t ids[count];
    throng_box boxes[count];
    throng_boxes where;
    const uint64_t held = rank == 0 ? count : 0;
    for (int i = 0; i < count; ++i) {
        ids[i] = 1000 + (uint64_t)i;
        boxes[i].min_x = (float)i;
        boxes[i].min_y = 0;
        boxes[i].max_x = (float)i + 1;
        boxes[i].max_y = 1;
    }
    throng_boxes_init(&where);
    throng_boxes_of(&where, boxes, held);
    hand_in_labels(cluster, ids, held, &where);
    ask_with_shapes(cluster);
    climb(cluster, ids, where, rank, ranks);
    wrap_around(rank, ids, held, &where);
    give_payload_to_ghosts(ids, held, &where);
    EXPECT(throng_cluster_update(cluster, ids, held, &where, NULL, NULL).trouble == THRONG_CLUSTER_OK);
    ask(cluster);
    agree(cluster, rank, ranks);
    forget_init(cluster, rank, ranks);
    move_values(cluster, rank, ranks);
    EXPECT(throng_cluster_update(cluster, ids, held, rank == 0 ? NULL : &where, NULL, NULL).trouble ==
           THRONG_CLUSTER_HOST_FAILED);
    reach_further(cluster, ids, held, &where);
    save_and_load(cluster, rank);
    ask_the_frame(cluster, &floor);
    read_reports(cluster, rank, ranks);
    write_in_place(cluster);
    hand_in_an_inverted_box(cluster, ids, held, boxes);
    throng_cluster_destroy(cluster);
    MPI_Finalize();
    return failures != 0;
}
