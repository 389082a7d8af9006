#include "examples/demo/simulation.hpp"

#include <algorithm>

#include "bench/common/failures.hpp"
#include "examples/demo/motion.hpp"
#include "examples/demo/progress.hpp"
#include "throng/throng.hpp"

namespace throng::demo {

namespace {

using bench::require;
using workload::World;

class Clock {
public:
    // Milliseconds since the last call.
    double lap() {
        const double before = last_;
        last_ = workload::now();
        return (last_ - before) * 1e3;
    }

private:
    double last_ = workload::now();
};

// All of the host's arrays, where they lie.
Boxes boxes_of(const World& w) {
    return Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
}

// The surroundings of every hundredth agent: a view of the same arrays that steps over the others.
Boxes surroundings_of_some(const World& w) {
    const std::size_t count = (w.size() + sample_stride - 1) / sample_stride;
    return Boxes::points(w.x.data(), w.y.data(), sight, count, sample_stride * sizeof(float));
}

// Lives from frame to frame, so that a frame allocates nothing.
struct Lists {
    PairList touching;
    OverlapLists neighbours;
};

void run_frame(Engine& engine, Crowd& crowd, Lists& lists, Times& times, bool last, Result& result) {
    const World& world = crowd.world();
    Clock clock;
    crowd.walk();
    const double moved = clock.lap();

    require(engine.update(boxes_of(world)), "update");
    times.update.push_back(clock.lap());

    const Frame frame = engine.frame();
    require(frame.pairs(lists.touching), "pairs");
    times.pairs.push_back(clock.lap());
    times.frame.push_back(times.update.back() + times.pairs.back());

    require(frame.overlaps(surroundings_of_some(world), lists.neighbours), "queries");
    times.queries.push_back(clock.lap());

    if (last) result.world = world;
    clock.lap();
    crowd.bounce(lists.touching.pairs());
    times.host.push_back(moved + clock.lap());
    result.pairs_in_all += lists.touching.size();
}

}  // namespace

Result simulate(const Options& options, const Executor& executor) {
    Crowd crowd(options.scenario, options.agents);
    Engine engine({.executor = executor, .isa = options.isa});
    require(engine.status(), "making the engine");
    Lists lists;
    Result result;
    Progress progress("frame", options.frames);
    for (unsigned frame = 1; frame <= options.frames; ++frame) {
        run_frame(engine, crowd, lists, result.times, frame == options.frames, result);
        progress.at(frame);
    }
    result.touching.assign(lists.touching.begin(), lists.touching.end());
    require(engine.frame().for_each_part([&](const FramePart& part) { result.parts.push_back(part); }),
            "parts");
    result.queries = lists.neighbours.size();
    result.neighbours = lists.neighbours.ids().size();
    result.bytes_per_agent =
        static_cast<double>(engine.memory().total()) / static_cast<double>(options.agents);
    result.isa = engine.isa();
    return result;
}

}  // namespace throng::demo
