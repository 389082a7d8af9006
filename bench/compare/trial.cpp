#include "bench/compare/trial.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/compare/heap.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

Trial::Trial(const Entry& entry, const Options& options, const Executor& executor)
    : entry_(entry),
      options_(options),
      world_(workload::make(options.scenario, options.agents, options.seed)),
      heap_before_(heap_bytes()),
      index_(make_index(executor)) {}

std::unique_ptr<Index> Trial::make_index(const Executor& executor) {
    std::unique_ptr<Index> made;
    first_frame_ = timed([&] {
        made = entry_.make({.agents = options_.agents,
                            .executor = executor,
                            .threads = options_.threads,
                            .isa = options_.isa,
                            .memory = &memory_});
    });
    return made;
}

std::size_t Trial::heap_growth() const { return std::max(heap_bytes(), heap_before_) - heap_before_; }

double Trial::frame(double& update, double& pairs) {
    world_.step();
    const double begin = workload::now();
    index_->update(world_);
    const double updated = workload::now();
    index_->find_pairs();
    const double end = workload::now();
    update = (updated - begin) * 1e3;
    pairs = (end - updated) * 1e3;
    return (end - begin) * 1e3;
}

void Trial::run_frames() {
    double update = 0, pairs = 0;
    first_frame_ += frame(update, pairs);
    if (index_->can(Ability::only_places))
        first_frame_ += timed([&] {
            index_->update_places(world_);
            index_->find_within(2, false, every_category);
        });
    for (unsigned step = 2; step <= 3; ++step) frame(update, pairs);
    pairs_at_3_ = index_->pairs();
    for (unsigned step = 1; step <= options_.frames; ++step) {
        if (tiny())
            run_timed_tiny_frames();
        else
            run_timed_frame();
    }
}

void Trial::run_timed_frame() {
    double update = 0, pairs = 0;
    times_.frame.push_back(frame(update, pairs));
    times_.update.push_back(update);
    times_.pairs.push_back(pairs);
}

// Frames of a world that walks sixteen steps and then back again, over and over: moving it takes no time
// then, and the clock is read once for many frames.
void Trial::run_timed_tiny_frames() {
    constexpr unsigned steps = 16, there_and_back = 2 * steps;
    std::vector<workload::World> walk;
    for (unsigned step = 0; step <= steps; ++step) {
        walk.push_back(world_);
        world_.step();
    }
    const auto update = [&](unsigned run) {
        const unsigned at = run % there_and_back;
        index_->update(walk[at <= steps ? at : there_and_back - at]);
    };
    times_.frame.push_back(timed_often([&](unsigned run) {
        update(run);
        index_->find_pairs();
    }));
    times_.update.push_back(timed_often(update));
    times_.pairs.push_back(timed_often([&](unsigned) { index_->find_pairs(); }));
    world_ = walk.back();
    index_->update(world_);
    index_->find_pairs();
}

const Trial::Steady& Trial::steady() {
    if (!steady_.frame.empty()) return steady_;
    // What the run itself keeps is reserved first, so that the count is the index's alone.
    steady_.frame.reserve(options_.steady_frames);
    const std::uint64_t before = memory_.allocations();
    double update = 0, pairs = 0;
    const double begin = workload::now();
    for (unsigned step = 0; step < options_.steady_frames; ++step) {
        steady_.frame.push_back(frame(update, pairs));
        const bool over = options_.steady_seconds > 0 && workload::now() - begin > options_.steady_seconds;
        if (over && step >= options_.steady_frames / 100) break;
    }
    steady_.allocations = memory_.allocations() - before;
    return steady_;
}

void Trial::report(const char* task, int threads, double ms, const workload::Checksum& sum) {
    workload::report(entry_.name.c_str(), task, options_.scenario, options_.agents, threads, ms, sum);
    answers_.emplace(task, sum);
}

void Trial::report(const char* task, double ms, const workload::Checksum& sum) {
    report(task, static_cast<int>(index_->threads()), ms, sum);
}

void Trial::report_serial(const char* task, double ms, const workload::Checksum& sum) {
    report(task, 1, ms, sum);
}

void Trial::report_more(const char* task, double ms,
                        const std::vector<std::pair<const char*, double>>& fields) const {
    nlohmann::ordered_json line{{"index", entry_.name},          {"task", task},
                                {"scenario", options_.scenario}, {"n", options_.agents},
                                {"threads", index_->threads()},  {"ms", ms}};
    for (const auto& [field, value] : fields) line[field] = value;
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
}

}  // namespace throng::bench
