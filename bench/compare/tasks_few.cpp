// Tasks about few among many: few queries about agents that all move; few agents that move while the others
// stand still, and what a commit costs as they become more; and a commit after which few agents are left. All
// have worlds of their own, so that what an index cannot do changes nothing for the tasks after it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/common/statistics.hpp"
#include "bench/compare/regime_worlds.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

namespace {

using workload::World;

// A world of the trial's kind, in the trial's index for as long as this lives.
class OwnWorld {
public:
    explicit OwnWorld(Trial& trial)
        : trial_(trial),
          world_(workload::make(trial.options().scenario, trial.options().agents, trial.options().seed)) {
        trial.index().update(world_);
    }
    ~OwnWorld() { trial_.index().update(trial_.world()); }
    OwnWorld(const OwnWorld&) = delete;
    OwnWorld& operator=(const OwnWorld&) = delete;

    World& operator*() { return world_; }
    World* operator->() { return &world_; }

private:
    Trial& trial_;
    World world_;
};

void add(workload::Checksum& sum, const workload::Checksum& more) {
    sum.count += more.count;
    sum.hash += more.hash;
}

void run_few_queries(Trial& trial, std::size_t count) {
    Index& index = trial.index();
    OwnWorld world(trial);
    const std::vector<workload::Rect> queries = small_boxes(*world, count, 31);
    std::vector<double> times;
    workload::Checksum sum;
    const int warm_up = 2, frames = trial.repeats(7);
    for (int frame = 0; frame < warm_up + frames; ++frame) {
        world->step();
        const double ms = timed([&] {
            index.update(*world);
            index.answer(queries);
        });
        add(sum, index.answers());
        if (frame >= warm_up) times.push_back(ms);
    }
    trial.report(("frame.queries." + std::to_string(count)).c_str(), median(times), sum);
}

// Commits that come before those that count: what few edits need is made while the rows of a world are edited
// for the first times.
int commits_to_settle(std::size_t edits) {
    constexpr std::size_t edits_to_settle = 10000;
    return static_cast<int>(std::clamp<std::size_t>(edits_to_settle / edits, 2, 500));
}

// A few moves, and then a query or a batch.
void run_edits(Trial& trial, const std::string& task, std::size_t edits, std::size_t count) {
    Index& index = trial.index();
    OwnWorld world(trial);
    Moving moving(world->size());
    const std::vector<workload::Rect> queries = small_boxes(*world, count, 32);
    std::vector<double> times, commits;
    workload::Checksum sum;
    const int warm_up = commits_to_settle(edits), repeats = trial.repeats(15);
    for (int repeat = 0; repeat < warm_up + repeats; ++repeat) {
        const std::vector<std::uint32_t>& ids = moving.step(*world, edits);
        const double commit = timed([&] {
            index.stage(*world, ids);
            index.commit();
        });
        if (repeat < warm_up) continue;
        const double answer =
            timed([&] { count == 1 ? void(index.search(queries[0])) : index.answer(queries); });
        if (count == 1)
            for (const std::uint32_t id : index.searched()) sum.hit(id);
        else
            add(sum, index.answers());
        times.push_back(commit + answer);
        commits.push_back(commit);
    }
    trial.report_serial(task.c_str(), median(times), sum);
    trial.report_more((task + ".commit").c_str(), median(commits), {{"edits", static_cast<double>(edits)}});
}

// Commits of a few moves, one after the other, and then one full update. Small ones are made more often.
void run_chart_of(Trial& trial, OwnWorld& world, Moving& moving, std::size_t edits) {
    Index& index = trial.index();
    std::vector<double> all, commits;
    const bool are_few = edits <= world->size() / 64;
    const int warm_up = 2, repeats = trial.repeats(are_few ? 31 : 7);
    // After the update before. One edit at a time would take long to reach all rows.
    const std::size_t some = std::min<std::size_t>(20, world->size());
    for (int commit = 0; are_few && commit < commits_to_settle(some); ++commit) {
        index.stage(*world, moving.step(*world, some));
        index.commit();
    }
    for (int repeat = 0; repeat < warm_up + repeats; ++repeat) {
        const std::vector<std::uint32_t>& ids = moving.step(*world, edits);
        const double stage = timed([&] { index.stage(*world, ids); });
        const double commit = timed([&] { index.commit(); });
        if (repeat < warm_up) continue;
        all.push_back(stage + commit);
        commits.push_back(commit);
    }
    const double update = timed([&] { index.update(*world); });
    trial.report_more(
        ("edits.chart." + std::to_string(edits)).c_str(), median(all),
        {{"edits", static_cast<double>(edits)}, {"commit_ms", median(commits)}, {"update_ms", update}});
}

}  // namespace

void run_few_queries_task(Trial& trial) {
    for (const std::size_t count : {1u, 10u, 100u, 1000u}) run_few_queries(trial, count);
}

void run_edits_task(Trial& trial) {
    const std::size_t agents = trial.world().size();
    run_edits(trial, "edits.10", std::min<std::size_t>(10, agents), 1);
    for (const std::size_t part : {10'000u, 1'000u, 100u})
        run_edits(trial, "edits.one_in_" + std::to_string(part), std::max<std::size_t>(agents / part, 1),
                  100);
}

void run_edits_chart_task(Trial& trial) {
    OwnWorld world(trial);
    const std::size_t agents = world->size();
    Moving moving(agents);
    for (std::size_t edits = 1; edits < agents; edits *= 2) run_chart_of(trial, world, moving, edits);
    run_chart_of(trial, world, moving, agents);
    trial.index().find_pairs();
    trial.report("edits.chart", 0, trial.index().pairs());
}

namespace {

// Updates in turns: one that follows such a commit, and one that follows an update.
template <class Stage>
void run_mixed(Trial& trial, OwnWorld& world, const char* task, Stage&& stage) {
    Index& index = trial.index();
    Moving moving(world->size());
    std::vector<double> edits, commits, updates, updates_after_edits;
    const int warm_up = 3, repeats = trial.repeats(15);
    for (int repeat = 0; repeat < warm_up + repeats; ++repeat) {
        world->step();
        const double after_edits = timed([&] { index.update(*world); });
        world->step();
        const double update = timed([&] { index.update(*world); });
        const auto& ids = moving.step(*world, std::min<std::size_t>(10, world->size()));
        const double staged = timed([&] { stage(ids); }), commit = timed([&] { index.commit(); });
        if (repeat < warm_up) continue;
        edits.push_back(staged + commit);
        commits.push_back(commit);
        updates.push_back(update);
        updates_after_edits.push_back(after_edits);
    }
    const double of_one = median(updates);
    index.find_pairs();
    trial.report(task, median(edits), index.pairs());
    trial.report_more((std::string(task) + ".commit").c_str(), median(commits),
                      {{"update_ms", of_one},
                       {"of_update", median(edits) / of_one},
                       {"update_after_edits", median(updates_after_edits) / of_one}});
}

}  // namespace

void run_mixed_task(Trial& trial) {
    Index& index = trial.index();
    OwnWorld world(trial);
    run_mixed(trial, world, "mixed.moves", [&](const auto& ids) { index.stage(*world, ids); });
    run_mixed(trial, world, "mixed.insertions",
              [&](const auto& ids) { index.stage_insertions(*world, ids); });
    run_mixed(trial, world, "mixed.removals", [&](const auto& ids) { index.stage_removals(ids); });
}

// All but every hundredth agent go, and the commit that publishes it is timed beside an update.
void run_removal_task(Trial& trial) {
    Index& index = trial.index();
    OwnWorld world(trial);
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < world->size(); ++id)
        if (id % 100 != 0) ids.push_back(id);
    std::vector<double> all, commits, updates;
    for (int repeat = 0; repeat < trial.repeats(3) + 1; ++repeat) {
        index.update(*world);
        world->step();
        const double update = timed([&] { index.update(*world); });
        const double stage = timed([&] { index.stage_removals(ids); }),
                     commit = timed([&] { index.commit(); });
        if (repeat == 0) continue;
        all.push_back(stage + commit);
        commits.push_back(commit);
        updates.push_back(update);
    }
    index.find_pairs();
    trial.report("removal", median(all), index.pairs());
    trial.report_more("removal.commit", median(commits),
                      {{"update_ms", median(updates)}, {"of_update", median(commits) / median(updates)}});
}

}  // namespace throng::bench
