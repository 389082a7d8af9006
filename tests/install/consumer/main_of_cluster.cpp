// A host of the cluster, on as many ranks as it is started on, also on one.
#include <mpi.h>

#include <throng/cluster.hpp>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool good = false;
    {
        throng::cluster::ClusterEngine engine(MPI_COMM_WORLD);
        std::vector<throng::cluster::GlobalId> ids;
        std::vector<throng::Box> boxes;
        if (engine.rank() == 0) {
            ids = {7, 9};
            boxes = {{0, 0, 2, 2}, {1, 1, 3, 3}};
        }
        throng::cluster::PairList pairs;
        good = engine.update({.ids = ids, .boxes = boxes, .labels = {}, .payload = {}}).ok() &&
               engine.pairs(pairs).ok();
        unsigned long long mine = pairs.size(), all = 0;
        MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
        good = good && all == 1;
    }
    MPI_Finalize();
    return good ? 0 : 1;
}
