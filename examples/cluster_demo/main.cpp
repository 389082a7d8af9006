// throng-cluster-demo: a crowd on as many ranks as mpirun starts, its report, and a picture coloured by
// owner.
//
//     mpirun -n 4 throng-cluster-demo --agents 400000
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/common/command_line.hpp"
#include "bench/common/machine.hpp"
#include "bench/common/run_on_ranks.hpp"
#include "examples/cluster_demo/crowd.hpp"
#include "examples/cluster_demo/picture.hpp"
#include "examples/demo/progress.hpp"
#include "throng/cluster.hpp"

namespace throng::cluster_demo {

namespace {

struct Options {
    std::size_t agents = 200'000;
    unsigned frames = 100;
    std::string directory = "throng-demo", format = "png";
};

void expect(const cluster::ClusterStatus& status) {
    if (status.ok()) return;
    char text[300];
    cluster::describe(status, text);
    throw std::runtime_error(text);
}

// What all ranks did in all frames.
struct Totals {
    std::array<double, 9> sums =
        {};  // sent, copies, bytes and messages of agents, of copies, of general; sums
    double balance = 0, waited = 0;
    unsigned cuts = 0;
    std::vector<double> seconds;

    void add(const cluster::ClusterReport& report, int ranks, double frame) {
        const double mine[] = {double(report.sent),
                               double(report.ghosts),
                               double(report.migration.messages),
                               double(report.migration.bytes),
                               double(report.ghosting.messages),
                               double(report.ghosting.bytes),
                               double(report.general_exchange.messages),
                               double(report.general_exchange.bytes),
                               double(report.sums.messages)};
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += mine[k];
        balance += report.all_work == 0 ? 1 : double(report.busiest) * ranks / double(report.all_work);
        waited += report.waited_seconds;
        if (report.partitioned) ++cuts;
        seconds.push_back(frame);
    }
};

void print(Totals& totals, const Options& options, int ranks) {
    const double frames = std::max(1.0, double(totals.seconds.size()));
    std::array<double, 9> all = {};
    MPI_Reduce(totals.sums.data(), all.data(), int(all.size()), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    double waited = 0;
    MPI_Reduce(&totals.waited, &waited, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 || totals.seconds.empty()) return;
    std::nth_element(totals.seconds.begin(),
                     totals.seconds.begin() + std::ptrdiff_t(totals.seconds.size() / 2),
                     totals.seconds.end());
    std::printf("%zu agents on %d ranks, %u frames, of which the first is left out; %s\n\n", options.agents,
                ranks, options.frames, bench::cpu_name().c_str());
    std::printf("  %-46s %12.2f ms\n", "a frame: update, pairs, neighbours, motion (median)",
                1e3 * totals.seconds[totals.seconds.size() / 2]);
    std::printf("  %-46s %12.2f ms\n", "of which a rank waited for others in updates",
                1e3 * waited / frames / ranks);
    std::printf("  %-46s %12.2f times\n", "the busiest rank over the mean", totals.balance / frames);
    std::printf("  %-46s %12u\n", "cuts anew", totals.cuts);
    const auto row = [&](const char* what, double value) {
        std::printf("  %-46s %12.1f\n", what, value / frames);
    };
    std::printf("\n  in a frame, of all ranks together\n");
    row("agents that went to another rank", all[0]);
    row("copies beyond borders (ghosts)", all[1]);
    row("messages with agents", all[2]);
    row("  kilobytes", all[3] / 1e3);
    row("messages with copies", all[4]);
    row("  kilobytes", all[5] / 1e3);
    row("messages of general exchanges", all[6]);
    row("  kilobytes", all[7] / 1e3);
    row("sums over all ranks", all[8] / ranks);
}

void run(const Options& options) {
    cluster::ClusterConfig config;
    config.radius = 2 * half;
    config.reach = 4;                            // as somebody who looks ahead would want
    config.engine.executor = serial_executor();  // the ranks share this machine's cores
    cluster::ClusterEngine engine(MPI_COMM_WORLD, config);
    expect(engine.status());
    Crowd crowd(options.agents, engine.rank(), engine.ranks());
    cluster::PairList touching;
    Totals totals;
    std::unique_ptr<demo::Progress> progress;
    if (engine.rank() == 0) progress = std::make_unique<demo::Progress>("frames", options.frames);
    for (unsigned frame = 0; frame < options.frames; ++frame) {
        const double begin = MPI_Wtime();
        expect(crowd.update(engine));
        expect(engine.pairs(touching));
        const cluster::ClusterReport report = engine.report();
        if (frame + 1 != options.frames) expect(crowd.move(engine, frame));
        if (frame != 0) totals.add(report, engine.ranks(), MPI_Wtime() - begin);
        if (progress) progress->at(frame + 1);
    }
    progress.reset();
    print(totals, options, engine.ranks());
#ifdef THRONG_PICTURES
    const std::string path = options.directory + "/cluster." + options.format;
    if (engine.rank() == 0) bench::make_directory(options.directory);
    draw(engine, crowd.side(), path);
    if (engine.rank() == 0) std::printf("\n  picture %s\n", path.c_str());
#endif
}

}  // namespace

}  // namespace throng::cluster_demo

int main(int argc, char** argv) {
    throng::cluster_demo::Options options;
    throng::bench::CommandLine line("A crowd on as many ranks as mpirun starts", "throng-cluster-demo");
    line.number("--agents", options.agents, "how many agents", 1);
    line.number("--frames", options.frames, "how many frames", 2u);
    line.text("--out", options.directory, "where the picture goes");
    line.format(options.format);
    return throng::bench::run_on_ranks(argc, argv, line, [&] { throng::cluster_demo::run(options); });
}
