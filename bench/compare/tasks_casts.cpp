// Tasks that cast: segments, the first agent that each hits or whether there is any, and boxes that move.
#include <bit>
#include <cstdint>
#include <vector>

#include "bench/common/statistics.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

namespace {

// What was hit, by whom, and when.
void add_hit(workload::Checksum& sum, std::size_t cast, const CastHit& hit) {
    ++sum.count;
    sum.hash += workload::mix((std::uint64_t{cast} << 32 | hit.id) * 0x9E3779B97F4A7C15u +
                              std::bit_cast<std::uint32_t>(hit.t));
}
workload::Checksum sum_of(std::span<const CastHit> hits) {
    workload::Checksum sum;
    for (std::size_t i = 0; i < hits.size(); ++i)
        if (hits[i].found()) add_hit(sum, i, hits[i]);
    return sum;
}
workload::Checksum sum_of(std::span<const std::uint8_t> blocked) {
    workload::Checksum sum;
    for (std::size_t i = 0; i < blocked.size(); ++i)
        if (blocked[i] != 0) sum.hit(static_cast<std::uint32_t>(i));
    return sum;
}

template <class Body>
double median_of(Trial& trial, const Body& body) {
    std::vector<double> times;
    for (int repeat = 0; repeat < trial.repeats(5); ++repeat) times.push_back(timed(body));
    return median(times);
}

// An index that may be right in another way than the others is not compared with them.
void report(Trial& trial, const char* task, double ms, const workload::Checksum& sum) {
    if (trial.index().defines_hits_likewise()) return trial.report(task, ms, sum);
    trial.report_more(task, ms, {{"count", static_cast<double>(sum.count)}});
}

void run_first_hits(Trial& trial, const char* task, const std::vector<workload::Ray>& rays, float half) {
    trial.index().prepare_casts(rays, half);
    const double ms = median_of(trial, [&] { trial.index().find_first_hits(); });
    report(trial, task, ms, sum_of(trial.index().first_hits()));
}

}  // namespace

void run_segments_task(Trial& trial) { run_first_hits(trial, "T5", workload::rays(trial.world()), 0); }

void run_lines_of_sight_task(Trial& trial) {
    trial.index().prepare_casts(workload::rays(trial.world()), 0);
    const double ms = median_of(trial, [&] { trial.index().find_blocked(); });
    report(trial, "T5.any", ms, sum_of(trial.index().blocked()));
}

void run_moving_boxes_task(Trial& trial) {
    run_first_hits(trial, "T8", workload::moves(trial.world()), workload::moving_half);
}

// The same with a filter that admits every agent.
void run_filtered_segments_task(Trial& trial) {
    trial.index().prepare_casts(workload::rays(trial.world()), 0);
    const double ms = median_of(trial, [&] { trial.index().find_first_hits_filtered(); });
    report(trial, "T5.filter", ms, sum_of(trial.index().first_hits()));
}

}  // namespace throng::bench
