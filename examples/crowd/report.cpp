#include "examples/crowd/report.hpp"

#include <cstdio>

#include "bench/common/machine.hpp"
#include "bench/common/numbers.hpp"
#include "bench/common/statistics.hpp"

namespace throng::crowd {

namespace {

std::string whole(std::size_t value) { return bench::number(static_cast<double>(value)); }

// One value of each step, without the first few, in which memory grows.
template <class Value>
std::vector<double> settled(const std::vector<Times>& times, const Value& value) {
    std::vector<double> values;
    for (std::size_t i = times.size() > warm_up ? warm_up : 0; i < times.size(); ++i)
        values.push_back(value(times[i]));
    return values;
}

void time_row(const char* what, const std::vector<double>& values, const bench::TimeUnit& unit) {
    std::printf("  %-34s %10.3f %10.3f\n", what, bench::median(values) * unit.in_a_millisecond,
                bench::quantile(values, 0.99) * unit.in_a_millisecond);
}

void print_times(const std::vector<Times>& times) {
    const std::vector<double> steps = settled(times, [](const Times& t) { return t.step(); });
    const bench::TimeUnit unit = bench::time_unit(bench::median(steps));
    std::printf("  %-34s %10s %10s\n", (unit.name + std::string(" a frame")).c_str(), "median", "99 %");
    time_row("update", settled(times, [](const Times& t) { return t.update; }), unit);
    time_row("neighbours of all agents", settled(times, [](const Times& t) { return t.neighbours; }), unit);
    time_row("walls near all agents", settled(times, [](const Times& t) { return t.walls; }), unit);
    time_row("neighbour phase: these three",
             settled(times, [](const Times& t) { return t.neighbour_phase(); }), unit);
    time_row("avoidance", settled(times, [](const Times& t) { return t.avoidance; }), unit);
    time_row("motion", settled(times, [](const Times& t) { return t.motion; }), unit);
    time_row("frame: all of this", steps, unit);
    if (steps.size() < times.size())
        std::printf("  The first %u frames, in which memory grows, are left out.\n", warm_up);
}

void print_comparison(const Result& result) {
    const auto beside = [](const Times& t) { return t.update + t.neighbours; };
    const double ours = bench::median(settled(result.times, beside));
    std::vector<double> trees = result.kd_tree;
    if (trees.size() > warm_up) trees.erase(trees.begin(), trees.begin() + warm_up);
    const double tree = bench::median(trees);
    std::printf("\n  Beside nanoflann's kd-tree, which found the same neighbours in every frame:\n");
    std::printf("  %-34s %10s\n", "update and neighbours", bench::duration(ours).c_str());
    std::printf("  %-34s %10s\n", "kd-tree, built and asked", bench::duration(tree).c_str());
    std::printf("  %-34s %10.3f\n", "ratio", tree > 0 ? ours / tree : 0);
}

void fact(const char* what, const std::string& value) { std::printf("  %-24s %s\n", what, value.c_str()); }

}  // namespace

std::string headline(const Options& options, const Result& result) {
    return whole(options.agents) + (options.agents == 1 ? " agent (" : " agents (") + options.scenario +
           "), " + std::to_string(options.threads) + (options.threads == 1 ? " thread, " : " threads, ") +
           to_string(result.isa);
}

void print_report(const Options& options, const Result& result, const std::vector<std::string>& pictures) {
    std::printf("throng crowd: %s\n\n", headline(options, result).c_str());
    print_times(result.times);
    if (!result.kd_tree.empty()) print_comparison(result);
    std::printf("\n");
    fact("frames", whole(result.times.size()));
    fact("arrived", whole(result.arrived) + " of " + whole(options.agents));
    fact("neighbours an agent",
         bench::fixed(static_cast<double>(result.neighbours) / static_cast<double>(result.agent_steps), 2));
    fact("walls", whole(result.scenario.walls.size()));
    fact("machine", bench::cpu_name() + ", " + bench::compiler_name());
    for (const std::string& path : pictures) fact("picture", path);
    if (pictures.empty()) fact("picture", "none, since this build has no Cairo");
}

}  // namespace throng::crowd
