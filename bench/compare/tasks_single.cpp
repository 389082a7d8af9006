// Tasks that ask one call at a time, as a prototype does: boxes, visitors, the neighbours of a point. Each is
// asked at random places near agents, on one thread. And lists of many neighbours, by id beside whichever
// order costs least.
#include <cstdint>
#include <vector>

#include "bench/common/statistics.hpp"
#include "bench/compare/regime_worlds.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

namespace {

constexpr std::size_t calls = 20'000;

// The median of several rounds of all calls, after one that is not timed.
template <class Body>
double median_of(Trial& trial, const Body& body) {
    std::vector<double> times;
    for (int repeat = 0; repeat < trial.repeats(7); ++repeat) times.push_back(timed(body));
    return median(times);
}

void run_boxes(Trial& trial, const char* task, const std::vector<workload::Rect>& queries) {
    workload::Checksum sum;
    trial.index().search_singly(queries, &sum);
    const double ms = median_of(trial, [&] { trial.index().search_singly(queries, nullptr); });
    trial.report_serial(task, ms, sum);
}

void run_within(Trial& trial, const std::vector<Point>& points) {
    workload::Checksum sum;
    trial.index().find_within_singly(points, 2, &sum);
    const double ms = median_of(trial, [&] { trial.index().find_within_singly(points, 2, nullptr); });
    trial.report_serial("single.within", ms, sum);
}

void run_nearest(Trial& trial, const char* task, const std::vector<Point>& points, std::uint32_t count) {
    workload::Checksum sum;
    trial.index().find_nearest_singly(points, count, &sum);
    const double ms = median_of(trial, [&] { trial.index().find_nearest_singly(points, count, nullptr); });
    trial.report_serial(task, ms, sum);
}

// The world as places without an extent, for as long as this lives. What knows no boxes stays so.
class Places {
public:
    explicit Places(Trial& trial) : trial_(trial) { trial.index().update_places(trial.world()); }
    ~Places() {
        if (!trial_.index().can(Ability::only_places)) trial_.index().update(trial_.world());
    }
    Places(const Places&) = delete;
    Places& operator=(const Places&) = delete;

private:
    Trial& trial_;
};

}  // namespace

void run_single_boxes_task(Trial& trial) {
    run_boxes(trial, "single.boxes", small_boxes(trial.world(), calls, 21));
    if (trial.index().can(Ability::only_arrays)) return;
    const std::vector<workload::Rect> queries = small_boxes(trial.world(), calls, 22);
    workload::Checksum sum;
    const double ms = median_of(trial, [&] { sum = trial.index().visit_singly(queries); });
    trial.report_serial("single.visitor", ms, sum);
}

// Half of them lie along each axis.
void run_thin_task(Trial& trial) {
    std::vector<workload::Rect> queries = boxes_near_agents(trial.world(), calls / 2, 25, 0.05f, 23);
    const std::vector<workload::Rect> upright = boxes_near_agents(trial.world(), calls / 2, 0.05f, 25, 24);
    queries.insert(queries.end(), upright.begin(), upright.end());
    run_boxes(trial, "thin", queries);
}

void run_single_neighbours_task(Trial& trial) {
    const Places places(trial);
    const std::vector<Point> points = points_near_agents(trial.world(), calls, 25);
    run_within(trial, points);
    run_nearest(trial, "single.nearest", points, 1);
    run_nearest(trial, "single.nearest8", points, 8);
}

void run_one_nearest_task(Trial& trial) {
    const Places places(trial);
    trial.index().find_nearest(1, every_category);
    const double ms = median_of(trial, [&] { trial.index().find_nearest(1, every_category); });
    trial.report("nearest1", ms, trial.index().nearest());
}

void run_long_lists_task(Trial& trial) {
    // In a crowd about 75 others are as near.
    constexpr float radius = 9.77f;
    const Places places(trial);
    Index& index = trial.index();
    index.find_within(radius, false, every_category);
    const double ms = median_of(trial, [&] { index.find_within(radius, false, every_category); });
    trial.report("lists.by_id", ms, index.within(false));
    if (!index.can(Ability::row_order)) return;
    index.find_within_in_rows(radius);
    const double in_rows = median_of(trial, [&] { index.find_within_in_rows(radius); });
    trial.report("lists.in_rows", in_rows, index.within_in_rows());
}

}  // namespace throng::bench
