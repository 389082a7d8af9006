/* Worlds with heights, with periods, and with a payload that ghosts have. */
#include <mpi.h>
#include <string.h>

#include "checks.h"
#include "throng_cluster.h"

/* Queries of agents on two storeys, with a band for each, and casts that rise. */
static void ask_at_heights(throng_cluster* cluster) {
    const throng_box looked_at[2] = {{9.5f, 0, 12.5f, 1}, {9.5f, 0, 12.5f, 1}};
    const throng_band bands[2] = {{0, 1}, {3, 4}};
    const throng_cast casts[2] = {{0.5f, 0.5f, 0.5f, 0.5f, 4, 0, 0}, {0.5f, 0.5f, 0.5f, 0.5f, 4, 0, 0}};
    const throng_cast_heights rising[2] = {{1.5f, 1.5f, 4}, {1.5f, 1.5f, 0}};
    throng_boxes boxes = one(looked_at);
    throng_filter filter;
    throng_nearest nearest;
    throng_cluster_lists lists;
    throng_cluster_hit hits[2];
    uint64_t counts[2] = {0, 0};
    throng_boxes_of(&boxes, looked_at, 2);
    throng_filter_init(&filter);
    filter.each_band = bands;
    filter.each_band_count = 2;
    EXPECT(throng_cluster_count(cluster, &boxes, &filter, NULL, counts).trouble == THRONG_CLUSTER_OK);
    EXPECT(counts[0] == 2 && counts[1] == 2);
    EXPECT(throng_cluster_overlaps(cluster, &boxes, &filter, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.ids[0] == 1010 && lists.ids[2] == 1009);
    throng_filter_init(&filter);
    filter.min_z = 3;
    filter.max_z = 4;
    throng_nearest_init(&nearest);
    nearest.count = 1;
    EXPECT(throng_cluster_neighbours_nearest(cluster, &nearest, &filter, &lists).trouble == 0);
    EXPECT(sum(lists.offsets == NULL ? 0 : lists.offsets[lists.count]) == count / 2);
    throng_filter_init(&filter);
    filter.cast_heights = rising;
    filter.cast_heights_count = 2;
    EXPECT(throng_cluster_first_hits(cluster, casts, 2, &filter, NULL, hits).trouble == THRONG_CLUSTER_OK);
    EXPECT(hits[0].is_found && hits[0].id == 1001 && hits[0].fraction == 0.375f && !hits[1].is_found);
    EXPECT(throng_cluster_all_hits(cluster, casts, 2, &filter, NULL, &lists).trouble == THRONG_CLUSTER_OK);
    EXPECT(lists.ids[0] == 1001 && lists.offsets[2] == lists.offsets[1]);
}

/* Two storeys in turns along the row: no agent shares a height with its neighbours. */
void climb(throng_cluster* cluster, const uint64_t* ids, throng_boxes where, int rank, int ranks) {
    static throng_band heights[count];
    const uint64_t held = rank == 0 ? count : 0;
    const throng_cluster_pair* pairs = NULL;
    throng_band* written = NULL;
    throng_cluster_agents mine;
    throng_cluster_status status;
    uint64_t found = 0;
    for (int i = 0; i < count; ++i) {
        heights[i].min_z = i % 2 == 0 ? 0.0f : 3.0f;
        heights[i].max_z = heights[i].min_z + 1;
    }
    where.min_z = rank == 0 ? &heights[0].min_z : NULL;
    where.max_z = rank == 0 ? &heights[0].max_z : NULL;
    where.stride_z = sizeof heights[0];
    EXPECT(throng_cluster_update(cluster, ids, held, &where, NULL, NULL).trouble == THRONG_CLUSTER_OK);
    throng_cluster_owned(cluster, &mine);
    for (uint64_t i = 0; i < mine.count; ++i)
        EXPECT(mine.heights[i].min_z == heights[mine.ids[i] - 1000].min_z);
    EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == 0);
    ask_at_heights(cluster);
    throng_cluster_in_place(cluster, NULL, NULL, &written);
    EXPECT(written != NULL); /* also on a rank without agents */
    for (uint64_t i = 0; i < mine.count; ++i) written[i].min_z = 0;
    throng_boxes_of(&where, mine.boxes, mine.count);
    where.min_z = mine.count == 0 ? NULL : &written->min_z;
    where.max_z = mine.count == 0 ? NULL : &written->max_z;
    EXPECT(throng_cluster_update(cluster, mine.ids, mine.count, &where, NULL, NULL).trouble == 0);
    EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count - 1);
    heights[0].min_z = 9;
    where.count = rank == ranks - 1 ? 1 : 0;
    where.min_z = &heights[0].min_z;
    where.max_z = &heights[0].max_z;
    status = throng_cluster_update(cluster, ids, where.count, &where, NULL, NULL);
    EXPECT(status.code == THRONG_INVERTED && status.argument == THRONG_ARGUMENT_HEIGHTS);
    EXPECT(status.rank == ranks - 1 && status.index == 0);
}

/* The first box and the last one touch too where the world wraps around. */
void wrap_around(int rank, const uint64_t* ids, uint64_t held, const throng_boxes* where) {
    throng_cluster_config config;
    throng_engine_config engine;
    throng_cluster* cluster = NULL;
    const throng_cluster_pair* pairs = NULL;
    uint64_t found = 0;
    throng_cluster_config_init(&config);
    throng_engine_config_init(&engine);
    engine.period_x = count;
    config.engine = &engine;
    EXPECT(throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), &config, &cluster).trouble ==
           THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_update(cluster, ids, held, where, NULL, NULL).trouble == THRONG_CLUSTER_OK);
    EXPECT(throng_cluster_pairs(cluster, NULL, &pairs, &found).trouble == THRONG_CLUSTER_OK);
    EXPECT(sum(found) == count);
    throng_cluster_destroy(cluster);
    engine.period_x = -1;
    EXPECT(throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), &config, &cluster).trouble ==
           THRONG_CLUSTER_REFUSED);
    engine.period_x = count;
    if (rank == 0) engine.size = 1;
    const throng_cluster_status refused =
        throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), &config, &cluster);
    EXPECT(refused.code == THRONG_BAD_STRUCT && refused.rank == 0 && cluster == NULL);
}

/* Ghosts have the first bytes of what travels with agents. */
void give_payload_to_ghosts(const uint64_t* ids, uint64_t held, const throng_boxes* where) {
    throng_cluster* cluster = NULL;
    throng_cluster_config config;
    throng_cluster_agents ghosts;
    uint64_t numbers[count][2];
    throng_cluster_config_init(&config);
    EXPECT(config.ghost_payload_bytes == 0);
    config.reach = 2;
    config.payload_bytes = sizeof numbers[0];
    config.ghost_payload_bytes = sizeof numbers[0][0];
    EXPECT(throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), &config, &cluster).trouble ==
           THRONG_CLUSTER_OK);
    for (uint64_t i = 0; i < held; ++i) {
        numbers[i][0] = 3 * ids[i];
        numbers[i][1] = 7;
    }
    EXPECT(throng_cluster_update(cluster, ids, held, where, NULL, numbers).trouble == THRONG_CLUSTER_OK);
    throng_cluster_ghosts(cluster, &ghosts);
    EXPECT(ghosts.count == 0 || ghosts.payload != NULL);
    for (uint64_t i = 0; ghosts.payload != NULL && i < ghosts.count; ++i) {
        uint64_t number = 0;
        memcpy(&number, (const char*)ghosts.payload + i * sizeof number, sizeof number);
        EXPECT(number == 3 * ghosts.ids[i]);
    }
    throng_cluster_destroy(cluster);
}
