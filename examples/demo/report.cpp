#include "examples/demo/report.hpp"

#include <cstdio>

#include "bench/common/machine.hpp"
#include "bench/common/statistics.hpp"
#include "bench/plot/chart.hpp"

namespace throng::demo {

namespace {

std::string whole(double value) {
    return picture::number(static_cast<double>(static_cast<long long>(value + 0.5)));
}

std::string fixed(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

void time_row(const char* what, const std::vector<double>& times) {
    const std::vector<double> some = settled(times);
    std::printf("  %-30s %10.3f %10.3f\n", what, bench::median(some), bench::quantile(some, 0.99));
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
           (options.threads == 1 ? " thread, " : " threads, ") + name(result.isa);
}

void print_report(const Options& options, const Result& result, const std::vector<std::string>& pictures) {
    const Times& times = result.times;
    const double frame = bench::median(settled(times.frame));
    const auto agents = static_cast<double>(options.agents);
    const std::string asked = "questions (" + whole(static_cast<double>(result.questions)) + ")";

    std::printf("throng demo: %s\n\n", headline(options, result).c_str());
    std::printf("  %-30s %10s %10s\n", "milliseconds a frame", "median", "99 %");
    time_row("update", times.update);
    time_row("pairs", times.pairs);
    time_row("frame: update and pairs", times.frame);
    time_row(asked.c_str(), times.questions);
    time_row("the host's own motion", times.host);
    std::printf("\n");
    fact("agents a second", fixed(agents / frame / 1e3, 1) + " million");
    fact("frames a second", fixed(1e3 / frame, 1));
    fact("pairs a frame", whole(static_cast<double>(result.pairs_in_all) / options.frames));
    fact("neighbours a question",
         fixed(static_cast<double>(result.neighbours) / static_cast<double>(result.questions), 2));
    fact("memory an agent", fixed(result.bytes_per_agent, 1) + " bytes");
    fact("instruction set", name(result.isa));
    fact("threads", std::to_string(options.threads));
    fact("frames", std::to_string(options.frames));
    fact("machine", bench::cpu_name() + ", " + bench::compiler_name());
    for (const std::string& path : pictures) fact("picture", path);
}

}  // namespace throng::demo
