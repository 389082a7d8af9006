// Tasks about few among many: the neighbourhoods and the large searches of tasks_queries.cpp, but
// only for agents of a category that one in a thousand has.
#include <cstdint>
#include <vector>

#include "bench/common/statistics.hpp"
#include "bench/compare/labelled_world.hpp"
#include "bench/compare/tasks.hpp"

namespace throng::bench {

namespace {

template <class Body>
double median_of(int repeats, Body&& body) {
    std::vector<double> times;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const double begin = workload::now();
        body();
        times.push_back((workload::now() - begin) * 1e3);
    }
    return median(times);
}

}  // namespace

void run_rare_neighbourhoods_task(Trial& trial) {
    const LabelledWorld labelled(trial);
    const std::vector<workload::Rect> queries = workload::neighbourhoods(trial.world(), false);
    const double ms = median_of(5, [&] { trial.index().answer_category(queries, rare_category); });
    trial.report("T2.rare", ms, trial.index().answers());
}

void run_rare_large_searches_task(Trial& trial) {
    const LabelledWorld labelled(trial);
    Index& index = trial.index();
    const std::vector<workload::Rect> queries = workload::large_queries(trial.world());
    workload::Checksum sum;
    for (const workload::Rect& query : queries) {
        index.search_category(query, rare_category);
        for (const std::uint32_t id : index.searched()) sum.hit(id);
    }
    const double ms = median_of(3, [&] {
        for (const workload::Rect& query : queries) index.search_category(query, rare_category);
    });
    trial.report_serial("T3.rare", ms, sum);
}

}  // namespace throng::bench
