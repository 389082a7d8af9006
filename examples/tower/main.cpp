// throng-tower: a crowd on the stairs of a tower, with what a frame takes, and a picture of all storeys side
// by side.
//
//     throng-tower --agents 3000 --frames 600 --out pictures
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/common/command_line.hpp"
#include "bench/common/workers.hpp"
#include "examples/tower/tower.hpp"
#ifdef THRONG_PICTURES
#include "examples/tower/picture.hpp"
#endif

namespace throng::tower {

namespace {

struct Options {
    std::size_t agents = 1500;
    unsigned frames = 800, threads = bench::max_threads();
    Isa isa = Isa::automatic;
    std::string directory = "throng-demo", format = "png";
};

// Those that touch, and those that would if all stood on one floor.
void report(unsigned frame, const Tower& tower) {
    const PairQuery discs{.agents_as = AgentsAs::circles};
    Engine flat;
    bench::require(flat.update(tower.boxes()), "a flat world");
    const auto walking = std::count_if(tower.agents().begin(), tower.agents().end(),
                                       [](const Agent& agent) { return agent.going != Going::nowhere; });
    std::printf("frame %u: %td on their way, %zu neighbours; %zu pairs touch, and %zu as seen from above\n",
                frame, walking, tower.neighbours().ids().size(), tower.frame().count_pairs(discs).total,
                flat.frame().count_pairs(discs).total);
}

void show(const Options& options) {
#ifdef THRONG_PICTURES
    bench::make_directory(options.directory);
#endif
    bench::run_on(options.threads, [&](const Executor& executor) {
        using Clock = std::chrono::steady_clock;
        Tower tower(options.agents, executor, options.isa);
        std::vector<double> times;
        for (unsigned frame = 1; frame <= options.frames; ++frame) {
            const Clock::time_point before = Clock::now();
            tower.step();
            times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
            if (frame % std::max(options.frames / 4, 1u) == 0) report(frame, tower);
        }
        std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                         times.end());
        std::printf("a frame takes %.2f ms (median): update, neighbours, avoidance and motion\n",
                    times[times.size() / 2]);
#ifdef THRONG_PICTURES
        const std::string path = options.directory + "/tower." + options.format;
        draw(tower, path);
        std::printf("picture: %s\n", path.c_str());
#endif
    });
}

int main(int argc, char** argv) {
    Options options;
    std::string isa = "automatic", scenario = "tower";
    bench::CommandLine line("A crowd on the stairs of a tower.", "throng-tower");
    line.number("--agents", options.agents, "How many agents", 1, 1'000'000);
    line.number("--frames", options.frames, "How many frames", 1, 1'000'000);
    line.number("--threads", options.threads, "How many threads", 1, 1024);
    line.one_of("--scenario", scenario, "There is one: tower", {"tower"});
    line.text("--isa", isa, "Instruction set: automatic, sse2, avx2, avx512, avx512vbmi2 or neon64");
    line.text("--out", options.directory, "Directory for the picture");
    line.format(options.format);
    return line.run(argc, argv, [&] {
        options.isa = bench::isa_from(isa);
        show(options);
    });
}

}  // namespace

}  // namespace throng::tower

int main(int argc, char** argv) { return throng::tower::main(argc, argv); }
