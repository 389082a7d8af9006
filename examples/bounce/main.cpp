// throng-bounce: agents that bounce off each other, with any of the structures to find which touch each
// other; the time of a frame and the memory are printed for each, and drawn.
//
//     throng-bounce --agents 100000 --structure quadtree,loose_grid
#include <algorithm>
#include <cstdio>

#include "bench/common/command_line.hpp"
#include "bench/common/machine.hpp"
#include "bench/common/numbers.hpp"
#include "bench/common/structure_list.hpp"
#include "examples/bounce/pictures.hpp"
#include "examples/bounce/run.hpp"

namespace throng::bounce {

namespace {

bool wanted(const Options& options, const std::string& name) {
    return options.structures.empty() ||
           std::find(options.structures.begin(), options.structures.end(), name) != options.structures.end();
}

std::vector<std::string> names() {
    std::vector<std::string> names{"engine"};
    bench::for_each_structure(
        [&]<class Structure>(const char* name, const char*) { names.emplace_back(name); });
    return names;
}

void print_header(const Options& options) {
    std::printf("%zu agents (%s) bounce off each other for %u frames; every structure %s%s; one thread\n",
                options.agents, options.scenario.c_str(), options.frames,
                options.by_inserts ? "was given them one by one, " : "",
                options.by_moves ? "moves each agent and cleans up" : "is built again in every frame");
    std::printf("%s, %s; %u frames before, in which memory grows, are left out\n\n",
                bench::cpu_name().c_str(), bench::compiler_name().c_str(), warm_up);
}

// All rows have one unit, which the first frame time chooses.
void print(const Costs& costs, const bench::TimeUnit& unit, bool first) {
    if (first)
        std::printf("  %-18s %9s %9s %9s %9s %9s %9s %11s %11s\n", unit.name, "update", "clean-up", "pairs",
                    "motion", "frame", "99 %", "frames/s", "memory");
    std::printf("  %-18s", costs.name.c_str());
    for (const double time :
         {costs.update, costs.clean_up, costs.pairs, costs.motion, costs.frame, costs.slowest})
        std::printf(" %9.2f", time * unit.in_a_millisecond);
    std::printf(" %11.0f %11s\n", 1e3 / costs.frame, bench::memory(costs.bytes).c_str());
    std::fflush(stdout);
}

void check_names(const Options& options) {
    const std::vector<std::string> known = names();
    for (const std::string& name : options.structures)
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw bench::UsageError("there is no structure '" + name + "'; see --help");
}

std::vector<Costs> run_all(const Options& options) {
    std::vector<Costs> all;
    const auto add = [&all](const Costs& costs) {
        all.push_back(costs);
        print(costs, bench::time_unit(all.front().frame), all.size() == 1);
    };
    print_header(options);
    bench::for_each_structure([&]<class Structure>(const char* name, const char*) {
        if (wanted(options, name)) add(run<Searcher<Structure>>(name, options));
    });
    if (wanted(options, "engine")) add(run<EngineSearcher>("engine", options));
    return all;
}

void show(const Options& options) {
    check_names(options);
#ifdef THRONG_PICTURES
    bench::make_directory(options.directory);
    const std::vector<Costs> costs = run_all(options);
    for (const std::string& path : draw_pictures(options, costs)) std::printf("\n  picture %s", path.c_str());
    std::printf("\n");
#else
    run_all(options);
    std::printf("\n  no pictures, since this build has no Cairo\n");
#endif
}

std::string listing() {
    std::string text = "\nStructures:\n";
    bench::for_each_structure([&]<class Structure>(const char* name, const char* what) {
        text += "  " + std::string(name) + ": " + what + "\n";
    });
    return text + "  engine: the row engine, which works in frames\n";
}

int main(int argc, char** argv) {
    Options options;
    std::string update = "assign", load = "assign";
    bench::CommandLine line("Agents that bounce off each other, on any of the structures.", "throng-bounce");
    line.footer(listing());
    line.list("--structure", options.structures, "Which, separated by commas; all, if none is named");
    line.number("--agents", options.agents, "How many agents", 1, 100'000'000);
    line.number("--frames", options.frames, "Timed frames", 1, 1'000'000);
    line.one_of("--scenario", options.scenario, "How the agents lie: crowd, mixed or clustered",
                {"crowd", "mixed", "clustered"});
    line.one_of("--update", update, "How a structure follows: built again, or by a move for each agent",
                {"assign", "moves"});
    line.one_of("--load", load, "How a structure is filled: at once, or by an insertion for each agent",
                {"assign", "inserts"});
    line.text("--out", options.directory, "Directory for the pictures");
    line.format(options.format);
    return line.run(argc, argv, [&] {
        options.by_moves = update == "moves";
        options.by_inserts = load == "inserts";
        show(options);
    });
}

}  // namespace

}  // namespace throng::bounce

int main(int argc, char** argv) { return throng::bounce::main(argc, argv); }
