/* A host of the cluster in C, on as many ranks as it is started on, be it by itself. */
#include <mpi.h>
#include <stddef.h>
#include <throng_cluster.h>

int main(int argc, char** argv) {
    const uint64_t ids[2] = {7, 9};
    const float boxes[8] = {0, 0, 2, 2, 1, 1, 3, 3};
    const throng_cluster_pair* pairs = NULL;
    throng_cluster_agents agents = {0};
    throng_cluster* cluster = NULL;
    uint64_t count = 0;
    unsigned long long mine = 0, all = 0;
    int rank = 0, good = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    agents.count = rank == 0 ? 2 : 0;
    agents.ids = ids;
    agents.boxes = boxes;
    good = throng_cluster_create(MPI_Comm_c2f(MPI_COMM_WORLD), NULL, &cluster).trouble == THRONG_CLUSTER_OK &&
           throng_cluster_update(cluster, &agents).trouble == THRONG_CLUSTER_OK &&
           throng_cluster_pairs(cluster, NULL, &pairs, &count).trouble == THRONG_CLUSTER_OK;
    mine = count;
    MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    throng_cluster_destroy(cluster);
    MPI_Finalize();
    return good && all == 1 ? 0 : 1;
}
