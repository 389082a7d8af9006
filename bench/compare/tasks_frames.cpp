// Tasks about whole frames: everybody moved, the index is brought up to date, and all overlapping pairs are
// found.
#include "bench/common/statistics.hpp"
#include "bench/compare/tasks.hpp"

namespace throng::bench {

void run_frame_task(Session& session) {
    const FrameTimes& times = session.times();
    session.report("pairs@3", 0, session.pairs_at_3());
    if (times.frame.empty()) return;
    session.report("frame.update", median(times.update));
    session.report("frame.pairs", median(times.pairs));
    session.report("frame", median(times.frame));
}

void run_memory_task(Session& session) {
    const auto agents = static_cast<double>(session.world().size());
    std::vector<std::pair<const char*, double>> fields{
        {"bytes_per_agent", static_cast<double>(session.index().bytes()) / agents}};
    // What the index says it holds beside what it really took from its memory resource.
    if (session.index().can(Ability::allocations))
        fields.emplace_back("taken_per_agent", static_cast<double>(session.memory().bytes()) / agents);
    session.report_more("memory", 0, fields);
}

void run_p99_task(Session& session) {
    const std::vector<double>& frames = session.steady().frame;
    session.report_more("p99", quantile(frames, 0.99),
                        {{"frames", static_cast<double>(frames.size())},
                         {"median_ms", median(frames)},
                         {"worst_ms", quantile(frames, 1)}});
}

void run_allocations_task(Session& session) {
    const Session::Steady& steady = session.steady();
    session.report_more("allocations", 0,
                        {{"frames", static_cast<double>(steady.frame.size())},
                         {"allocations", static_cast<double>(steady.allocations)}});
}

}  // namespace throng::bench
