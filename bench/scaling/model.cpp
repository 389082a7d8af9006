#include "bench/scaling/model.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "bench/common/failures.hpp"
#include "bench/common/statistics.hpp"
#include "throng/throng.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

namespace {

// Seconds outside of steps, and in the blocks of each step.
struct Call {
    double outside = 0;
    std::vector<std::vector<double>> steps;

    double inside() const {
        double sum = 0;
        for (const std::vector<double>& blocks : steps)
            sum = std::accumulate(blocks.begin(), blocks.end(), sum);
        return sum;
    }
    bool has_blocks_of(const Call& other) const {
        return std::equal(
            steps.begin(), steps.end(), other.steps.begin(), other.steps.end(),
            [](const auto& mine, const auto& of_other) { return mine.size() == of_other.size(); });
    }
};

// The median of each block, and not of whole calls: a machine that does something else for 50 us would else
// seem to have a block that takes as long. Of the calls that have the same blocks as the last one.
Call median_of(const std::vector<Call>& calls) {
    Call typical = calls.back();
    const auto median_by = [&](const auto& part) {
        std::vector<double> times;
        for (const Call& call : calls)
            if (call.has_blocks_of(typical)) times.push_back(part(call));
        return median(times);
    };
    typical.outside = median_by([](const Call& call) { return call.outside; });
    for (std::size_t s = 0; s < typical.steps.size(); ++s)
        for (std::size_t b = 0; b < typical.steps[s].size(); ++b)
            typical.steps[s][b] = median_by([&](const Call& call) { return call.steps[s][b]; });
    return typical;
}

// When the last of some blocks ends, if each worker that is free takes the next one.
double end_of(const std::vector<double>& blocks, unsigned workers) {
    std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
    for (unsigned w = 0; w < workers; ++w) free_at.push(0);
    double end = 0;
    for (const double block : blocks) {
        const double ends = free_at.top() + block;
        free_at.pop();
        free_at.push(ends);
        end = std::max(end, ends);
    }
    return end;
}

class Model {
public:
    Model(unsigned workers, double wake) noexcept : workers_(workers), wake_(wake * 1e-6) {}

    Executor executor() noexcept { return {this, workers_, workers_ > 1 ? run : nullptr}; }

    template <class Work>
    Call time(const Work& work) {
        call_ = {};
        const double begin = workload::now();
        work();
        call_.outside += workload::now() - begin;
        return std::move(call_);
    }
    // Milliseconds of a call.
    double told(const Call& call) const { return told(call, ends(call)); }
    // The same for a call whose blocks fetch pieces of the work, which `pieces` has as blocks.
    double told_by(const Call& call, const Call& pieces) const {
        const double inside = pieces.inside();
        return told(call, inside > 0 ? ends(pieces) * call.inside() / inside : call.inside());
    }

private:
    static void run(void* context, std::size_t count, Executor::Body body, void* argument) {
        const double begin = workload::now();
        std::vector<double> blocks(count);
        double before = workload::now();
        for (std::size_t i = 0; i < count; ++i) {
            body(argument, i);
            const double now = workload::now();
            blocks[i] = now - std::exchange(before, now);
        }
        Call& call = static_cast<Model*>(context)->call_;
        call.steps.push_back(std::move(blocks));
        call.outside -= workload::now() - begin;
    }
    double told(const Call& call, double ends) const {
        return 1e3 * (call.outside + ends + wake_ * static_cast<double>(call.steps.size()));
    }
    double ends(const Call& call) const {
        double sum = 0;
        for (const std::vector<double>& blocks : call.steps) sum += end_of(blocks, workers_);
        return sum;
    }

    const unsigned workers_;
    const double wake_;
    Call call_;
};

}  // namespace

Point model(const Study& study, std::size_t agents, unsigned workers, double wake) {
    Model model(workers, wake);
    workload::World w = workload::make("crowd", agents);
    Engine engine({.executor = model.executor(), .isa = study.isa});
    require(engine.status(), "making the engine");
    PairList pairs;
    std::vector<Call> updates, lists, visits;
    for (unsigned step = 1; step <= warming_steps + study.frames; ++step) {
        w.step();
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        const Call update = model.time([&] { require(engine.update(boxes), "update"); });
        const Frame frame = engine.frame();
        const Call list = model.time([&] { require(frame.pairs(pairs), "pairs"); });
        const Call visit = model.time([&] {
            require(frame.for_each_pair_concurrently([](std::span<const Pair>) {}),
                    "for_each_pair_concurrently");
        });
        if (step <= warming_steps) continue;
        updates.push_back(update);
        lists.push_back(list);
        visits.push_back(visit);
    }
    const double update = model.told(median_of(updates)),
                 list = model.told_by(median_of(lists), median_of(visits));
    return {.agents = agents,
            .threads = workers,
            .isa = engine.isa(),
            .update = update,
            .pairs = list,
            .frame = update + list};
}

}  // namespace throng::bench
