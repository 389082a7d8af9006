// throng_demo: a large crowd whose members bounce off each other, with the time that every step takes and
// pictures of the crowd and of the frame times.
//
//     throng_demo --agents 1000000 --frames 120 --out pictures
#include <filesystem>

#include "bench/common/command_line.hpp"
#include "bench/common/workers.hpp"
#include "examples/demo/pictures.hpp"
#include "examples/demo/report.hpp"
#include "examples/demo/simulation.hpp"

namespace throng::demo {

namespace {

// Made before the work, so that a directory that is not to be had costs nobody a minute.
void make_directory(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw std::runtime_error("cannot make the directory " + path + ": " + error.message());
}

void show(const Options& options) {
    make_directory(options.directory);
    Result result;
    bench::run_on(options.threads, [&](const Executor& executor) { result = simulate(options, executor); });
    const std::string crowd = options.directory + "/crowd.png",
                      times = options.directory + "/frame-times.png";
    draw_crowd(options, result, crowd);
    draw_frame_times(options, result, times);
    print_report(options, result, {crowd, times});
}

int run(int argc, char** argv) {
    Options options;
    options.threads = bench::most_threads();
    std::string isa = "automatic";
    CLI::App app("A large crowd whose members bounce off each other.", "throng_demo");
    app.add_option("--agents", options.agents, "How many agents")->check(CLI::Range(1, 1'000'000'000));
    app.add_option("--frames", options.frames, "How many frames")->check(CLI::Range(1, 1'000'000));
    app.add_option("--threads", options.threads, "How many threads")->check(CLI::Range(1, 1024));
    app.add_option("--scenario", options.scenario, "How the agents lie: crowd, mixed or clustered")
        ->check(CLI::IsMember({"crowd", "mixed", "clustered"}));
    app.add_option("--isa", isa, "Instruction set: automatic, sse2, avx2, avx512 or neon64");
    app.add_option("--out", options.directory, "Directory for the pictures");
    for (CLI::Option* option : app.get_options()) option->capture_default_str();
    return bench::run_program(app, argc, argv, [&] {
        options.isa = bench::isa_from(isa);
        show(options);
    });
}

}  // namespace

}  // namespace throng::demo

int main(int argc, char** argv) { return throng::demo::run(argc, argv); }
