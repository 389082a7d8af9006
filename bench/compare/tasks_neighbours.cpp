// Tasks about neighbours. They are those of the centres that the world gives, so the agents are handed over
// as places without an extent; only T9 is about boxes.
#include <cstdint>
#include <vector>

#include "bench/common/statistics.hpp"
#include "bench/compare/labelled_world.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

namespace {

constexpr float radius = 2;
constexpr std::uint32_t nearest = 8, one_category = 1;

// The world as places, with labels or without, for as long as this lives. What knows no boxes stays so.
class PlacedWorld {
public:
    PlacedWorld(Trial& trial, bool labelled) : trial_(trial) {
        // All are of the first category, and some of another too, so there are labels indeed.
        std::vector<std::uint32_t> categories(trial.world().size(), one_category);
        for (std::size_t i = 0; i < categories.size(); i += 10) categories[i] |= 2;
        if (labelled)
            trial.index().update_labelled_places(trial.world(), categories);
        else
            trial.index().update_places(trial.world());
    }
    ~PlacedWorld() {
        if (!trial_.index().can(Ability::only_places)) trial_.index().update(trial_.world());
    }
    PlacedWorld(const PlacedWorld&) = delete;
    PlacedWorld& operator=(const PlacedWorld&) = delete;

private:
    Trial& trial_;
};

template <class Body>
double median_of(Trial& trial, Body&& body) {
    std::vector<double> times;
    // A first run, in which results grow to size, is not counted.
    body();
    for (int repeat = 0; repeat < trial.repeats(5); ++repeat) times.push_back(timed(body));
    return median(times);
}

void run_within(Trial& trial, const char* task, bool half, bool labelled) {
    const PlacedWorld placed(trial, labelled);
    const double ms = median_of(
        trial, [&] { trial.index().find_within(radius, half, labelled ? one_category : every_category); });
    trial.report(task, ms, trial.index().within(half));
}

void run_nearest(Trial& trial, const char* task, bool labelled) {
    const PlacedWorld placed(trial, labelled);
    const double ms = median_of(
        trial, [&] { trial.index().find_nearest(nearest, labelled ? one_category : every_category); });
    trial.report(task, ms, trial.index().nearest());
}

void run_touched(Trial& trial, const char* task, const Filter& filter) {
    const double ms = median_of(trial, [&] { trial.index().count_touched(radius, filter); });
    trial.report(task, ms, trial.index().touched());
}

}  // namespace

void run_within_task(Trial& trial) { run_within(trial, "T2r", false, false); }
void run_half_within_task(Trial& trial) { run_within(trial, "T2r.half", true, false); }
void run_filtered_within_task(Trial& trial) { run_within(trial, "T2r.filter", false, true); }
// The mean over frames of lists with a skin, and beside it the same of lists that are made in each frame, in
// turns.
void run_kept_task(Trial& trial) {
    constexpr float skin = 0.5f;
    Index& index = trial.index();
    workload::World world =
        workload::make(trial.options().scenario, trial.options().agents, trial.options().seed);
    double kept = 0, made = 0, rebuilt = 0;
    const int warm = 3, frames = trial.repeats(100);
    for (int step = 0; step < warm + frames; ++step) {
        world.step();
        index.update_places(world);
        const double without = timed([&] { index.find_within(radius, false, every_category); });
        bool again = false;
        const double with = timed([&] { again = index.find_kept(radius, skin); });
        if (step < warm) continue;
        made += without;
        kept += with;
        rebuilt += again;
    }
    index.update(trial.world());
    trial.report_more("T2r.kept", kept / frames, {{"of_made", kept / made}, {"rebuilt", rebuilt / frames}});
}
void run_nearest_task(Trial& trial) { run_nearest(trial, "knn", false); }
void run_filtered_nearest_task(Trial& trial) { run_nearest(trial, "knn.filter", true); }
void run_touched_task(Trial& trial) { run_touched(trial, "T9", {}); }
void run_filtered_touched_task(Trial& trial) { run_touched(trial, "T9.filter", without_no_agent); }
void run_labelled_touched_task(Trial& trial) {
    const LabelledWorld labelled(trial);
    run_touched(trial, "T9.labels", of_common_category);
}

}  // namespace throng::bench
