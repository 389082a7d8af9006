// throng-hunt: looks for worlds in which the engine, or one of the structures, is slow.
//
//     throng-hunt --minutes 10 --seed 3
//     throng-hunt --minutes 10 --count-steps
//     throng-hunt --replay 'h1;n=100000;seed=17;place=radial(octaves=30);then=spawn'
//     throng-hunt --corpus tests/worst_worlds/corpus.txt
//
// POSIX only: each world is tried in a process of its own.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "bench/common/command_line.hpp"
#include "bench/hunt/output.hpp"
#include "worlds/hunted/text.hpp"

namespace throng::hunt {

namespace {

struct Options {
    Rules rules;
    std::vector<std::string> operations;
    std::string index, replay, corpus;
    std::size_t agents = 0;
    bool growth = false;
};

worlds::World world_from(const std::string& text) {
    const worlds::Parsed parsed = worlds::parse(text);
    if (!parsed.world)
        throw bench::UsageError("at character " + std::to_string(parsed.position) + " of '" + text +
                                "': " + parsed.error);
    return *parsed.world;
}

std::vector<Operation> operations_from(const std::vector<std::string>& names) {
    std::vector<Operation> chosen;
    for (const std::string& name : names) {
        const std::optional<Operation> operation = operation_of(name);
        if (!operation) throw bench::UsageError("there is no operation '" + name + "'; see --help");
        chosen.push_back(*operation);
    }
    if (chosen.empty())
        for (std::size_t k = 0; k < operation_count; ++k) chosen.push_back(static_cast<Operation>(k));
    return chosen;
}

// A world and the operation in which it is worst, among those that are wanted.
Find replay(worlds::World world, const Options& options) {
    if (options.agents != 0) world.agents = options.agents;
    Trial trial = options.rules.trial;
    trial.suspicious = 0;
    trial = sized(trial, world.agents);
    if (options.rules.count_steps) trial = counting_trial(trial);
    const Verdict verdict = try_world(world, trial);
    print_table(world, verdict, trial.counts_steps);
    Find find{.world = world, .score = {}, .end = verdict.end};
    for (const Operation operation : options.rules.operations)
        if (const std::optional<Score> score = verdict.worst(operation);
            score && score->ratio > find.score.ratio)
            find.score = *score;
    if (options.growth)
        std::printf("growth %.1f of %s, %s, to four times as many agents and answers\n",
                    growth_of(world, find.score, trial), name_of(find.score.operation),
                    name_of(find.score.phase));
    std::fflush(stdout);
    return find;
}

void replay_all(const Options& options) {
    std::vector<worlds::World> worlds;
    if (!options.replay.empty()) worlds.push_back(world_from(options.replay));
    if (!options.corpus.empty()) {
        std::ifstream file(options.corpus);
        if (!file) throw std::runtime_error("cannot read " + options.corpus);
        for (std::string line; std::getline(file, line);)
            if (!line.empty() && line[0] != '#') worlds.push_back(world_from(line));
    }
    std::vector<Find> finds;
    for (const worlds::World& world : worlds) finds.push_back(replay(world, options));
    const auto worst = std::max_element(finds.begin(), finds.end(), [](const Find& a, const Find& b) {
        return a.score.ratio < b.score.ratio;
    });
    print_worst(worst == finds.end() ? nullptr : &*worst);
}

void breed(const Options& options) {
    Hunt hunt(options.rules);
    hunt.run(print_progress);
    if (options.rules.count_steps) print_bred(hunt, options.rules.operations, options.rules.top);
    print_finds(hunt, options.rules.operations);
    print_worst(hunt.worst());
}

void run_with(Options& options) {
    if (options.rules.count_steps && !options.index.empty())
        throw bench::UsageError("--count-steps is for the engine: structures do not count theirs");
    options.rules.operations = operations_from(options.operations);
    options.rules.trial.make = options.index.empty() ? engine_subject() : structure_subject(options.index);
    options.rules.trial.plan.wanted = [&options](Operation operation) {
        const std::vector<Operation>& wanted = options.rules.operations;
        return std::find(wanted.begin(), wanted.end(), operation) != wanted.end();
    };
    if (!options.replay.empty() || !options.corpus.empty()) return replay_all(options);
    if (options.agents != 0) options.rules.sizes = {options.agents};
    breed(options);
}

std::string footer() {
    std::string text = "\nOperations:\n";
    for (const Named& operation : operations)
        text += std::string("  ") + operation.name + ": " + operation.what + "\n";
    return text + "\nWhat a world is made of, and what its string may say:\n" + worlds::listing();
}

void add_options(bench::CommandLine& line, Options& options) {
    Rules& rules = options.rules;
    line.number("--minutes", rules.minutes, "How long to hunt", 0.05, 10000.0);
    line.number("--seed", rules.seed, "Other worlds for another seed");
    line.number(
        "--agents", options.agents,
        "How many agents, instead of 2,000, 8,000, 16,000 or 100,000; a replayed string says it itself", 1,
        20'000'000);
    line.list("--operations", options.operations, "Which, separated by commas; all, if none is named");
    line.number("--top", rules.top, "Finds of each operation that are measured at the end", 1, 12);
    line.text("--index", options.index,
              "Hunt this structure instead of the engine; a wrong name shows which there are");
    line.number("--frames", rules.trial.plan.frames, "Frames of a world", min_frames, std::size_t{1000});
    line.number("--limit", rules.trial.seconds, "Seconds that a world may take", 0.1, 3600.0);
    line.number("--memory", rules.trial.mebibytes, "Mebibytes that a world may take", 256, 1'000'000);
    line.flag("--count-steps", rules.count_steps,
              "Breed by the steps of queries, which are exact, and time only what was found");
    line.number("--worlds", rules.worlds, "Try so many worlds at most", 1);
    line.text("--replay", options.replay, "Measure this world");
    line.text("--corpus", options.corpus, "Measure every world of this file");
    line.flag("--growth", options.growth, "Measure replayed worlds with four times as many agents, too");
}

int run(int argc, char** argv) {
    Options options;
    bench::CommandLine line("Looks for worlds in which the engine is slow, beside a plain crowd.",
                            "throng-hunt");
    line.footer(footer());
    add_options(line, options);
    return line.run(argc, argv, [&] { run_with(options); });
}

}  // namespace

}  // namespace throng::hunt

int main(int argc, char** argv) { return throng::hunt::run(argc, argv); }
