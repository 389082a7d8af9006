#include "bench/scaling/measure.hpp"

#include <algorithm>

#include "bench/common/failures.hpp"
#include "bench/common/statistics.hpp"
#include "bench/common/workers.hpp"
#include "bench/scaling/stream.hpp"
#include "throng/throng.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

namespace {

double since(double begin) { return (workload::now() - begin) * 1e3; }

void measure_frames(Engine& engine, workload::World& w, unsigned frames, Point& point) {
    PairList pairs;
    std::vector<double> updating, pairing, whole;
    for (unsigned step = 1; step <= warming_steps + frames; ++step) {
        w.step();
        const double begin = workload::now();
        require(engine.update(Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size())),
                "update");
        const double updated = since(begin);
        require(engine.frame().pairs(pairs), "pairs");
        const double all = since(begin);
        if (step <= warming_steps) continue;
        updating.push_back(updated);
        pairing.push_back(all - updated);
        whole.push_back(all);
    }
    point.update = median(updating);
    point.pairs = median(pairing);
    point.frame = median(whole);
}

void measure_queries(const Frame& frame, const workload::World& w, Point& point) {
    const std::vector<workload::Rect> queries = workload::neighbourhoods(w, false);
    const workload::Rect& first = queries.front();
    const Boxes boxes =
        Boxes::min_max(&first.x0, &first.y0, &first.x1, &first.y1, queries.size(), sizeof(workload::Rect));
    OverlapLists hits;
    std::vector<double> times;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const double begin = workload::now();
        require(frame.overlaps(boxes, hits), "overlaps");
        times.push_back(since(begin));
    }
    point.queries = median(times);
}

}  // namespace

Point measure(const Study& study, std::size_t agents, unsigned threads) {
    Point point{.agents = agents, .threads = threads};
    run_on(threads, [&](const Executor& executor) {
        workload::World world = workload::make("crowd", agents);
        Engine engine({.executor = executor, .isa = study.isa});
        require(engine.status(), "making the engine");
        point.isa = engine.isa();
        measure_frames(engine, world, study.frames, point);
        measure_queries(engine.frame(), world, point);
        point.held = engine.memory().total();
        point.copy = stream(executor, point.held);
    });
    return point;
}

std::vector<unsigned> thread_counts(unsigned most) {
    std::vector<unsigned> counts;
    for (unsigned threads = 1; threads < most; threads += std::max(1u, threads / 3))
        counts.push_back(threads);
    counts.push_back(most);
    return counts;
}

std::vector<unsigned> worker_counts(unsigned most) {
    std::vector<unsigned> counts;
    for (unsigned workers = 1; workers < most; workers *= 2) counts.push_back(workers);
    counts.push_back(most);
    return counts;
}

}  // namespace throng::bench
