// throng-compare: every index on the common workloads, one JSON object a line, so that lines of different
// programs can stand side by side.
//
//     throng-compare --index engine,brute --scenario crowd --n 20000 --threads 2 --tasks frame,T2
//
// It fails if two of the indexes answer differently.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/common/command_line.hpp"
#include "bench/common/machine.hpp"
#include "bench/common/workers.hpp"
#include "bench/compare/registry.hpp"
#include "bench/compare/tasks.hpp"

namespace throng::bench {

namespace {

void note(const std::string& text) { std::fprintf(stderr, "throng-compare: %s\n", text.c_str()); }

void check(const Options& options) {
    for (const std::string& name : options.indexes) {
        const Entry* entry = find_index(name);
        if (entry == nullptr) throw UsageError("unknown index '" + name + "'");
        if (options.agents > entry->max_agents)
            throw UsageError(name + " takes time by the square of the agents and is refused above " +
                             std::to_string(entry->max_agents) + " of them");
    }
    for (const std::string& name : options.tasks)
        if (find_task(name) == nullptr) throw UsageError("unknown task '" + name + "'");
    if (options.threads > hardware_threads())
        note("more threads are asked for than the machine's " + std::to_string(hardware_threads()));
}

void report_run(const Options& options, const Trial& trial, const Index& index) {
    const nlohmann::ordered_json line{{"index", trial.name()},
                                      {"task", "run"},
                                      {"scenario", options.scenario},
                                      {"n", options.agents},
                                      {"threads", index.threads()},
                                      {"isa", index.instruction_set()},
                                      {"version", index.about().version},
                                      {"settings", index.about().settings},
                                      {"cpu", cpu_name()},
                                      {"compiler", compiler_name()}};
    std::printf("%s\n", line.dump().c_str());
}

// The checksums of one index, by task.
using Answers = std::map<std::string, workload::Checksum>;

Answers measure(const Entry& entry, const Options& options, const Executor& executor) {
    const std::set<std::string> wanted(options.tasks.begin(), options.tasks.end());
    Trial trial(entry, options, executor);
    report_run(options, trial, trial.index());
    trial.run_frames();
    for (const Task& task : tasks()) {
        if (!wanted.contains(task.name)) continue;
        if (task.run == nullptr || !task.possible(trial.index()))
            note(entry.name + " has no " + task.name + " (" + task.what + ") yet: skipped");
        else
            task.run(trial);
    }
    return trial.answers();
}

// Measures one index after the other. Fast and wrong is not worth a comparison.
void measure_all(const Options& options, const Executor& executor) {
    Answers known;
    for (const std::string& name : options.indexes)
        for (const auto& [task, answer] : measure(*find_index(name), options, executor)) {
            const workload::Checksum& first = known.emplace(task, answer).first->second;
            if (answer.count != first.count || answer.hash != first.hash)
                throw std::runtime_error(name + " gives another answer to " + task + " than those before it");
        }
}

std::vector<std::string> scenario_names() {
    std::vector<std::string> names;
    for (const workload::Scenario& scenario : workload::scenarios) names.emplace_back(scenario.name);
    return names;
}

std::string listing() {
    std::string text = "\nScenarios:\n";
    for (const workload::Scenario& scenario : workload::scenarios)
        text += "  " + std::string(scenario.name) + ": " + scenario.what + "\n";
    text += "\nIndexes:\n";
    for (const Entry& entry : registry()) text += "  " + entry.name + ": " + entry.what + "\n";
    text += "\nTasks:\n";
    for (const Task& task : tasks()) text += "  " + std::string(task.name) + ": " + task.what + "\n";
    return text;
}

int run(int argc, char** argv) {
    Options options;
    std::string isa = "automatic";
    CommandLine line("Measures indexes on the common workloads.", "throng-compare");
    line.footer(listing());
    line.list("--index", options.indexes, "Which indexes, separated by commas");
    line.list("--tasks", options.tasks, "Which tasks, separated by commas");
    line.one_of("--scenario", options.scenario, "How the agents lie", scenario_names());
    line.number("--n", options.agents, "How many agents", 1, 1'000'000'000);
    line.number("--threads", options.threads, "How many threads", 1, 1024);
    line.text("--isa", isa, "Instruction set: automatic, sse2, avx2, avx512, avx512vbmi2 or neon64");
    line.number("--frames", options.frames, "Timed frames, after three to warm up; 0 for checksums only");
    line.number("--repeats", options.repeats, "How often a query is repeated at most", 1, 1000);
    line.number("--steady-frames", options.steady_frames, "Frames for p99 and allocations", 1, 10'000'000);
    line.number("--steady-seconds", options.steady_seconds, "End those after this time; 0 for all of them",
                0.0, 1e6);
    line.number("--seed", options.seed, "Seed of the agents");
    return line.run(argc, argv, [&] {
        options.isa = isa_from(isa);
        check(options);
        run_on(options.threads, [&](const Executor& executor) { measure_all(options, executor); });
    });
}

}  // namespace

}  // namespace throng::bench

int main(int argc, char** argv) { return throng::bench::run(argc, argv); }
