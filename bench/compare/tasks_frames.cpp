// Tasks about whole frames: all agents moved, the index is brought up to date, and all overlapping pairs are
// found.
#include "bench/common/statistics.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

void run_frame_task(Trial& trial) {
    const FrameTimes& times = trial.times();
    trial.report("pairs@3", 0, trial.pairs_at_3());
    if (times.frame.empty()) return;
    trial.report("frame.update", median(times.update));
    trial.report("frame.pairs", median(times.pairs));
    trial.report("frame", median(times.frame));
}

// Of frames 3 and 4 the checksum, and then the times of pairs alone and of pairs with their changes, in
// turns.
void run_events_task(Trial& trial) {
    Index& index = trial.index();
    workload::World world =
        workload::make(trial.options().scenario, trial.options().agents, trial.options().seed);
    workload::Checksum between_3_and_4;
    std::vector<double> all, pairs;
    constexpr int first_timed = 5;
    for (int step = 1; step < first_timed + trial.repeats(15); ++step) {
        world.step();
        index.update(world);
        const double alone = timed([&] { index.find_pairs(); });
        const double together = timed([&] { index.find_changes(); });
        if (step == 4) between_3_and_4 = index.changes();
        if (step < first_timed) continue;
        pairs.push_back(alone);
        all.push_back(together);
    }
    index.update(trial.world());
    trial.report("events", median(all), between_3_and_4);
    trial.report_more("events.beyond", median(all) - median(pairs),
                      {{"of_pairs", median(all) / median(pairs) - 1}});
}

void run_memory_task(Trial& trial) {
    const auto agents = static_cast<double>(trial.world().size());
    std::vector<std::pair<const char*, double>> fields{
        {"bytes_per_agent", static_cast<double>(trial.index().bytes()) / agents}};
    fields.emplace_back("heap_per_agent", static_cast<double>(trial.heap_growth()) / agents);
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
