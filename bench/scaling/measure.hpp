// One point of the scaling study: a number of agents, and of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "throng/isa.hpp"

namespace throng::bench {

struct Point {
    std::size_t agents = 0;
    unsigned threads = 1;
    Isa isa = Isa::automatic;  // the one that was really used
    // Medians, in milliseconds: the update for all agents, all pairs, both together, and one query per
    // agent.
    double update = 0, pairs = 0, frame = 0, queries = 0;
    // Bytes that the engine holds, and how long it takes to copy through as many on the same threads.
    std::size_t held = 0;
    double copy = 0;
};

// The first line of the table, which names what each row says.
inline constexpr const char* table_header =
    "cpu,compiler,isa,threads,agents,update_ms,pairs_ms,frame_ms,T2_ms";

inline constexpr const char* stream_header = "cpu,threads,agents,held_bytes,copy_ms";

struct Study {
    std::vector<std::size_t> agents;
    std::vector<unsigned> threads;
    unsigned frames = 10;
    Isa isa = Isa::automatic;
};

// The crowd of the common workloads, with its protocol: some steps to warm up, then the timed ones.
inline constexpr unsigned warming_steps = 3;
Point measure(const Study& study, std::size_t agents, unsigned threads);

// 1 to the most there are: every number up to four, then in steps of about a third.
std::vector<unsigned> thread_counts(unsigned most);
// 1 to the most, each twice the one before: those of the model.
std::vector<unsigned> worker_counts(unsigned most);

}  // namespace throng::bench
