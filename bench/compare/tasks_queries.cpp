// Tasks that query the newest frame: a batch of one small query per agent, and large searches one by one.
#include "bench/common/statistics.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

namespace {

void run_neighbourhoods(Trial& trial, const char* task, bool coherent) {
    const std::vector<workload::Rect> queries = workload::neighbourhoods(trial.world(), coherent);
    std::vector<double> times;
    for (int repeat = 0; repeat < trial.repeats(5); ++repeat)
        times.push_back(trial.tiny() ? timed_often([&](unsigned) { trial.index().answer(queries); })
                                     : timed([&] { trial.index().answer(queries); }));
    trial.report(task, median(times), trial.index().answers());
}

void run_counts(Trial& trial, const char* task, const std::vector<workload::Rect>& queries) {
    Index& index = trial.index();
    std::vector<double> times;
    workload::Checksum sum;
    for (int repeat = 0; repeat < trial.repeats(3); ++repeat) {
        sum.count = 0;
        times.push_back(timed([&] {
            for (const workload::Rect& query : queries) sum.count += index.count(query);
        }));
    }
    trial.report_serial(task, median(times), sum);
}

}  // namespace

void run_neighbourhoods_task(Trial& trial) { run_neighbourhoods(trial, "T2", false); }
void run_coherent_neighbourhoods_task(Trial& trial) { run_neighbourhoods(trial, "T2c", true); }

void run_neighbourhoods_as_found_task(Trial& trial) {
    const std::vector<workload::Rect> queries = workload::neighbourhoods(trial.world(), false);
    std::vector<double> times;
    for (int repeat = 0; repeat < trial.repeats(5); ++repeat)
        times.push_back(timed([&] { trial.index().answer_as_found(queries); }));
    trial.report("T2.found", median(times), trial.index().answers_as_found());
}

void run_ordered_neighbourhoods_task(Trial& trial) {
    const std::vector<workload::Rect> queries = workload::neighbourhoods(trial.world(), false);
    trial.index().make_order();
    std::vector<double> times;
    for (int repeat = 0; repeat < trial.repeats(5); ++repeat)
        times.push_back(timed([&] { trial.index().answer_in_order(queries); }));
    trial.report("T2.leaf", median(times), trial.index().answers());
}

void run_large_searches_task(Trial& trial) {
    Index& index = trial.index();
    const std::vector<workload::Rect> queries = workload::large_queries(trial.world());
    workload::Checksum sum;
    // The ids are hashed in a round of their own, which also warms up.
    for (const workload::Rect& query : queries) {
        index.search(query);
        for (const std::uint32_t id : index.searched()) sum.hit(id);
    }
    std::vector<double> times;
    for (int repeat = 0; repeat < trial.repeats(3); ++repeat)
        times.push_back(timed([&] {
            for (const workload::Rect& query : queries) index.search(query);
        }));
    trial.report_serial("T3", median(times), sum);
}

void run_large_counts_task(Trial& trial) {
    run_counts(trial, "T3.count", workload::large_queries(trial.world()));
}

void run_half_counts_task(Trial& trial) {
    run_counts(trial, "half.count", workload::half_world_queries(trial.world()));
}

}  // namespace throng::bench
