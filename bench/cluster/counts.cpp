#include "bench/cluster/counts.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "bench/common/counting_resource.hpp"
#include "throng/cluster.hpp"
#include "throng/throng.hpp"
#include "worlds/workload/scenarios.hpp"

namespace throng::cluster_bench {

namespace {

// Frames at the beginning that are not counted: cuts come to rest, and buffers get their sizes.
constexpr unsigned settling = 20;

void expect(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
}

double sum_of_ranks(double mine) {
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

Box box_of(const workload::World& world, std::size_t i) {
    return {world.x0(i), world.y0(i), world.x1(i), world.y1(i)};
}
bool holds(const Box& domain, const Point& place) {
    return domain.overlaps({place.x, place.y, place.x, place.y});
}

struct Counts {
    double frames = 0, balance = 0, worst = 0, cuts = 0;
    double sent = 0, crossed = 0;
    double ghosts = 0, reachable = 0, ghost_bytes = 0, ghost_messages = 0;
    double allocations = 0, waited = 0, seconds = 0, partitioning = 0;
};

class Run {
public:
    Run(const std::string& name, std::size_t agents) : world_(workload::make(name, agents)) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        for (std::size_t i = static_cast<std::size_t>(rank_); i < agents;
             i += static_cast<std::size_t>(ranks_))
            ids_.push_back(i);
        for (std::size_t i = 0; i < agents; ++i)
            largest_ = std::max(largest_, std::max(world_.hx[i], world_.hy[i]));
    }

    Counts frames(unsigned count) {
        cluster::ClusterConfig config;
        config.engine.executor = serial_executor();
        config.engine.memory = &memory_;
        cluster::ClusterEngine engine(MPI_COMM_WORLD, config);
        Counts counts;
        for (unsigned frame = 0; frame < settling + count; ++frame) {
            const std::uint64_t before = memory_.allocations();
            const double crossed = crossed_of(engine);
            boxes_.clear();
            for (const cluster::GlobalId id : ids_) boxes_.push_back(box_of(world_, id));
            expect(engine.update({.ids = ids_, .boxes = boxes_, .labels = {}, .payload = {}}).ok(),
                   "an update failed");
            expect(engine.pairs(pairs_).ok(), "pairs failed");
            ids_.assign(engine.owned().ids.begin(), engine.owned().ids.end());
            if (frame >= settling) add(counts, engine, crossed, memory_.allocations() - before);
            world_.step();
        }
        return counts;
    }

private:
    // Of what this rank owned in the last frame, how many are in another's part now.
    double crossed_of(const cluster::ClusterEngine& engine) const {
        const Box domain = engine.domain(rank_);
        double crossed = 0;
        for (const cluster::GlobalId id : ids_)
            if (!holds(domain, box_of(world_, id).centre())) ++crossed;
        return crossed;
    }
    // The agents of others whose boxes may touch one of this rank, as far as its part and sizes tell.
    double reachable(const cluster::ClusterEngine& engine) const {
        const Box domain = engine.domain(rank_), near = domain.grown(largest_);
        double count = 0;
        for (std::size_t i = 0; i < world_.size(); ++i) {
            const Box box = box_of(world_, i);
            if (box.overlaps(near) && !holds(domain, box.centre())) ++count;
        }
        return count;
    }
    void add(Counts& counts, const cluster::ClusterEngine& engine, double crossed,
             std::uint64_t allocations) {
        const cluster::ClusterReport& report = engine.report();
        const double balance = double(report.busiest) * ranks_ / std::max(1.0, double(report.all_work));
        counts.frames += 1;
        counts.balance += balance;
        counts.worst = std::max(counts.worst, balance);
        counts.cuts += report.partitioned;
        // After new cuts, most agents that are sent have not moved across a border.
        if (!report.partitioned) {
            counts.sent += double(report.sent);
            counts.crossed += crossed;
        }
        counts.ghosts += double(report.ghosts);
        if (unsigned(counts.frames) % 10 == 1) {
            counts.reachable += reachable(engine);
            sampled_ghosts_ += double(report.ghosts);
        }
        counts.ghost_bytes += double(report.ghosting.bytes);
        counts.ghost_messages += double(report.ghosting.messages);
        counts.allocations += double(allocations);
        counts.seconds += report.seconds;
        counts.partitioning += report.partition_seconds;
    }

public:
    double sampled_ghosts() const { return sampled_ghosts_; }
    int rank() const { return rank_; }
    int ranks() const { return ranks_; }

private:
    workload::World world_;
    int rank_ = 0, ranks_ = 1;
    float largest_ = 0;
    std::vector<cluster::GlobalId> ids_;
    std::vector<Box> boxes_;
    cluster::PairList pairs_;
    bench::CountingResource memory_;
    double sampled_ghosts_ = 0;
};

}  // namespace

const char* const counts_heading =
    "world,ranks,agents,frames,cuts,busiest,busiest at worst,ghosts,ghosts beside least,bytes a ghost,"
    "ghost messages a rank,sent,sent beside crossed,allocations,partitioning";

std::string counts_of(const std::string& world, std::size_t agents, unsigned frames) {
    Run run(world, agents);
    const Counts mine = run.frames(frames);
    const auto ratio = [](double part, double whole) { return whole > 0 ? part / whole : 1; };
    const double all = mine.frames, ghosts = sum_of_ranks(mine.ghosts), sent = sum_of_ranks(mine.sent);
    const double least = ratio(sum_of_ranks(run.sampled_ghosts()), sum_of_ranks(mine.reachable));
    const double bytes = ratio(sum_of_ranks(mine.ghost_bytes), ghosts);
    const double messages = sum_of_ranks(mine.ghost_messages) / all / run.ranks();
    const double crossed = ratio(sent, sum_of_ranks(mine.crossed));
    const double allocations = sum_of_ranks(mine.allocations);
    const double cutting = ratio(sum_of_ranks(mine.partitioning), sum_of_ranks(mine.seconds));
    char line[300];
    std::snprintf(line, sizeof line, "%s,%d,%zu,%.0f,%.0f,%.3f,%.3f,%.1f,%.3f,%.2f,%.2f,%.1f,%.4f,%.0f,%.4f",
                  world.c_str(), run.ranks(), agents, all, mine.cuts, mine.balance / all, mine.worst,
                  ghosts / all, least, bytes, messages, sent / all, crossed, allocations, cutting);
    return line;
}

}  // namespace throng::cluster_bench
