// What a frame cost: the last update of this rank in counts, bytes, messages and seconds; and the time and
// memory of all ranks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/memory.hpp"

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
    double migration_seconds = 0;  // sending agents to their owners
    double ghosting_seconds = 0;   // choosing copies and sending them
    double build_seconds = 0;      // the engine's update
    double waited_seconds = 0;     // in calls of MPI
};

// One rank, in a report of all ranks.
struct RankReport {
    std::uint64_t owned = 0;
    std::uint64_t ghosts = 0;
    std::uint64_t pairs = 0;  // that its last `pairs` found here
    std::uint64_t bytes = 0;  // of memory that the cluster and its engine hold here, without MPI and Zoltan
    std::uint64_t most_bytes = 0;  // the most they ever held
    // Seconds of the last update, with four parts of it, and of all other calls since then. The parts have
    // what they waited for. The time in which `load` read a file is left out, since an update follows.
    double update_seconds = 0;
    double partition_seconds = 0, migration_seconds = 0, ghosting_seconds = 0, build_seconds = 0;
    double query_seconds = 0;
    double waited_seconds = 0;  // in MPI, during updates and other calls, mostly for other ranks
    double busy_seconds = 0;    // what is left
};

// What all ranks did for the last frame; ClusterEngine::reports fills it.
class RankReports {
public:
    explicit RankReports(MemoryResource* memory = nullptr) noexcept : ranks_(memory) {}

    std::size_t size() const noexcept { return ranks_.size(); }
    const RankReport& operator[](std::size_t rank) const noexcept { return ranks_[rank]; }
    const RankReport* begin() const noexcept { return ranks_.begin(); }
    const RankReport* end() const noexcept { return ranks_.end(); }
    // The rank that has most of something, for example of &RankReport::busy_seconds; and how many times the
    // mean that is: 1 if all have the same.
    template <class Number>
    std::size_t busiest(Number RankReport::*of) const noexcept {
        std::size_t most = 0;
        for (std::size_t rank = 1; rank < size(); ++rank)
            if (ranks_[rank].*of > ranks_[most].*of) most = rank;
        return most;
    }
    template <class Number>
    double imbalance(Number RankReport::*of) const noexcept {
        double sum = 0;
        for (const RankReport& rank : *this) sum += static_cast<double>(rank.*of);
        if (!(sum > 0)) return 1;
        return static_cast<double>(ranks_[busiest(of)].*of) * static_cast<double>(size()) / sum;
    }

private:
    friend class ClusterEngine;
    throng::detail::Buffer<RankReport> ranks_;
};

}  // namespace throng::cluster
