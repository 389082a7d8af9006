// What the last update cost a rank: counts, bytes, messages and seconds.
#pragma once

#include <cstdint>

namespace throng::cluster {

// The messages of one phase that this rank sent.
struct Traffic {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

struct ClusterReport {
    std::uint64_t held = 0;      // agents that the host handed in on this rank
    std::uint64_t sent = 0;      // of these, agents that went to another owner
    std::uint64_t jumped = 0;    // of these, agents that went beyond the neighbouring ranks
    std::uint64_t received = 0;  // agents that came from another rank
    std::uint64_t owned = 0;
    std::uint64_t ghosts = 0;         // here, of other ranks
    std::uint64_t ghosts_sent = 0;    // from here, counted once for each rank
    std::uint64_t neighbours = 0;     // ranks that messages went to
    std::uint64_t cluster_owned = 0;  // on all ranks together
    // The work of a rank: its agents, and a quarter of its pairs in the last list. That of the busiest rank
    // and of all, before this update.
    std::uint64_t busiest = 0, all_work = 0;
    bool partitioned = false;  // whether the world was cut again
    bool general = false;      // whether agents went by the general exchange
    std::uint64_t rounds = 0;  // of that exchange
    Traffic migration, ghosting, general_exchange, sums;
    double seconds = 0;            // in all
    double partition_seconds = 0;  // cutting
    double build_seconds = 0;      // the engine's update
    double waited_seconds = 0;     // in calls of MPI
};

}  // namespace throng::cluster
