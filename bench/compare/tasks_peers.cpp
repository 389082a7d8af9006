// Tasks of the comparison with other libraries: work with bringing the index up to date included, and the
// worlds that a doubter would choose.
#include <algorithm>
#include <vector>

#include "bench/common/statistics.hpp"
#include "bench/compare/heap.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

namespace {

// Of frames that all move the world first, the median; their first one is not counted, since results grow to
// size in it.
template <class Frame>
double median_of_frames(Trial& trial, workload::World& world, Frame&& frame) {
    std::vector<double> times;
    for (int step = 0; step <= trial.repeats(5); ++step) {
        world.step();
        const double ms = trial.tiny() ? timed_often([&](unsigned) { frame(); }) : timed(frame);
        if (step > 0) times.push_back(ms);
    }
    return median(times);
}

// The agents as they were at first, so that an answer does not depend on how many tasks ran before. They are
// moved as a copy, and the index has the trial's own again afterwards.
class WorldOfItsOwn {
public:
    explicit WorldOfItsOwn(Trial& trial)
        : trial_(trial),
          world_(workload::make(trial.options().scenario, trial.options().agents, trial.options().seed)) {}
    ~WorldOfItsOwn() {
        if (!trial_.index().can(Ability::only_places)) trial_.index().update(trial_.world());
    }
    WorldOfItsOwn(const WorldOfItsOwn&) = delete;
    WorldOfItsOwn& operator=(const WorldOfItsOwn&) = delete;
    workload::World& operator*() { return world_; }

private:
    Trial& trial_;
    workload::World world_;
};

// What a pedestrian simulation copies of each neighbour.
struct Pedestrian {
    std::uint32_t id;
    float x, y, vx, vy;
};

// One agent in a hundred, anywhere.
std::vector<std::uint32_t> movers(std::size_t agents) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t i = 0; i < agents; ++i)
        if (workload::mix(i) % 100 == 0) ids.push_back(i);
    return ids;
}

void step_some(workload::World& w, std::span<const std::uint32_t> ids) {
    for (const std::uint32_t i : ids) {
        w.x[i] = std::clamp(w.x[i] + w.vx[i], 0.0f, w.side);
        w.y[i] = std::clamp(w.y[i] + w.vy[i], 0.0f, w.side);
    }
}

constexpr float reach_of_joins = 200;

// One of so many agents asks, others in every tick.
void make_tick(const workload::World& w, unsigned tick, unsigned share,
               std::vector<workload::Rect>& queries) {
    queries.clear();
    for (std::size_t i = tick % share; i < w.size(); i += share)
        queries.push_back({w.x[i] - reach_of_joins, w.y[i] - reach_of_joins, w.x[i] + reach_of_joins,
                           w.y[i] + reach_of_joins});
}

}  // namespace

void run_first_task(Trial& trial) { trial.report_more("first", trial.first_frame(), {}); }

void run_heap_task(Trial& trial) {
    if (!counts_heap_calls()) return;
    constexpr int frames = 5;
    WorldOfItsOwn own(trial);
    Index& index = trial.index();
    std::uint64_t calls = 0;
    // Results grow to size in the first, which is not counted.
    for (int frame = 0; frame <= frames; ++frame) {
        (*own).step();
        const HeapCalls counted;
        if (index.can(Ability::only_places)) {
            index.update_places(*own);
            index.find_within(2, false, every_category);
        } else {
            index.update(*own);
            index.find_pairs();
        }
        if (frame > 0) calls += counted.count();
    }
    trial.report_more("heap", 0, {{"calls", static_cast<double>(calls) / frames}});
}

void run_boxes_frame_task(Trial& trial) {
    WorldOfItsOwn own(trial);
    workload::World& world = *own;
    std::vector<workload::Rect> queries;
    std::vector<double> times;
    for (int step = 0; step <= trial.repeats(5); ++step) {
        world.step();
        queries = workload::neighbourhoods(world, false);
        const auto frame = [&] {
            trial.index().update(world);
            trial.index().answer(queries);
        };
        const double ms = trial.tiny() ? timed_often([&](unsigned) { frame(); }) : timed(frame);
        if (step > 0) times.push_back(ms);
    }
    trial.report("T2.frame", median(times), trial.index().answers());
}

void run_within_frame_task(Trial& trial) {
    WorldOfItsOwn own(trial);
    const double ms = median_of_frames(trial, *own, [&] {
        trial.index().update_places(*own);
        trial.index().find_within(2, false, every_category);
    });
    trial.report("T2r.frame", ms, trial.index().within(false));
}

void run_nearest_frame_task(Trial& trial) {
    WorldOfItsOwn own(trial);
    const double ms = median_of_frames(trial, *own, [&] {
        trial.index().update_places(*own);
        trial.index().find_nearest(8, every_category);
    });
    trial.report("knn.frame", ms, trial.index().nearest());
}

void run_walk_task(Trial& trial) {
    WorldOfItsOwn own(trial);
    const workload::World& w = *own;
    std::vector<Pedestrian> copies;
    // What a model would do with the copies is not measured; the sum keeps them from being left out.
    float sum = 0;
    const double ms = median_of_frames(trial, *own, [&] {
        trial.index().update_places(w);
        trial.index().find_within(3, false, every_category);
        for (std::uint32_t i = 0; i < w.size(); ++i) {
            copies.clear();
            for (const std::uint32_t id : trial.index().list_of(i))
                copies.push_back({id, w.x[id], w.y[id], w.vx[id], w.vy[id]});
            if (!copies.empty()) sum += copies.back().x;
        }
    });
    workload::Checksum answers = trial.index().within(false);
    if (sum < 0) ++answers.count;
    trial.report("walk", ms, answers);
}

void run_some_task(Trial& trial) {
    WorldOfItsOwn own(trial);
    Index& index = trial.index();
    workload::World& world = *own;
    const std::vector<std::uint32_t> ids = movers(world.size());
    index.update(world);
    index.find_pairs();
    std::vector<double> times;
    for (int step = 0; step <= trial.repeats(9); ++step) {
        step_some(world, ids);
        const double ms = timed([&] {
            if (index.can(Ability::edits) && !ids.empty()) {
                index.stage(world, ids);
                index.commit();
            } else {
                index.update(world);
            }
            index.find_pairs();
        });
        if (step > 0) times.push_back(ms);
    }
    trial.report("some", median(times), index.pairs());
}

void run_still_task(Trial& trial) {
    WorldOfItsOwn own(trial);
    const workload::World& w = *own;
    Index& index = trial.index();
    index.update(w);
    std::vector<workload::Rect> queries;
    for (std::size_t k = 0; k < 1000; ++k) {
        const std::size_t i = workload::mix(k) % w.size();
        queries.push_back({w.x[i] - 2, w.y[i] - 2, w.x[i] + 2, w.y[i] + 2});
    }
    workload::Checksum sum;
    for (const workload::Rect& query : queries) {
        index.search(query);
        for (const std::uint32_t id : index.searched()) sum.hit(id);
    }
    const double ms = timed_often([&](unsigned) {
        for (const workload::Rect& query : queries) index.search(query);
    });
    trial.report_serial("still", ms, sum);
}

namespace {

void run_ticks(Trial& trial, const char* task, unsigned share) {
    WorldOfItsOwn own(trial);
    workload::World& world = *own;
    std::vector<workload::Rect> queries;
    std::vector<double> times;
    for (int tick = 0; tick <= trial.repeats(9); ++tick) {
        world.step();
        make_tick(world, static_cast<unsigned>(tick), share, queries);
        const double ms = timed([&] {
            trial.index().update(world);
            trial.index().answer(queries);
        });
        if (tick > 0) times.push_back(ms);
    }
    trial.report(task, median(times), trial.index().answers());
}

}  // namespace

void run_ticks_task(Trial& trial) {
    run_ticks(trial, "ticks", 2);
    run_ticks(trial, "ticks.tenth", 10);
}

}  // namespace throng::bench
