#include "examples/demo/report.hpp"

#include <cstdio>

#include "bench/common/machine.hpp"
#include "bench/common/numbers.hpp"
#include "bench/common/statistics.hpp"

namespace throng::demo {

namespace {

std::string whole(double value) {
    return bench::number(static_cast<double>(static_cast<long long>(value + 0.5)));
}

void time_row(const char* what, const std::vector<double>& times, const bench::TimeUnit& unit) {
    const std::vector<double> counted = settled(times);
    std::printf("  %-30s %10.2f %10.2f\n", what, bench::median(counted) * unit.in_a_millisecond,
                bench::quantile(counted, 0.99) * unit.in_a_millisecond);
}

void print_times(const Result& result, const bench::TimeUnit& unit) {
    const Times& times = result.times;
    const std::string asked = "queries (" + whole(static_cast<double>(result.queries)) + ")";
    std::printf("  %-30s %10s %10s\n", (unit.name + std::string(" a frame")).c_str(), "median", "99 %");
    time_row("update", times.update, unit);
    time_row("pairs", times.pairs, unit);
    time_row("frame: update and pairs", times.frame, unit);
    time_row(asked.c_str(), times.queries, unit);
    time_row("the host's own motion", times.host, unit);
    if (settled(times.frame).size() < times.frame.size())
        std::printf("  The first %u frames, in which memory grows, are left out.\n", warm_up);
}

void fact(const char* what, const std::string& value) { std::printf("  %-24s %s\n", what, value.c_str()); }

}  // namespace

std::vector<double> settled(const std::vector<double>& times) {
    if (times.size() <= warm_up) return times;
    return {times.begin() + warm_up, times.end()};
}

std::string headline(const Options& options, const Result& result) {
    return whole(static_cast<double>(options.agents)) + (options.agents == 1 ? " agent (" : " agents (") +
           options.scenario + "), " + std::to_string(options.threads) +
           (options.threads == 1 ? " thread, " : " threads, ") + to_string(result.isa);
}

void print_report(const Options& options, const Result& result, const std::vector<std::string>& pictures) {
    const double frame = bench::median(settled(result.times.frame));
    const auto agents = static_cast<double>(options.agents);

    std::printf("throng demo: %s\n\n", headline(options, result).c_str());
    print_times(result, bench::time_unit(frame));
    std::printf("\n");
    fact("agents a second", bench::fixed(agents / frame / 1e3, 1) + " million");
    fact("frames a second", frame < 10 ? whole(1e3 / frame) : bench::fixed(1e3 / frame, 1));
    fact("pairs a frame", whole(static_cast<double>(result.pairs_in_all) / options.frames));
    fact("neighbours a query",
         bench::fixed(static_cast<double>(result.neighbours) / static_cast<double>(result.queries), 2));
    fact("memory an agent", bench::fixed(result.bytes_per_agent, 1) + " bytes");
    fact("instruction set", to_string(result.isa));
    fact("threads", std::to_string(options.threads));
    fact("frames", std::to_string(options.frames));
    fact("machine", bench::cpu_name() + ", " + bench::compiler_name());
    for (const std::string& path : pictures) fact("picture", path);
    if (pictures.empty()) fact("picture", "none, since this build has no Cairo");
}

}  // namespace throng::demo
