// throng-cluster-bench: what a crowd's frame takes on the ranks that mpirun started, beside one engine,
// beside replicated bounds without migration, and what its cuts cost beside plain halving.
//
//     mpirun -n 2 throng-cluster-bench --agents 1000000
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/cluster/counts.hpp"
#include "bench/cluster/drift.hpp"
#include "bench/cluster/halving.hpp"
#include "bench/cluster/replicated.hpp"
#include "bench/common/command_line.hpp"
#include "bench/common/counting_resource.hpp"
#include "bench/common/run_on_ranks.hpp"
#include "bench/common/statistics.hpp"
#include "throng/cluster.hpp"
#include "throng/throng.hpp"

namespace throng::cluster_bench {

namespace {

struct Options {
    std::size_t agents = 200'000;
    unsigned frames = 20;
    std::string only;  // one of the rows
    bool counts = false, drift = false;
};

// Before that, cuts come to rest, and buffers get their sizes.
constexpr unsigned first_timed = 4;

void expect(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
}

// A crowd that is known on every rank: the one engine has all of it, and each rank what is its own.
struct Crowd {
    explicit Crowd(std::size_t count) {
        std::mt19937 random(1);
        const float side = 1.8f * std::sqrt(static_cast<float>(count));
        std::uniform_real_distribution<float> place(0, side), speed(-0.1f, 0.1f);
        for (std::size_t i = 0; i < count; ++i) {
            boxes.push_back(Box::around(place(random), place(random), 0.5f, 0.5f));
            velocities.push_back({speed(random), speed(random)});
        }
    }
    Box at(std::size_t i, unsigned frame) const {
        const float t = static_cast<float>(frame);
        return boxes[i].moved(velocities[i].x * t, velocities[i].y * t);
    }

    std::vector<Box> boxes;
    std::vector<Point> velocities;
};

using Step = std::function<void(unsigned frame)>;

// The slowest rank's milliseconds of each frame without its preparation, and their median without the first
// frames.
double median_of(unsigned frames, const Step& prepare, const Step& make) {
    std::vector<double> times;
    for (unsigned f = 0; f < frames; ++f) {
        prepare(f);
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        make(f);
        double mine = 1e3 * (MPI_Wtime() - begin), slowest = 0;
        MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (f >= first_timed) times.push_back(slowest);
    }
    return bench::median(times);
}
double median_of(unsigned frames, const Step& make) {
    return median_of(
        frames, [](unsigned) {}, make);
}

struct Row {
    double milliseconds = 0;
    double bytes = 0;    // of this rank's engine
    double letters = 0;  // bytes that this rank sent in a frame
    unsigned long long pairs = 0, sent = 0;
    double partitioning = 0;  // share of the time
};

// One engine of all agents, with a thread for each rank; the other ranks wait.
Row one_engine(const Crowd& crowd, const Options& options, int rank, int ranks) {
    Row row;
    bench::CountingResource memory;
    LimitedThreads threads(static_cast<unsigned>(ranks));
    EngineConfig config;
    config.executor = ranks == 1 ? serial_executor() : threads.executor();
    config.memory = &memory;
    Engine engine(config);
    PairList pairs;
    std::vector<Box> boxes = crowd.boxes;
    const auto move = [&](unsigned frame) {
        for (std::size_t i = 0; rank == 0 && i < boxes.size(); ++i) boxes[i] = crowd.at(i, frame);
    };
    row.milliseconds = median_of(options.frames, move, [&](unsigned) {
        if (rank != 0) return;
        expect(engine.update(boxes).ok() && engine.frame().pairs(pairs).ok(), "the engine failed");
    });
    row.pairs = pairs.size();
    row.bytes = static_cast<double>(memory.bytes());
    return row;
}

double bytes_of(const cluster::ClusterReport& report) {
    double all = 0;
    for (const cluster::Traffic* one :
         {&report.migration, &report.ghosting, &report.general_exchange, &report.sums})
        all += static_cast<double>(one->bytes);
    return all;
}

// At a gate one agent goes on the first rank and one comes on the last, in each frame.
enum class Agents { migrate, stay, come_and_go };

Row cluster_frames(const Crowd& crowd, const Options& options, int rank, int ranks, Agents agents) {
    Row row;
    bench::CountingResource memory;
    cluster::ClusterConfig config{.agents_stay = agents == Agents::stay};
    config.engine.executor = serial_executor();
    config.engine.memory = &memory;
    cluster::ClusterEngine engine(MPI_COMM_WORLD, config);
    cluster::PairList pairs;
    std::vector<cluster::GlobalId> ids;
    std::vector<Box> boxes;
    for (std::size_t i = static_cast<std::size_t>(rank); i < crowd.boxes.size();
         i += static_cast<std::size_t>(ranks))
        ids.push_back(i);
    double partitioning = 0, all = 0;
    const auto move = [&](unsigned frame) {
        if (frame != 0 && agents != Agents::stay)
            ids.assign(engine.owned().ids.begin(), engine.owned().ids.end());
        const bool gate = agents == Agents::come_and_go && frame >= first_timed;
        if (gate && rank == 0) ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2));
        if (gate && rank == ranks - 1) ids.push_back(crowd.boxes.size() + frame);
        boxes.resize(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) boxes[i] = crowd.at(ids[i] % crowd.boxes.size(), frame);
    };
    row.milliseconds = median_of(options.frames, move, [&](unsigned frame) {
        expect(engine.update({.ids = ids, .boxes = boxes, .labels = {}, .payload = {}}).ok(),
               "an update failed");
        expect(engine.pairs(pairs).ok(), "pairs failed");
        partitioning += engine.report().partition_seconds;
        all += engine.report().seconds;
        row.sent = engine.report().sent;
        if (frame >= first_timed) row.letters += bytes_of(engine.report()) / (options.frames - first_timed);
    });
    row.pairs = pairs.size();
    row.bytes = static_cast<double>(memory.bytes());
    row.partitioning = all > 0 ? partitioning / all : 0;
    return row;
}

Row replicated_frames(const Crowd& crowd, const Options& options, int rank, int ranks) {
    Row row;
    Replicated replicated;
    std::vector<Box> boxes;
    const auto move = [&](unsigned frame) {
        boxes.clear();
        for (std::size_t i = static_cast<std::size_t>(rank); i < crowd.boxes.size();
             i += static_cast<std::size_t>(ranks))
            boxes.push_back(crowd.at(i, frame));
    };
    row.milliseconds = median_of(options.frames, move, [&](unsigned) {
        row.pairs = replicated.frame(boxes);
        row.sent = replicated.sent();
    });
    return row;
}

// The same by a host that writes its boxes in place.
Row frames_in_place(const Crowd& crowd, const Options& options, int rank, int ranks) {
    Row row;
    bench::CountingResource memory;
    cluster::ClusterConfig config;
    config.engine.executor = serial_executor();
    config.engine.memory = &memory;
    cluster::ClusterEngine engine(MPI_COMM_WORLD, config);
    cluster::PairList pairs;
    std::vector<cluster::GlobalId> ids;
    std::vector<Box> boxes;
    for (std::size_t i = static_cast<std::size_t>(rank); i < crowd.boxes.size();
         i += static_cast<std::size_t>(ranks)) {
        ids.push_back(i);
        boxes.push_back(crowd.boxes[i]);
    }
    expect(engine.update({.ids = ids, .boxes = boxes, .labels = {}, .payload = {}}).ok(), "an update failed");
    const auto move = [&](unsigned frame) {
        const std::span<const cluster::GlobalId> mine = engine.owned().ids;
        const std::span<Box> to = engine.in_place().boxes;
        for (std::size_t i = 0; i < mine.size(); ++i) to[i] = crowd.at(mine[i], frame);
    };
    row.milliseconds = median_of(options.frames, move, [&](unsigned frame) {
        const std::span<const cluster::GlobalId> mine = engine.owned().ids;
        const std::span<Box> to = engine.in_place().boxes;
        expect(engine.update({.ids = mine, .boxes = to, .labels = {}, .payload = {}}).ok(),
               "an update failed");
        expect(engine.pairs(pairs).ok(), "pairs failed");
        row.sent = engine.report().sent;
        if (frame >= first_timed) row.letters += bytes_of(engine.report()) / (options.frames - first_timed);
    });
    row.pairs = pairs.size();
    row.bytes = static_cast<double>(memory.bytes());
    return row;
}

void print(const char* what, const Row& mine, int rank, int ranks) {
    unsigned long long here[] = {mine.pairs, mine.sent}, all[2] = {};
    double bytes[] = {mine.bytes, mine.letters}, all_bytes[2] = {};
    MPI_Reduce(here, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(bytes, all_bytes, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf(
            "  %-44s %9.2f ms %10llu pairs %9llu sent %7.2f kB of each rank %8.1f MB %6.1f %% cutting\n",
            what, mine.milliseconds, all[0], all[1], all_bytes[1] / 1e3 / ranks, all_bytes[0] / 1e6,
            100 * mine.partitioning);
}

// What cutting a sample takes, and how many points the busiest rank has beside the mean.
void compare_cuts(const Crowd& crowd, int rank, int ranks) {
    std::vector<Point> sample;
    for (std::size_t i = 0; i < crowd.boxes.size();
         i += 1 + crowd.boxes.size() / 2048 / static_cast<std::size_t>(ranks))
        sample.push_back(crowd.boxes[i].centre());
    std::vector<std::size_t> counts;
    const double halving = median_of(9, [&](unsigned) {
        if (rank == 0) counts = halved(sample, ranks);
    });
    cluster::ClusterEngine engine(MPI_COMM_WORLD);
    const double zoltan = median_of(9, [&](unsigned) {
        expect(engine.partition(rank == 0 ? std::span<const Point>(sample) : std::span<const Point>()).ok(),
               "the cuts failed");
    });
    if (rank != 0) return;
    const double busiest = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
    std::printf("  %-44s %9.2f ms, the busiest rank has %.3f of the mean\n",
                "plain halving of a sample on one rank", halving,
                busiest * ranks / static_cast<double>(sample.size()));
    std::printf("  %-44s %9.2f ms\n", "Zoltan's cuts of the same, and their copy", zoltan);
}

void run(const Options& options) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (options.counts) {
        if (rank == 0) std::printf("%s\n", counts_heading);
        for (const char* world : {"crowd", "clustered", "crushed", "villages"}) {
            const std::string line = counts_of(world, options.agents, options.frames);
            if (rank == 0) std::printf("%s\n", line.c_str());
        }
        return;
    }
    if (options.drift) return print_drift(options.agents, options.frames);
    const Crowd crowd(options.agents);
    if (rank == 0)
        std::printf("%zu agents, %d ranks of one thread, update and pairs\n", options.agents, ranks);
    const auto wanted = [&](const char* row) { return options.only.empty() || options.only == row; };
    const auto run_row = [&](const char* name, const char* what, const auto& frames, auto... more) {
        if (wanted(name)) print(what, frames(crowd, options, rank, ranks, more...), rank, ranks);
    };
    run_row("engine", "one engine, a thread for each rank", one_engine);
    run_row("migrate", "the cluster, agents migrate", cluster_frames, Agents::migrate);
    run_row("in_place", "the cluster, boxes written in place", frames_in_place);
    run_row("gate", "the cluster, one comes and one goes", cluster_frames, Agents::come_and_go);
    run_row("stay", "the cluster, agents stay", cluster_frames, Agents::stay);
    run_row("replicated", "replicated bounds, no migration, by hand", replicated_frames);
    if (wanted("cuts")) compare_cuts(crowd, rank, ranks);
}

}  // namespace

}  // namespace throng::cluster_bench

int main(int argc, char** argv) {
    throng::cluster_bench::Options options;
    throng::bench::CommandLine line("What a frame takes on several ranks", "throng-cluster-bench");
    line.number("--agents", options.agents, "how many agents", 1);
    line.number("--frames", options.frames, "how many frames", 6u);
    line.flag("--counts", options.counts, "what does not depend on the machine, of four worlds");
    line.flag("--drift", options.drift, "how many agents cuts move, in a crowd that drifts");
    line.text("--only", options.only,
              "engine, migrate, in_place, gate, stay, replicated or cuts; else all of them");
    return throng::bench::run_on_ranks(argc, argv, line, [&] { throng::cluster_bench::run(options); });
}
