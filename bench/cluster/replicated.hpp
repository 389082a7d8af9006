// The pairs of all ranks where agents stay where they are and are never sent to another owner: each rank has
// an engine over what it holds, all know the bounds of all, and each sends the agents that may meet another's
// to that rank. That is how a distributed tree of the usual kind is asked, by hand.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "throng/throng.hpp"

namespace throng::cluster_bench {

class Replicated {
public:
    Replicated();

    // How many pairs this rank lists, of its own agents and of them with those of higher ranks.
    std::uint64_t frame(std::span<const Box> boxes);

    std::uint64_t sent() const { return sent_; }

private:
    std::vector<Box> exchange(std::span<const Box> boxes);

    int rank_ = 0, ranks_ = 1;
    Engine mine_, guests_;
    PairList pairs_;
    std::uint64_t sent_ = 0;
};

}  // namespace throng::cluster_bench
