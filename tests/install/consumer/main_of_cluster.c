/* A host of the cluster in C, on as many ranks as it is started on, be it by itself. */
#include <mpi.h>
#include <stddef.h>
#include <throng_cluster.h>

int main(int argc, char** argv) {
    const uint64_t ids[2] = {7, 9};
    const throng_box boxes[2] = {{0, 0, 2, 2}, {1, 1, 3, 3}};
    const throng_cluster_pair* pairs = NULL;
    throng_boxes where;
    throng_cluster* cluster = NULL;
    throng_frame* frame = NULL;
    uint64_t held = 0, count = 0;
    unsigned long long mine = 0, all = 0;
    int rank = 0, good = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    held = rank == 0 ? 2 : 0;
    throng_boxes_init(&where);
    throng_boxes_of(&where, boxes, held);
    good = throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), NULL, &cluster).trouble == THRONG_CLUSTER_OK &&
           throng_cluster_update(cluster, ids, held, &where, NULL, NULL).trouble == THRONG_CLUSTER_OK &&
           throng_cluster_pairs(cluster, NULL, &pairs, &count).trouble == THRONG_CLUSTER_OK &&
           throng_cluster_frame(cluster, &frame).trouble == THRONG_CLUSTER_OK &&
           throng_frame_size(frame) == throng_cluster_places(cluster);
    throng_frame_release(frame);
    mine = count;
    MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    throng_cluster_destroy(cluster);
    MPI_Finalize();
    return good && all == 1 ? 0 : 1;
}
