#include "bench/cluster/replicated.hpp"

#include <stdexcept>

namespace throng::cluster_bench {

namespace {

EngineConfig on_this_thread() {
    EngineConfig config;
    config.executor = serial_executor();
    return config;
}

void expect(const Status& status) {
    if (!status.ok()) throw std::runtime_error(status.message());
}

}  // namespace

Replicated::Replicated() : mine_(on_this_thread()), guests_(on_this_thread()) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

// Those of lower ranks that lie within the bounds of this one's.
std::vector<Box> Replicated::exchange(std::span<const Box> boxes) {
    const std::size_t ranks = static_cast<std::size_t>(ranks_);
    Box bounds = no_box;
    for (const Box& box : boxes) bounds = bounds.united(box);
    std::vector<Box> all(ranks), outgoing;
    MPI_Allgather(&bounds, 4, MPI_FLOAT, all.data(), 4, MPI_FLOAT, MPI_COMM_WORLD);
    std::vector<int> counts(ranks), begins(ranks), coming(ranks), places(ranks);
    for (std::size_t r = static_cast<std::size_t>(rank_) + 1; r < ranks; ++r) {
        begins[r] = static_cast<int>(4 * outgoing.size());
        for (const Box& box : boxes)
            if (box.overlaps(all[r])) outgoing.push_back(box);
        counts[r] = static_cast<int>(4 * outgoing.size()) - begins[r];
    }
    sent_ = outgoing.size();
    MPI_Alltoall(counts.data(), 1, MPI_INT, coming.data(), 1, MPI_INT, MPI_COMM_WORLD);
    int total = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
        places[r] = total;
        total += coming[r];
    }
    std::vector<Box> incoming(static_cast<std::size_t>(total) / 4);
    MPI_Alltoallv(outgoing.data(), counts.data(), begins.data(), MPI_FLOAT, incoming.data(), coming.data(),
                  places.data(), MPI_FLOAT, MPI_COMM_WORLD);
    return incoming;
}

std::uint64_t Replicated::frame(std::span<const Box> boxes) {
    const std::vector<Box> guests = exchange(boxes);
    expect(mine_.update(boxes));
    expect(mine_.frame().pairs(pairs_));
    std::uint64_t found = pairs_.size();
    expect(guests_.update(guests));
    const Frame mine = mine_.frame();
    expect(guests_.frame().pairs(pairs_, {.with = &mine}));
    return found + pairs_.size();
}

}  // namespace throng::cluster_bench
