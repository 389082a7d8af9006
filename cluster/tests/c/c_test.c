/* The C library on as many ranks as mpirun started: a row of boxes that touch their neighbours, in C99. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throng_cluster.h"

enum { count = 200 };

static int failures = 0;

static void expect(int holds, const char* what) {
    if (holds) return;
    printf("does not hold: %s\n", what);
    ++failures;
}
#define EXPECT(holds) expect((holds) != 0, #holds)

static uint64_t sum(uint64_t mine) {
    unsigned long long here = mine, all = 0;
    MPI_Allreduce(&here, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* The first box and the last one touch too where the world wraps around. */
static void wrap_around(const throng_cluster_agents* agents) {
    throng_cluster_config config;
    throng_cluster* cluster = NULL;
    const throng_cluster_pair* pairs = NULL;
    uint64_t found = 0;
    throng_cluster_config_init(&config);
    EXPECT(config.period_x == 0 && config.period_y == 0);
    config.period_x = count;
    EXPECT(throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), &config, &cluster).trouble ==
           THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_update(cluster, agents).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count);
    throng_cluster_destroy(cluster);
    config.period_x = -1;
    cluster = NULL;
    EXPECT(throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), &config, &cluster).trouble ==
           THRONG_CLUSTER_REFUSED);
}

/* What one rank does alone, all hear of. */
static void agree(throng_cluster* cluster, int rank, int ranks) {
    const throng_cluster_pair* pairs = NULL;
    throng_cluster_status mine = {0}, all;
    const throng_cluster_neighbourhood within = {1, 0, THRONG_CLUSTER_CENTRES};
    const float box[4] = {0, 0, 1, 1};
    uint64_t found = 0;
    char text[200];
    EXPECT(throng_cluster_agree(cluster, NULL).trouble == THRONG_CLUSTER_OK);
    mine = throng_cluster_pairs(cluster, NULL, &pairs, &found);
    EXPECT(throng_cluster_agree(cluster, &mine).trouble == THRONG_CLUSTER_OK);
    mine.trouble = rank == ranks - 1 ? THRONG_CLUSTER_HOST_FAILED : THRONG_CLUSTER_OK;
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
                            : throng_cluster_count(cluster, box, 1, NULL, NULL, &found);
    EXPECT(all.trouble == THRONG_CLUSTER_HOST_FAILED && all.rank == ranks - 1);
    /* Arrays that are NULL on one rank. */
    all = throng_cluster_count(cluster, box, 1, NULL, NULL, rank == ranks - 1 ? NULL : &found);
    EXPECT(all.trouble == THRONG_CLUSTER_REFUSED && all.rank == ranks - 1);
    all = throng_cluster_pairs_with(cluster, rank == 0 ? NULL : cluster, NULL, &pairs, &found);
    EXPECT(all.trouble == THRONG_CLUSTER_REFUSED && all.rank == 0);
    EXPECT(throng_cluster_neighbours(cluster, NULL, NULL, NULL).trouble == THRONG_CLUSTER_REFUSED);
    all = throng_cluster_neighbours_of(cluster, box, 0, rank == ranks - 1 ? NULL : &within, NULL, NULL, NULL,
                                       NULL);
    EXPECT(all.trouble == THRONG_CLUSTER_REFUSED && all.rank == ranks - 1);
    EXPECT(throng_cluster_agree(NULL, NULL).trouble == THRONG_CLUSTER_REFUSED);
}

static void ask(throng_cluster* cluster) {
    const throng_cluster_pair* pairs = NULL;
    const throng_cluster_neighbourhood nearest = {1e9f, 2, THRONG_CLUSTER_CENTRES},
                                       within = {1, 0, THRONG_CLUSTER_CENTRES};
    const float all[4] = {-1, -1, 2 * count, 2}, circle[3] = {50, 0.5f, 3};
    const float points[4] = {3.25f, 0.5f, 150.5f, 9}, radii[2] = {1.5f, 9};
    const uint64_t selves[2] = {1003, 1};
    const float cast[7] = {-5, 0.5f, -5, 0.5f, 10, 0, 0};
    const uint64_t self = 1000;
    throng_cluster_pair_query query;
    throng_cluster_lists lists;
    throng_cluster_hit hit;
    uint64_t found = 0;
    EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count - 1);
    throng_cluster_pair_query_init(&query);
    query.within = 0.5f;
    EXPECT(throng_cluster_pairs(cluster, &query, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count - 1);
    query.within = 2;
    EXPECT(throng_cluster_pairs(cluster, &query, &pairs, &found).trouble == THRONG_CLUSTER_BEYOND_REACH);
    EXPECT(throng_cluster_pairs_with(cluster, cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count + 2 * (count - 1));
    EXPECT(throng_cluster_neighbours(cluster, &nearest, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(lists.offsets == NULL ? 0 : lists.offsets[lists.count]) == 2 * count);
    EXPECT(throng_cluster_neighbours_of(cluster, points, 2, &nearest, NULL, NULL, selves, &lists).trouble ==
           0);
    EXPECT(lists.count == 2 && lists.offsets[2] == 4 && lists.ids[0] == 1002 && lists.ids[2] == 1150);
    EXPECT(lists.numbers[0] == 0.5625f && lists.ids[1] == 1004);
    EXPECT(throng_cluster_neighbours_of(cluster, points, 2, &within, radii, NULL, NULL, &lists).trouble == 0);
    EXPECT(lists.offsets[1] == 3 && lists.ids[0] == 1003 && lists.ids[3] == 1150);
    EXPECT(throng_cluster_count(cluster, all, 1, NULL, &self, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(found == count - 1);
    EXPECT(throng_cluster_overlaps(cluster, all, 1, NULL, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.count == 1 && lists.offsets[1] == count && lists.ids[1] == 1001);
    EXPECT(throng_cluster_circles(cluster, circle, 1, THRONG_CLUSTER_BOXES, NULL, NULL, &lists).trouble == 0);
    EXPECT(lists.offsets[1] == 8);
    EXPECT(throng_cluster_first_hits(cluster, cast, 1, NULL, &self, &hit).trouble == THRONG_CLUSTER_OK);
    EXPECT(hit.is_found && hit.id == 1001);
    EXPECT(throng_cluster_all_hits(cluster, cast, 1, NULL, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.offsets[1] == 6 && lists.numbers[0] == 0.5f);
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

/* Two storeys in turns along the row: no agent shares a height with its neighbours. */
static void ask_at_heights(throng_cluster* cluster, throng_cluster_agents agents, int rank, int ranks) {
    static float heights[count][2];
    const float box[8] = {9.5f, 0, 12.5f, 1, 9.5f, 0, 12.5f, 1}, bands[4] = {0, 1, 3, 4},
                upside_down[2] = {2, 1};
    const float casts[14] = {0.5f, 0.5f, 0.5f, 0.5f, 4, 0, 0, 0.5f, 0.5f, 0.5f, 0.5f, 4, 0, 0};
    const float rising[6] = {1.5f, 1.5f, 4, 1.5f, 1.5f, 0}, points[2] = {10.25f, 0.5f};
    const throng_cluster_neighbourhood nearest = {1e9f, 1, THRONG_CLUSTER_CENTRES};
    throng_cluster_filter filter = {0xFFFFFFFFu, 0xFFFFFFFFu, bands, 2, NULL, 0};
    const throng_cluster_pair* pairs = NULL;
    throng_cluster_agents mine;
    throng_cluster_status status;
    throng_cluster_lists lists;
    throng_cluster_hit hits[2];
    uint64_t found = 0, counts[2] = {0, 0};
    for (int i = 0; i < count; ++i) {
        heights[i][0] = i % 2 == 0 ? 0.0f : 3.0f;
        heights[i][1] = heights[i][0] + 1;
    }
    agents.heights = rank == 0 ? heights[0] : NULL;
    EXPECT(throng_cluster_update(cluster, &agents).trouble == THRONG_CLUSTER_OK);
    throng_cluster_owned(cluster, &mine);
    for (uint64_t i = 0; i < mine.count; ++i) EXPECT(mine.heights[2 * i] == heights[mine.ids[i] - 1000][0]);
    EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == 0);
    EXPECT(throng_cluster_count(cluster, box, 2, &filter, NULL, counts).trouble == THRONG_CLUSTER_OK);
    EXPECT(counts[0] == 2 && counts[1] == 2);
    EXPECT(throng_cluster_overlaps(cluster, box, 2, &filter, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.ids[0] == 1010 && lists.ids[2] == 1009);
    filter.heights_count = 1;
    EXPECT(throng_cluster_neighbours_of(cluster, points, 1, &nearest, NULL, &filter, NULL, &lists).trouble ==
           0);
    EXPECT(lists.ids[0] == 1010);
    EXPECT(throng_cluster_neighbours(cluster, &nearest, &filter, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(lists.offsets == NULL ? 0 : lists.offsets[lists.count]) == count / 2);
    filter.heights_count = rank == ranks - 1 ? 2 : 1;
    status = throng_cluster_neighbours(cluster, &nearest, &filter, &lists);
    EXPECT(status.trouble == THRONG_CLUSTER_REFUSED && status.rank == ranks - 1);
    filter.heights = NULL;
    filter.cast_heights = rising;
    filter.cast_heights_count = 2;
    EXPECT(throng_cluster_first_hits(cluster, casts, 2, &filter, NULL, hits).trouble == THRONG_CLUSTER_OK);
    EXPECT(hits[0].is_found && hits[0].id == 1001 && hits[0].fraction == 0.375f && !hits[1].is_found);
    filter.cast_heights_count = 1;
    EXPECT(throng_cluster_all_hits(cluster, casts, 2, &filter, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.offsets[2] == 2 * lists.offsets[1] && lists.ids[0] == 1001);
    {
        float* const written = throng_cluster_heights_in_place(cluster);
        EXPECT((written == NULL) == (mine.count == 0));
        for (uint64_t i = 0; i < 2 * mine.count; ++i) written[i] = 0;
        EXPECT(throng_cluster_update(cluster, &mine).trouble == THRONG_CLUSTER_OK);
        EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
        EXPECT(sum(found) == count - 1);
    }
    agents.count = rank == ranks - 1 ? 1 : 0;
    agents.heights = upside_down;
    status = throng_cluster_update(cluster, &agents);
    EXPECT(status.trouble == THRONG_CLUSTER_REFUSED && status.rank == ranks - 1 && status.index == 0);
}

/* Into a file and back. */
static void save_and_load(throng_cluster* cluster, int rank) {
    const char* const folder = getenv("TMPDIR");
    throng_cluster_agents none = {0};
    throng_cluster_status status;
    char path[500], text[200];
    unsigned long long number = (unsigned long long)(MPI_Wtime() * 1e6);
    MPI_Bcast(&number, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/throng-c-%llu.saved", folder != NULL ? folder : "/tmp", number);
    status = throng_cluster_load(cluster, path);
    throng_cluster_describe(&status, text, sizeof text);
    EXPECT(status.trouble == THRONG_CLUSTER_FILE_FAILED && strstr(text, "no such file") != NULL);
    EXPECT(throng_cluster_save(cluster, path).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_update(cluster, &none).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_size(cluster) == 0);
    EXPECT(throng_cluster_load(cluster, path).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_size(cluster) == count);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) remove(path);
    EXPECT(throng_cluster_save(cluster, NULL).trouble == THRONG_CLUSTER_REFUSED);
    EXPECT(throng_cluster_load(NULL, path).trouble == THRONG_CLUSTER_REFUSED);
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    throng_cluster* cluster = NULL;
    throng_cluster_config config;
    throng_cluster_config_init(&config);
    config.threads = 2;
    config.reach = 0.5f;
    EXPECT(throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), &config, &cluster).trouble ==
           THRONG_CLUSTER_OK);
    uint64_t ids[count];
    float boxes[count][4];
    for (int i = 0; i < count; ++i) {
        ids[i] = 1000 + (uint64_t)i;
        boxes[i][0] = (float)i;
        boxes[i][1] = 0;
        boxes[i][2] = (float)i + 1;
        boxes[i][3] = 1;
    }
    throng_cluster_agents agents = {0}, mine;
    agents.count = rank == 0 ? count : 0;
    agents.ids = ids;
    agents.boxes = boxes[0];
    EXPECT(throng_cluster_update(cluster, &agents).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_size(cluster) == count);
    throng_cluster_owned(cluster, &mine);
    EXPECT(sum(mine.count) == count);
    wrap_around(&agents);
    ask(cluster);
    agree(cluster, rank, ranks);
    move_values(cluster, rank, ranks);
    EXPECT(throng_cluster_update(cluster, rank == 0 ? NULL : &agents).trouble == THRONG_CLUSTER_HOST_FAILED);
    EXPECT(throng_cluster_set_reach(cluster, -1, 0).trouble == THRONG_CLUSTER_REFUSED);
    EXPECT(throng_cluster_set_reach(cluster, 2, 0).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_update(cluster, &agents).trouble == THRONG_CLUSTER_OK);
    {
        throng_cluster_pair_query query;
        const throng_cluster_pair* pairs = NULL;
        uint64_t found = 0;
        throng_cluster_pair_query_init(&query);
        query.within = 1.5f;
        EXPECT(throng_cluster_pairs(cluster, &query, &pairs, &found).trouble == THRONG_CLUSTER_OK);
        EXPECT(sum(found) == 2 * count - 3);
    }
    ask_at_heights(cluster, agents, rank, ranks);
    EXPECT(throng_cluster_update(cluster, &agents).trouble == THRONG_CLUSTER_OK);
    save_and_load(cluster, rank);
    read_reports(cluster, rank, ranks);
    throng_cluster_owned(cluster, &mine);
    {
        float* mine_to_write = NULL;
        throng_cluster_agents written = mine;
        throng_cluster_in_place(cluster, &mine_to_write, NULL);
        EXPECT(mine_to_write == mine.boxes);
        for (uint64_t i = 0; i < 4 * mine.count; ++i) mine_to_write[i] += 1;
        EXPECT(throng_cluster_update(cluster, &written).trouble == THRONG_CLUSTER_OK);
        throng_cluster_owned(cluster, &mine);
        EXPECT(sum(mine.count) == count);
    }
    boxes[7][0] = 99;
    const throng_cluster_status refused = throng_cluster_update(cluster, &agents);
    char text[200];
    throng_cluster_describe(&refused, text, sizeof text);
    EXPECT(refused.trouble == THRONG_CLUSTER_REFUSED && refused.rank == 0 && refused.index == 7);
    EXPECT(strstr(text, "index 7") != NULL);
    throng_cluster_report report;
    throng_cluster_get_report(cluster, &report);
    EXPECT(report.owned == mine.count && report.cluster_owned == count);
    throng_cluster_destroy(cluster);
    MPI_Finalize();
    return failures != 0;
}
