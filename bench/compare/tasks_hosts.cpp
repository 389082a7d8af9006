// Tasks about what a host has: its agents as structs or as points, and a whole frame of it by id. And piles,
// in which all agents stand at one point, and what a host asks for is much less than what is there.
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "bench/common/statistics.hpp"
#include "bench/compare/regime_worlds.hpp"
#include "bench/compare/tasks.hpp"
#include "bench/compare/timing.hpp"

namespace throng::bench {

namespace {

using workload::Checksum;
using workload::World;

World own_world(const Trial& trial) {
    return workload::make(trial.options().scenario, trial.options().agents, trial.options().seed);
}

Checksum sum_of_pairs(Index& index) {
    index.find_pairs();
    return index.pairs();
}

Checksum sum_of_hits(std::span<const CastHit> hits) {
    Checksum sum;
    for (std::size_t i = 0; i < hits.size(); ++i)
        if (hits[i].found()) sum.found(i, hits[i].id, hits[i].fraction);
    return sum;
}

// What a host does that would rather not have its structs read: it copies them into arrays, which the index
// is told of.
void copy(const std::vector<HostAgent>& agents, World& arrays) {
    for (std::size_t i = 0; i < agents.size(); ++i) {
        arrays.x[i] = agents[i].x;
        arrays.y[i] = agents[i].y;
        arrays.hx[i] = agents[i].half_x;
        arrays.hy[i] = agents[i].half_y;
    }
}

}  // namespace

void run_layouts_task(Trial& trial) {
    Index& index = trial.index();
    World world = own_world(trial), arrays = world;
    std::vector<HostAgent> agents;
    std::vector<double> of_arrays, of_structs, of_copies, of_points;
    for (int repeat = 0; repeat < 2 + trial.repeats(9); ++repeat) {
        world.step();
        copy(world, agents);
        const double by_arrays = timed([&] { index.update(world); });
        const double by_structs = timed([&] { index.update_structs(agents); });
        const double by_copies = timed([&] {
            copy(agents, arrays);
            index.update(arrays);
        });
        const double by_points = timed([&] { index.update_points(world, 0.45f); });
        if (repeat < 2) continue;
        of_arrays.push_back(by_arrays);
        of_structs.push_back(by_structs);
        of_copies.push_back(by_copies);
        of_points.push_back(by_points);
    }
    trial.report("layout.points", median(of_points), sum_of_pairs(index));
    index.update_structs(agents);
    trial.report("layout.structs", median(of_structs), sum_of_pairs(index));
    index.update(arrays);
    trial.report("layout.copied", median(of_copies), sum_of_pairs(index));
    index.update(world);
    trial.report("layout.arrays", median(of_arrays), sum_of_pairs(index));
    index.update(trial.world());
}

void run_host_task(Trial& trial) {
    Index& index = trial.index();
    World world = own_world(trial);
    std::vector<HostAgent> agents;
    index.prepare_casts(workload::rays(world, 20'000), 0);
    std::vector<double> frames, updates, pairs, nearest, rays;
    Checksum sum_pairs, sum_nearest, sum_rays;
    for (int repeat = 0; repeat < 2 + trial.repeats(7); ++repeat) {
        world.step();
        copy(world, agents);
        const double update = timed([&] { index.update_structs(agents); });
        const double pair = timed([&] { index.find_pairs(); });
        const double near = timed([&] { index.find_nearest(8, every_category); });
        const double ray = timed([&] { index.find_first_hits(); });
        if (repeat < 2) continue;
        frames.push_back(update + pair + near + ray);
        updates.push_back(update);
        pairs.push_back(pair);
        nearest.push_back(near);
        rays.push_back(ray);
    }
    trial.report("host", median(frames));
    trial.report("host.update", median(updates));
    trial.report("host.pairs", median(pairs), index.pairs());
    trial.report("host.nearest", median(nearest), index.nearest());
    trial.report("host.rays", median(rays), sum_of_hits(index.first_hits()));
    index.update(trial.world());
}

// --- Piles ------------------------------------------------------------------------------------------------

namespace {

World pile(const Trial& trial) {
    World world = own_world(trial);
    for (std::size_t i = 0; i < world.size(); ++i) world.x[i] = world.y[i] = world.side / 2;
    return world;
}

// From a circle around the pile to its other side.
std::vector<workload::Ray> rays_through(const World& world, std::size_t count) {
    workload::Random random(41);
    std::vector<workload::Ray> rays;
    for (std::size_t i = 0; i < count; ++i) {
        const float angle = random.uniform() * 6.2831853f, dx = 8 * std::cos(angle), dy = 8 * std::sin(angle);
        const float middle = world.side / 2, aside = random.uniform(-0.2f, 0.2f);
        rays.push_back({middle - dx + aside, middle - dy - aside, 2 * dx, 2 * dy});
    }
    return rays;
}

template <class Body>
double median_of(Trial& trial, const Body& body) {
    std::vector<double> times;
    body();
    for (int repeat = 0; repeat < trial.repeats(5); ++repeat) times.push_back(timed(body));
    return median(times);
}

// Which of those that a box touches are found is not said, so only their number is compared, and that each is
// there.
Checksum sum_of_a_few(const World& world, std::span<const std::uint32_t> ids,
                      const std::vector<workload::Rect>& queries, std::size_t few) {
    if (ids.size() != queries.size() * few)
        throw std::runtime_error("a visitor was given too few or too many");
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const workload::Rect& q = queries[i / few];
        const std::uint32_t id = ids[i];
        if (!(world.x0(id) <= q.x1 && q.x0 <= world.x1(id) && world.y0(id) <= q.y1 && q.y0 <= world.y1(id)))
            throw std::runtime_error("a visitor was given an agent that its box does not touch");
        for (std::size_t before = i - i % few; before < i; ++before)
            if (ids[before] == id) throw std::runtime_error("a visitor was given an agent twice");
    }
    return {ids.size(), 0};
}

}  // namespace

void run_pile_task(Trial& trial) {
    Index& index = trial.index();
    const World world = pile(trial);
    index.update(world);
    const float middle = world.side / 2;
    constexpr std::size_t few = 8;
    if (index.can(Ability::single_calls) && !index.can(Ability::only_arrays) && world.size() >= few) {
        const std::vector<workload::Rect> queries(200, {middle - 1, middle - 1, middle + 1, middle + 1});
        const double ms = median_of(trial, [&] { index.search_a_few_singly(queries, few); });
        trial.report_serial("pile.few", ms, sum_of_a_few(world, index.searched(), queries, few));
    }
    if (index.can(Ability::single_casts)) {
        index.prepare_casts(rays_through(world, 200), 0);
        const double singly = median_of(trial, [&] { index.find_first_hits_singly(); });
        trial.report_serial("pile.first", singly, sum_of_hits(index.first_hits()));
        const double batch = median_of(trial, [&] { index.find_first_hits(); });
        trial.report("pile.first.batch", batch, sum_of_hits(index.first_hits()));
    }
    index.update(trial.world());
}

void run_pile_neighbours_task(Trial& trial) {
    Index& index = trial.index();
    const World world = pile(trial);
    index.update_places(world);
    const std::vector<Point> points = points_near_agents(world, 200, 42);
    const auto run = [&](const char* task, std::uint32_t count) {
        Checksum sum;
        index.find_nearest_singly(points, count, &sum);
        const double ms = median_of(trial, [&] { index.find_nearest_singly(points, count, nullptr); });
        trial.report_serial(task, ms, sum);
    };
    run("pile.nearest", 1);
    run("pile.nearest8", 8);
    index.update(trial.world());
}

}  // namespace throng::bench
