#include "bench/scaling/model.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <vector>

#include "bench/common/failures.hpp"
#include "bench/common/statistics.hpp"
#include "bench/common/workload.hpp"
#include "throng/throng.hpp"

namespace throng::bench {

namespace {

// Seconds in blocks, step by step.
struct Call {
    double elapsed = 0;
    std::vector<std::vector<double>> steps;

    double inside() const {
        double sum = 0;
        for (const std::vector<double>& blocks : steps)
            sum = std::accumulate(blocks.begin(), blocks.end(), sum);
        return sum;
    }
};

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
        call_.elapsed = workload::now() - begin;
        return std::move(call_);
    }
    // Milliseconds of a call, whose steps end after `ends` seconds in all.
    double told(const Call& call, double ends) const {
        return 1e3 * (call.elapsed - call.inside() + ends + wake_ * static_cast<double>(call.steps.size()));
    }
    double told(const Call& call) const { return told(call, ends(call)); }
    // The same for a call whose blocks fetch pieces of the work, which `pieces` has as blocks.
    double told_by(const Call& call, const Call& pieces) const {
        const double inside = pieces.inside();
        return told(call, inside > 0 ? ends(pieces) * call.inside() / inside : call.inside());
    }

private:
    static void run(void* context, std::size_t count, Executor::Body body, void* argument) {
        std::vector<double> blocks(count);
        for (std::size_t i = 0; i < count; ++i) {
            const double begin = workload::now();
            body(argument, i);
            blocks[i] = workload::now() - begin;
        }
        static_cast<Model*>(context)->call_.steps.push_back(std::move(blocks));
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
    std::vector<double> updating, pairing, whole;
    for (unsigned step = 1; step <= warming_steps + study.frames; ++step) {
        w.step();
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        const Call update = model.time([&] { require(engine.update(boxes), "update"); });
        const Frame frame = engine.frame();
        const Call list = model.time([&] { require(frame.pairs(pairs), "pairs"); });
        const Call pieces = model.time([&] {
            require(frame.for_each_pair_concurrently([](std::span<const Pair>) {}),
                    "for_each_pair_concurrently");
        });
        if (step <= warming_steps) continue;
        updating.push_back(model.told(update));
        pairing.push_back(model.told_by(list, pieces));
        whole.push_back(updating.back() + pairing.back());
    }
    return {.agents = agents,
            .threads = workers,
            .isa = engine.isa(),
            .update = median(updating),
            .pairs = median(pairing),
            .frame = median(whole)};
}

}  // namespace throng::bench
