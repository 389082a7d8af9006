// Tasks that cast: segments, the first agent that each hits or whether there is any, and boxes that move.
#include <cstdint>
#include <vector>

#include "bench/common/statistics.hpp"
#include "bench/compare/labelled_world.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"
#include "throng/compiler.hpp"

namespace throng::bench {

namespace {

// What was hit, by which cast, and when.
void add_hit(workload::Checksum& sum, std::size_t cast, const CastHit& hit) {
    ++sum.count;
    sum.hash += workload::mix((std::uint64_t{cast} << 32 | hit.id) * 0x9E3779B97F4A7C15u +
                              throng::detail::bits_as<std::uint32_t>(hit.fraction));
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

// The first hits of segments, or of boxes that move.
enum class Moving { points, boxes };

void prepare(Trial& trial, Moving moving) {
    const bool boxes = moving == Moving::boxes;
    trial.index().prepare_casts(boxes ? workload::moves(trial.world()) : workload::rays(trial.world()),
                                boxes ? workload::moving_half : 0);
}
void run_first_hits(Trial& trial, const char* task, Moving moving) {
    prepare(trial, moving);
    const double ms = median_of(trial, [&] { trial.index().find_first_hits(); });
    report(trial, task, ms, sum_of(trial.index().first_hits()));
}
void run_filtered_hits(Trial& trial, const char* task, Moving moving, const Filter& filter) {
    prepare(trial, moving);
    const double ms = median_of(trial, [&] { trial.index().find_first_hits_filtered(filter); });
    report(trial, task, ms, sum_of(trial.index().first_hits()));
}
void run_labelled_hits(Trial& trial, const char* task, Moving moving) {
    const LabelledWorld labelled(trial);
    run_filtered_hits(trial, task, moving, of_common_category);
}
// On one thread whatever the trial has.
void run_single_hits(Trial& trial, const char* task, Moving moving) {
    prepare(trial, moving);
    const double ms = median_of(trial, [&] { trial.index().find_first_hits_singly(); });
    trial.report_serial(task, ms, sum_of(trial.index().first_hits()));
}

}  // namespace

void run_segments_task(Trial& trial) { run_first_hits(trial, "T5", Moving::points); }
void run_moving_boxes_task(Trial& trial) { run_first_hits(trial, "T8", Moving::boxes); }

void run_lines_of_sight_task(Trial& trial) {
    prepare(trial, Moving::points);
    const double ms = median_of(trial, [&] { trial.index().find_blocked(); });
    report(trial, "T5.any", ms, sum_of(trial.index().blocked()));
}

void run_single_segments_task(Trial& trial) { run_single_hits(trial, "T5.single", Moving::points); }
void run_single_moving_boxes_task(Trial& trial) { run_single_hits(trial, "T8.single", Moving::boxes); }
void run_single_lines_of_sight_task(Trial& trial) {
    prepare(trial, Moving::points);
    const double ms = median_of(trial, [&] { trial.index().find_blocked_singly(); });
    trial.report_serial("T5.any.single", ms, sum_of(trial.index().blocked()));
}

void run_filtered_segments_task(Trial& trial) {
    run_filtered_hits(trial, "T5.filter", Moving::points, without_no_agent);
}
void run_filtered_moving_boxes_task(Trial& trial) {
    run_filtered_hits(trial, "T8.filter", Moving::boxes, without_no_agent);
}
void run_labelled_segments_task(Trial& trial) { run_labelled_hits(trial, "T5.labels", Moving::points); }
void run_labelled_moving_boxes_task(Trial& trial) { run_labelled_hits(trial, "T8.labels", Moving::boxes); }

}  // namespace throng::bench
