// throng-features: what each of the engine's features costs beside the same crowd without it, on one thread.
// Every task takes turns in both worlds; times come as JSON, one object a line, for bench/features.py.
//
//     throng-features --n 250000 --rounds 21 --isa avx2
//     throng-features --n 10000 --once torus     each task once in one world, to count its instructions
//
// It fails if a feature that has to find as much as the crowd beside it does not.
#include <chrono>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/common/command_line.hpp"
#include "bench/common/machine.hpp"
#include "bench/features/feature_world.hpp"

namespace throng::bench {

namespace {

struct Task {
    const char* name;
    std::size_t (FeatureWorld::*run)();
    bool is_query;  // of the host's own
};
constexpr Task all_tasks[] = {
    {"update", &FeatureWorld::update, false},    {"pairs", &FeatureWorld::find_pairs, false},
    {"T2", &FeatureWorld::answer, true},         {"T2c", &FeatureWorld::answer_coherent, true},
    {"T2r", &FeatureWorld::find_within, false},  {"knn", &FeatureWorld::find_nearest, false},
    {"T5", &FeatureWorld::find_first_hits, true}};

// Larger boxes, and pairs within a distance, are only about pairs.
std::span<const Task> tasks_of(const Feature& feature) {
    const std::span<const Task> all(all_tasks);
    return feature.within != 0 || feature.grown != 0 ? all.subspan(1, 1) : all;
}

const Feature& feature_of(std::string_view name) {
    for (const Feature& feature : features)
        if (feature.name == name) return feature;
    throw UsageError("unknown feature '" + std::string(name) + "'");
}

struct Options {
    std::size_t agents = 250'000;
    unsigned rounds = 21;
    std::vector<std::string> features;
    std::string isa = "automatic", once;
};

struct Measured {
    double ms;
    std::size_t answers;
};
Measured measure(FeatureWorld& world, const Task& task) {
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t answers = (world.*task.run)();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    return {time.count(), answers};
}

void print(const char* name, const std::vector<double>& times) {
    std::printf("\"%s\":[", name);
    for (std::size_t i = 0; i < times.size(); ++i) std::printf("%s%.6g", i == 0 ? "" : ",", times[i]);
    std::printf("]");
}

// After two turns that warm up.
void compare(const Feature& feature, const Task& task, FeatureWorld& beside, FeatureWorld& with,
             unsigned rounds) {
    constexpr unsigned unmeasured = 2;
    std::vector<double> times_beside, times;
    Measured one{}, other{};
    for (unsigned round = 0; round < unmeasured + rounds; ++round) {
        one = measure(beside, task);
        other = measure(with, task);
        if (round < unmeasured) continue;
        times_beside.push_back(one.ms);
        times.push_back(other.ms);
    }
    std::printf(
        "{\"feature\":\"%s\",\"beside\":\"%s\",\"task\":\"%s\",\"answers\":%zu,\"answers_beside\":%zu,",
        feature.name, feature.beside, task.name, other.answers, one.answers);
    print("ms", times);
    std::printf(",");
    print("ms_beside", times_beside);
    std::printf("}\n");
    std::fflush(stdout);
    const bool alike = feature.alike == Alike::all || (feature.alike == Alike::queries && task.is_query);
    if (alike && one.answers != other.answers)
        throw std::runtime_error(std::string(feature.name) + " gives another number of answers to " +
                                 task.name);
}

void measure_all(const Options& options, Isa isa) {
    std::printf("{\"task\":\"run\",\"cpu\":\"%s\",\"compiler\":\"%s\",\"isa\":\"%s\",\"n\":%zu}\n",
                cpu_name().c_str(), compiler_name().c_str(), to_string(Engine({.isa = isa}).isa()),
                options.agents);
    for (const std::string& name : options.features) {
        const Feature& feature = feature_of(name);
        if (feature.beside == nullptr) throw UsageError(name + " has nothing beside it");
        FeatureWorld beside(feature_of(feature.beside), options.agents, isa);
        FeatureWorld with(feature, options.agents, isa);
        for (const Task& task : tasks_of(feature)) compare(feature, task, beside, with, options.rounds);
    }
}

void run_once(const Options& options, Isa isa) {
    const Feature& feature = feature_of(options.once);
    FeatureWorld world(feature, options.agents, isa);
    for (const Task& task : tasks_of(feature))
        std::printf("{\"feature\":\"%s\",\"task\":\"%s\",\"answers\":%zu}\n", feature.name, task.name,
                    (world.*task.run)());
}

int run(int argc, char** argv) {
    Options options;
    std::string listing = "\nFeatures:\n";
    for (const Feature& feature : features) {
        if (feature.beside != nullptr) options.features.emplace_back(feature.name);
        listing += "  " + std::string(feature.name) + ": " + feature.what + "\n";
    }
    CommandLine line("Measures what the engine's features cost.", "throng-features");
    line.footer(listing);
    line.number("--n", options.agents, "How many agents", 16, 100'000'000);
    line.number("--rounds", options.rounds, "Turns that each world gets", 1, 10'000);
    line.list("--features", options.features, "Which features, separated by commas");
    line.text("--isa", options.isa, "Instruction set: automatic, sse2, avx2, avx512, avx512vbmi2 or neon64");
    line.text("--once", options.once, "Run each task of this feature once, and measure nothing");
    return line.run(argc, argv, [&] {
        const Isa isa = isa_from(options.isa);
        if (options.once.empty())
            measure_all(options, isa);
        else
            run_once(options, isa);
    });
}

}  // namespace

}  // namespace throng::bench

int main(int argc, char** argv) { return throng::bench::run(argc, argv); }
