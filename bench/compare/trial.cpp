#include "bench/compare/trial.hpp"

#include <nlohmann/json.hpp>

namespace throng::bench {

Trial::Trial(const Entry& entry, const Options& options, const Executor& executor)
    : entry_(entry),
      options_(options),
      world_(workload::make(options.scenario, options.agents, options.seed)),
      index_(entry.make({.agents = options.agents,
                         .executor = executor,
                         .threads = options.threads,
                         .isa = options.isa,
                         .memory = &memory_})) {}

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
    for (unsigned step = 1; step <= 3 + options_.frames; ++step) {
        double update = 0, pairs = 0;
        const double whole = frame(update, pairs);
        if (step == 3) pairs_at_3_ = index_->pairs();
        if (step <= 3) continue;
        times_.update.push_back(update);
        times_.pairs.push_back(pairs);
        times_.frame.push_back(whole);
    }
}

const Trial::Steady& Trial::steady() {
    if (!steady_.frame.empty()) return steady_;
    // What the run itself keeps is reserved first, so that the count is the index's alone.
    steady_.frame.reserve(options_.steady_frames);
    const std::uint64_t before = memory_.allocations();
    double update = 0, pairs = 0;
    for (unsigned step = 0; step < options_.steady_frames; ++step)
        steady_.frame.push_back(frame(update, pairs));
    steady_.allocations = memory_.allocations() - before;
    return steady_;
}

void Trial::report(const char* task, double ms, const workload::Checksum& sum) const {
    workload::report(entry_.name, task, options_.scenario, options_.agents,
                     static_cast<int>(index_->threads()), ms, sum);
}

void Trial::report_serial(const char* task, double ms, const workload::Checksum& sum) const {
    workload::report(entry_.name, task, options_.scenario, options_.agents, 1, ms, sum);
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
