// Discs that repel each other and rub, over MPI. Each pair stands on one rank. It needs the velocities of
// copies, and gives forces to two owners, which add them up in one order. So the discs end where they end on
// one rank alone, to the last bit.
//
//     mpirun -n 4 throng_example_discs
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "throng/cluster.hpp"
#include "throng/throng.hpp"

namespace {

using throng::cluster::ClusterEngine;
using throng::cluster::ClusterPair;
using throng::cluster::GlobalId;
using Force = std::array<double, 2>;

constexpr std::size_t discs = 4000;
constexpr float side = 90, radius = 0.5f;
constexpr double tick = 0.05, stiffness = 10, rubbing = 0.5;
constexpr int steps = 40;

struct Velocity {
    double x, y;
};

// The discs of a rank between two frames.
struct Discs {
    std::vector<GlobalId> ids;
    std::vector<throng::Point> places;
    std::vector<Velocity> velocities;
};

Discs everybody() {
    Discs all;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> place(0, side);
    std::uniform_real_distribution<double> speed(-1, 1);
    for (std::size_t i = 0; i < discs; ++i) {
        all.ids.push_back(i);
        all.places.push_back({place(random), place(random)});
        all.velocities.push_back({speed(random), speed(random)});
    }
    return all;
}

// What the first of two discs gets; the second one gets the opposite.
Force force_between(const throng::Point& a, const throng::Point& b, const Velocity& of_a,
                    const Velocity& of_b) {
    const double x = double{a.x} - double{b.x}, y = double{a.y} - double{b.y};
    const double distance = std::sqrt(x * x + y * y), overlap = 2 * double{radius} - distance;
    if (overlap <= 0 || distance == 0) return {};
    const double push = stiffness * overlap / distance;
    return {push * x - rubbing * (of_a.x - of_b.x), push * y - rubbing * (of_a.y - of_b.y)};
}

// The forces on this rank's discs. False on all ranks if one fails.
bool find_forces(ClusterEngine& engine, throng::cluster::PairList& pairs, std::vector<Force>& sums) {
    if (!engine.agree(engine.pairs(pairs))) return false;
    const throng::cluster::Table mine = engine.owned(), copies = engine.ghosts();
    std::vector<Velocity> velocities(engine.places());  // of mine, and then of the copies
    std::byte* const to = std::as_writable_bytes(std::span(velocities)).data();
    std::copy(mine.payload.begin(), mine.payload.end(), to);
    std::copy(copies.payload.begin(), copies.payload.end(), to + mine.payload.size());
    const auto place = [&](std::size_t i) {
        return (i < mine.size() ? mine.boxes[i] : copies.boxes[i - mine.size()]).centre();
    };
    std::vector<Force> forces;
    for (const ClusterPair pair : pairs)
        forces.push_back(force_between(place(pair.a_place), place(pair.b_place), velocities[pair.a_place],
                                       velocities[pair.b_place]));
    sums.assign(mine.size(), Force{});
    return engine.sum_pairs(pairs, forces, sums).ok();
}

Discs moved(const throng::cluster::Table& mine, const std::vector<Force>& forces) {
    Discs next;
    next.ids.assign(mine.ids.begin(), mine.ids.end());
    next.velocities.resize(mine.size());
    std::memcpy(static_cast<void*>(next.velocities.data()), mine.payload.data(), mine.payload.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
        Velocity& velocity = next.velocities[i];
        velocity.x += tick * forces[i][0];
        velocity.y += tick * forces[i][1];
        const throng::Point at = mine.boxes[i].centre();
        next.places.push_back({static_cast<float>(double{at.x} + tick * velocity.x),
                               static_cast<float>(double{at.y} + tick * velocity.y)});
    }
    return next;
}

// The places of all discs by id, on the first rank; or nothing if a call failed.
std::vector<throng::Point> simulate(MPI_Comm ranks) {
    ClusterEngine engine(ranks, {.payload_bytes = sizeof(Velocity), .ghost_payload_bytes = sizeof(Velocity)});
    Discs mine = engine.rank() == 0 ? everybody() : Discs();
    throng::cluster::PairList pairs;
    std::vector<Force> forces;
    for (int step = 0; step < steps; ++step) {
        const auto boxes = throng::Boxes::points(mine.places, &throng::Point::x, &throng::Point::y, radius);
        const auto status = engine.update(
            {.ids = mine.ids, .boxes = boxes, .payload = std::as_bytes(std::span(mine.velocities))});
        if (!status || !find_forces(engine, pairs, forces)) return {};
        mine = moved(engine.owned(), forces);
    }
    std::vector<throng::Point> places(discs), all(discs);
    for (std::size_t i = 0; i < mine.ids.size(); ++i) places[mine.ids[i]] = mine.places[i];
    // Every disc is on one rank, and a zero on the others.
    MPI_Reduce(places.data(), all.data(), 2 * static_cast<int>(discs), MPI_UINT32_T, MPI_BOR, 0, ranks);
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0, rank = 0, ranks = 1, failed = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::vector<throng::Point> together = simulate(MPI_COMM_WORLD);
    if (rank == 0) {
        const std::vector<throng::Point> alone = simulate(MPI_COMM_SELF);
        failed = together.empty() || alone.size() != together.size() ||
                 std::memcmp(alone.data(), together.data(), discs * sizeof(throng::Point)) != 0;
        std::printf("%zu discs after %d steps on %d ranks: %s\n", discs, steps, ranks,
                    failed ? "not where they are on one rank" : "each where it is on one rank, to the bit");
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
