// throng-demo: a large crowd whose members bounce off each other, with the time that every step takes and
// pictures of the crowd and of the frame times.
//
//     throng-demo --agents 1000000 --frames 120 --out pictures
#include "bench/common/command_line.hpp"
#include "bench/common/workers.hpp"
#include "examples/demo/pictures.hpp"
#include "examples/demo/report.hpp"
#include "examples/demo/simulation.hpp"

namespace throng::demo {

namespace {

void show(const Options& options) {
#ifdef THRONG_PICTURES
    bench::make_directory(options.directory);
#endif
    Result result;
    bench::run_on(options.threads, [&](const Executor& executor) { result = simulate(options, executor); });
    std::vector<std::string> pictures;
#ifdef THRONG_PICTURES
    pictures = draw_pictures(options, result);
#endif
    print_report(options, result, pictures);
}

int run(int argc, char** argv) {
    Options options;
    options.threads = bench::max_threads();
    std::string isa = "automatic";
    bench::CommandLine line("A large crowd whose members bounce off each other.", "throng-demo");
    line.number("--agents", options.agents, "How many agents", 1, 1'000'000'000);
    line.number("--frames", options.frames, "How many frames", 1, 1'000'000);
    line.number("--threads", options.threads, "How many threads", 1, 1024);
    line.one_of("--scenario", options.scenario, "How the agents lie: crowd, mixed or clustered",
                {"crowd", "mixed", "clustered"});
    line.text("--isa", isa, "Instruction set: automatic, sse2, avx2, avx512, avx512vbmi2 or neon64");
    line.text("--out", options.directory, "Directory for the pictures");
    line.format(options.format);
    return line.run(argc, argv, [&] {
        options.isa = bench::isa_from(isa);
        show(options);
    });
}

}  // namespace

}  // namespace throng::demo

int main(int argc, char** argv) { return throng::demo::run(argc, argv); }
