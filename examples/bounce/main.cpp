// throng_bounce: agents that bounce off each other, with any of the structures to find who touches whom; the
// time of a frame and the memory are printed for each.
//
//     throng_bounce --agents 100000 --structure quadtree,loose_grid
#include <algorithm>
#include <cstdio>

#include "bench/common/machine.hpp"
#include "bench/common/structure_list.hpp"
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
                options.by_moves ? "moves each agent and cleans up" : "is made anew in every frame");
    std::printf("%s, %s\n\n", bench::cpu_name().c_str(), bench::compiler_name().c_str());
    std::printf("  %-18s %9s %9s %9s %9s %9s %9s %11s %9s\n", "milliseconds", "update", "clean-up", "pairs",
                "motion", "frame", "99 %", "frames/s", "memory");
}

void print(const Costs& costs) {
    std::printf("  %-18s %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %11.0f %6.1f MB\n", costs.name.c_str(),
                costs.update, costs.clean_up, costs.pairs, costs.motion, costs.frame, costs.slowest,
                1e3 / costs.frame, static_cast<double>(costs.bytes) / 1e6);
    std::fflush(stdout);
}

void run_all(const Options& options) {
    for (const std::string& name : options.structures) {
        const std::vector<std::string> known = names();
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw bench::UsageError("there is no structure '" + name + "'; see --help");
    }
    print_header(options);
    bench::for_each_structure([&]<class Structure>(const char* name, const char*) {
        if (wanted(options, name)) print(run<Searcher<Structure>>(name, options));
    });
    if (wanted(options, "engine")) print(run<EngineSearcher>("engine", options));
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
    std::string update = "anew", load = "assign";
    CLI::App app("Agents that bounce off each other, on any of the structures.", "throng_bounce");
    app.footer(listing());
    app.add_option("--structure", options.structures, "Which, separated by commas; all, if none is named")
        ->delimiter(',');
    app.add_option("--agents", options.agents, "How many agents")->check(CLI::Range(1, 100'000'000));
    app.add_option("--frames", options.frames, "Timed frames")->check(CLI::Range(1, 1'000'000));
    app.add_option("--scenario", options.scenario, "How the agents lie: crowd, mixed or clustered")
        ->check(CLI::IsMember({"crowd", "mixed", "clustered"}));
    app.add_option("--update", update, "How a structure follows: made anew, or by a move for each agent")
        ->check(CLI::IsMember({"anew", "moves"}));
    app.add_option("--load", load, "How a structure is filled: at once, or by an insertion for each agent")
        ->check(CLI::IsMember({"assign", "inserts"}));
    for (CLI::Option* option : app.get_options()) option->capture_default_str();
    return bench::run_program(app, argc, argv, [&] {
        options.by_moves = update == "moves";
        options.by_inserts = load == "inserts";
        run_all(options);
    });
}

}  // namespace

}  // namespace throng::bounce

int main(int argc, char** argv) { return throng::bounce::main(argc, argv); }
