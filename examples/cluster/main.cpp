// A crowd over MPI: each rank moves the agents that it owns, away from those that they would touch, and
// bounces them off the walls. Everybody begins on the first rank. At the end all are still there.
//
//     mpirun -n 4 throng_example_cluster
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "throng/cluster.hpp"
#include "throng/throng.hpp"

namespace {

using throng::cluster::GlobalId;

constexpr std::size_t agents = 20'000;
constexpr float side = 300, half = 0.5f;
constexpr int steps = 30;

struct Velocity {
    float x, y;
};

// What a rank keeps about its agents between two frames.
struct Mine {
    std::vector<GlobalId> ids;
    std::vector<throng::Point> places;
    std::vector<Velocity> velocities;
};

Mine everybody() {
    Mine all;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> place(0, side), speed(-0.1f, 0.1f);
    for (std::size_t i = 0; i < agents; ++i) {
        all.ids.push_back(i);
        all.places.push_back({place(random), place(random)});
        all.velocities.push_back({speed(random), speed(random)});
    }
    return all;
}

// The agents of this rank as they are after a step. Pairs with a ghost are listed by one of the two owners,
// so this looks at the neighbours of each agent, ghosts or not.
bool move(throng::cluster::ClusterEngine& engine, throng::cluster::Lists& near, Mine& mine) {
    if (!engine.neighbours(throng::Within{.radius = 2 * half, .distances = true}, near)) return false;
    const throng::cluster::Table owned = engine.owned();
    mine.ids.assign(owned.ids.begin(), owned.ids.end());
    mine.places.resize(owned.size());
    mine.velocities.resize(owned.size());
    std::memcpy(mine.velocities.data(), owned.payload.data(), owned.payload.size());
    for (std::size_t i = 0; i < owned.size(); ++i) {
        const throng::Point at = owned.boxes[i].centre();
        Velocity& velocity = mine.velocities[i];
        // The more agents are around it, the slower it is.
        const float slow = 1 / (1 + static_cast<float>(near[i].size()));
        mine.places[i] = {at.x + velocity.x * slow, at.y + velocity.y * slow};
        if (mine.places[i].x < 0 || mine.places[i].x > side) velocity.x = -velocity.x;
        if (mine.places[i].y < 0 || mine.places[i].y > side) velocity.y = -velocity.y;
    }
    return true;
}

int run(int rank) {
    throng::cluster::ClusterEngine engine(MPI_COMM_WORLD,
                                          {.radius = 2 * half, .payload_bytes = sizeof(Velocity)});
    throng::cluster::PairList touching;
    throng::cluster::Lists near;
    Mine mine = rank == 0 ? everybody() : Mine();
    for (int step = 0; step <= steps; ++step) {
        const auto boxes = throng::Boxes::points(mine.places, &throng::Point::x, &throng::Point::y, half);
        const throng::cluster::ClusterStatus status = engine.update(
            {.ids = mine.ids, .boxes = boxes, .payload = std::as_bytes(std::span(mine.velocities))});
        char text[200];
        if (!status) return throng::cluster::describe(status, text), std::puts(text), 1;
        if (!engine.pairs(touching) || !move(engine, near, mine)) return 1;
    }
    const unsigned long long here[] = {mine.ids.size(), touching.size(), engine.report().sent};
    unsigned long long all[3] = {};
    MPI_Allreduce(here, all, 3, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf(
            "%llu agents on %d ranks, %llu pairs touch, %llu agents went to another rank in the last step\n",
            all[0], engine.ranks(), all[1], all[2]);
    return all[0] == agents && all[1] > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0, rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int result = run(rank);  // its engine is gone before MPI is
    MPI_Finalize();
    return result;
}
