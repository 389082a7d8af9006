// Tasks about whole frames: all agents moved, the index is brought up to date, and all overlapping pairs are
// found.
#include "bench/common/statistics.hpp"
#include "bench/compare/tasks.hpp"

namespace throng::bench {

void run_frame_task(Trial& trial) {
    const FrameTimes& times = trial.times();
    trial.report("pairs@3", 0, trial.pairs_at_3());
    if (times.frame.empty()) return;
    trial.report("frame.update", median(times.update));
    trial.report("frame.pairs", median(times.pairs));
    trial.report("frame", median(times.frame));
}

void run_memory_task(Trial& trial) {
    const auto agents = static_cast<double>(trial.world().size());
    std::vector<std::pair<const char*, double>> fields{
        {"bytes_per_agent", static_cast<double>(trial.index().bytes()) / agents}};
    // What the index says it holds beside what it really took from its memory resource.
    if (trial.index().can(Ability::allocations))
        fields.emplace_back("taken_per_agent", static_cast<double>(trial.memory().bytes()) / agents);
    trial.report_more("memory", 0, fields);
}

void run_p99_task(Trial& trial) {
    const std::vector<double>& frames = trial.steady().frame;
    trial.report_more("p99", quantile(frames, 0.99),
                      {{"frames", static_cast<double>(frames.size())},
                       {"median_ms", median(frames)},
                       {"worst_ms", quantile(frames, 1)}});
}

void run_allocations_task(Trial& trial) {
    const Trial::Steady& steady = trial.steady();
    trial.report_more("allocations", 0,
                      {{"frames", static_cast<double>(steady.frame.size())},
                       {"allocations", static_cast<double>(steady.allocations)}});
}

}  // namespace throng::bench
