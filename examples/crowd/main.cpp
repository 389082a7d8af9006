// throng-crowd: agents that avoid each other and walls, with the time that every phase of a step takes and a
// picture of three moments.
//
//     throng-crowd --scenario doorway --agents 1200 --out pictures
//     throng-crowd --agents 100000 --frames 60 --threads 1 --compare      beside a kd-tree
#include "bench/common/command_line.hpp"
#include "bench/common/workers.hpp"
#include "examples/crowd/report.hpp"
#include "examples/crowd/run.hpp"
#ifdef THRONG_PICTURES
#include "examples/crowd/picture.hpp"
#endif

namespace throng::crowd {

namespace {

void show(const Options& options) {
#ifdef THRONG_PICTURES
    bench::make_directory(options.directory);
#endif
    Result result;
    bench::run_on(options.threads, [&](const Executor& executor) { result = run(options, executor); });
    std::vector<std::string> pictures;
#ifdef THRONG_PICTURES
    pictures.push_back(draw_picture(options, result));
#endif
    print_report(options, result, pictures);
}

int main(int argc, char** argv) {
    Options options;
    options.threads = bench::max_threads();
    std::string isa = "automatic";
    bench::CommandLine line("A crowd that avoids collisions.", "throng-crowd");
    line.number("--agents", options.agents, "How many agents", 1, 1'000'000);
    line.number("--frames", options.frames, "How many frames at most", 1, 1'000'000);
    line.number("--threads", options.threads, "How many threads", 1, 1024);
    line.one_of("--scenario", options.scenario, "Where the crowd goes: crossing, doorway or evacuation",
                {"crossing", "doorway", "evacuation"});
    line.text("--isa", isa, "Instruction set: automatic, sse2, avx2, avx512, avx512vbmi2 or neon64");
    line.flag("--compare", options.compare, "Find the same neighbours by nanoflann's kd-tree, on one thread");
    line.text("--out", options.directory, "Directory for the picture");
    line.format(options.format);
    return line.run(argc, argv, [&] {
        options.isa = bench::isa_from(isa);
        show(options);
    });
}

}  // namespace

}  // namespace throng::crowd

int main(int argc, char** argv) { return throng::crowd::main(argc, argv); }
