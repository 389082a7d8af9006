// Tasks that move only some agents: the moves are staged untimed, and their commit is timed. What is to be
// shown is that a commit costs by what was touched: next to nothing where few rows were, and less than a full
// update even where the edits lie all over the world. The full update's median of the same run stands beside
// the time.
#include <algorithm>

#include "bench/common/statistics.hpp"
#include "bench/compare/tasks.hpp"

namespace throng::bench {

namespace {

using Ids = std::vector<std::uint32_t>;

// One frame of motion for one agent, bouncing off the edges of a band of the world.
void move_within(workload::World& w, std::size_t i, float low, float high) {
    w.x[i] += w.vx[i];
    w.y[i] += w.vy[i];
    if (w.x[i] < 0 || w.x[i] > w.side) w.vx[i] = -w.vx[i];
    if (w.y[i] < low || w.y[i] > high) w.vy[i] = -w.vy[i];
    w.x[i] = std::clamp(w.x[i], 0.0f, w.side);
    w.y[i] = std::clamp(w.y[i], low, high);
}

void run_commits(Trial& trial, const char* task, const Ids& ids, float low, float high) {
    Index& index = trial.index();
    workload::World& world = trial.world();
    constexpr int warm_up = 3, timed = 11;
    std::vector<double> times;
    for (int repeat = 0; repeat < warm_up + timed; ++repeat) {
        for (const std::uint32_t i : ids) move_within(world, i, low, high);
        index.stage(world, ids);
        const double begin = workload::now();
        index.commit();
        if (repeat >= warm_up) times.push_back((workload::now() - begin) * 1e3);
    }
    index.find_pairs();
    const workload::Checksum sum = index.pairs();
    trial.report(task, median(times), sum);
    trial.report_more((std::string(task) + ".against").c_str(), median(trial.times().update),
                      {{"edits", static_cast<double>(ids.size())},
                       {"share_of_update", median(times) / median(trial.times().update)}});
}

}  // namespace

void run_commit_rows_task(Trial& trial) {
    const workload::World& world = trial.world();
    const float low = 0.5f * world.side, high = 0.51f * world.side;
    Ids ids;
    for (std::size_t i = 0; i < world.size(); ++i)
        if (world.y[i] >= low && world.y[i] <= high) ids.push_back(static_cast<std::uint32_t>(i));
    run_commits(trial, "commit.rows", ids, low, high);
}

void run_commit_any_task(Trial& trial) {
    const workload::World& world = trial.world();
    Ids ids;
    for (std::size_t i = 0; i < world.size(); i += 100) ids.push_back(static_cast<std::uint32_t>(i));
    run_commits(trial, "commit.any", ids, 0, world.side);
}

}  // namespace throng::bench
