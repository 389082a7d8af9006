// A crowd over MPI in C: each rank moves its own agents, and asks which of them touch. Everybody begins on
// the first rank.
//
//     mpicc crowd.c $(pkg-config --cflags --libs throng_cluster_c) && mpirun -n 4 ./a.out
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng_cluster.h>

enum { agents = 20000, side = 300, steps = 30 };

static float random_up_to(float most) { return most * (float)rand() / (float)RAND_MAX; }

static void check(throng_cluster_status status) {
    char text[200];
    if (status.trouble == THRONG_CLUSTER_OK) return;
    throng_cluster_describe(&status, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
    int rank = 0, provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    throng_cluster* cluster = NULL;
    check(throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), NULL, &cluster));

    const uint64_t held = rank == 0 ? agents : 0;
    uint64_t* ids = malloc(agents * sizeof *ids);
    throng_box* boxes = malloc(agents * sizeof *boxes);
    if (ids == NULL || boxes == NULL) return 1;
    for (uint64_t i = 0; i < held; ++i) {
        const float x = random_up_to(side), y = random_up_to(side);
        ids[i] = i;
        boxes[i] = (throng_box){x, y, x + 1, y + 1};
    }
    throng_boxes where;
    throng_boxes_init(&where);
    throng_boxes_of(&where, boxes, held);
    check(throng_cluster_update(cluster, ids, held, &where, NULL, NULL));
    free(ids);
    free(boxes);

    unsigned long long touched = 0, all = 0;
    for (int step = 0; step < steps; ++step) {
        // Each pair is on one rank.
        const throng_cluster_pair* pairs = NULL;
        uint64_t count = 0;
        throng_cluster_status found = throng_cluster_pairs(cluster, NULL, &pairs, &count);
        check(throng_cluster_agree(cluster, &found));
        touched += count;

        // The boxes of this rank's agents, which are written in place.
        throng_cluster_agents mine;
        throng_cluster_owned(cluster, &mine);
        throng_cluster_in_place(cluster, &boxes, NULL, NULL);
        for (uint64_t i = 0; i < mine.count; ++i) {
            const float dx = random_up_to(0.2f) - 0.1f, dy = random_up_to(0.2f) - 0.1f;
            boxes[i].min_x += dx, boxes[i].max_x += dx;
            boxes[i].min_y += dy, boxes[i].max_y += dy;
        }
        throng_boxes_of(&where, boxes, mine.count);
        check(throng_cluster_update(cluster, mine.ids, mine.count, &where, NULL, NULL));
    }
    MPI_Reduce(&touched, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    const uint64_t left = throng_cluster_size(cluster);
    if (rank == 0) printf("%d agents, %.0f pairs in a frame\n", (int)left, (double)all / steps);
    throng_cluster_destroy(cluster);
    MPI_Finalize();
    return left == agents ? 0 : 1;
}
