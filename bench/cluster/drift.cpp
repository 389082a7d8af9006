#include "bench/cluster/drift.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <vector>

#include "throng/cluster.hpp"
#include "throng/throng.hpp"

namespace throng::cluster_bench {

namespace {

struct Drift {
    float side;
    unsigned frames;

    // Agents have different speeds, which their ids say.
    Box moved(const Box& box, cluster::GlobalId id, unsigned frame) const {
        const float speed = static_cast<float>((id * 2654435761u >> 8) % 1000) / 1000;
        const unsigned third = 3 * frame / frames;
        Point at = box.centre();
        at.x = third == 0 ? at.x * 0.99f : third == 1 ? at.x * 1.01f : at.x + 2 * speed;
        at.y = third == 0 ? at.y * 0.995f : at.y * 1.003f + (third == 2 ? speed : 0);
        return Box::around(std::min(at.x, 4 * side), std::min(at.y, 4 * side), 0.5f, 0.5f);
    }
};

std::uint64_t sum_of_ranks(std::uint64_t mine) {
    std::uint64_t all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

}  // namespace

void print_drift(std::size_t agents, unsigned frames) {
    cluster::ClusterConfig config;
    config.engine.executor = serial_executor();
    cluster::ClusterEngine engine(MPI_COMM_WORLD, config);
    const Drift drift{2 * std::sqrt(static_cast<float>(agents)), frames};
    std::vector<cluster::GlobalId> ids;
    std::vector<Box> boxes;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> place(0, drift.side);
    for (std::size_t i = 0; i < agents; ++i) {
        const float y = place(random), x = place(random);
        if (i % static_cast<std::size_t>(engine.ranks()) != static_cast<std::size_t>(engine.rank())) continue;
        ids.push_back(i);
        boxes.push_back(Box::around(x, y, 0.5f, 0.5f));
    }
    cluster::PairList pairs;
    std::uint64_t cuts = 0, moved = 0;
    for (unsigned frame = 0; frame < frames; ++frame) {
        if (!engine.update({.ids = ids, .boxes = boxes, .labels = {}, .payload = {}}).ok() ||
            !engine.agree(engine.pairs(pairs)).ok())
            throw std::runtime_error("the cluster failed");
        if (frame != 0 && engine.report().partitioned) {
            ++cuts;
            moved += sum_of_ranks(engine.report().sent);
        }
        const cluster::Table mine = engine.owned();
        ids.assign(mine.ids.begin(), mine.ids.end());
        boxes.clear();
        for (std::size_t i = 0; i < mine.size(); ++i)
            boxes.push_back(drift.moved(mine.boxes[i], mine.ids[i], frame));
    }
    if (engine.rank() != 0) return;
    std::printf("%zu agents drift on %d ranks for %u frames: %llu cuts, each moved %.1f %% of the agents\n",
                agents, engine.ranks(), frames, static_cast<unsigned long long>(cuts),
                cuts == 0 ? 0 : 100 * double(moved) / (double(cuts) * double(agents)));
}

}  // namespace throng::cluster_bench
