#include <algorithm>
#include <numeric>
#include <utility>

#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/registration.hpp"
#include "simd/cast_kernels.hpp"

namespace throng::bench {

namespace {

struct SortedCasts {
    std::vector<simd::CastQuery> casts;
    std::vector<std::uint32_t> order;  // by rows of the grid, as a batch has it

    SortedCasts(const WorldRows& rows, const std::vector<workload::Ray>& rays, float half, float radius)
        : order(rays.size()) {
        for (const workload::Ray& ray : rays)
            casts.push_back(
                {{ray.x - half, ray.y - half, ray.x + half, ray.y + half}, ray.dx, ray.dy, radius});
        std::iota(order.begin(), order.end(), 0u);
        const float scale = rows.view().grid.inverse_height;
        const auto place = [&](std::uint32_t n) {
            return std::pair(static_cast<int>(rays[n].y * scale), rays[n].x);
        };
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
    }
};

// In waves, or `at_a_time` so few that each is searched alone.
std::size_t first_hits(benchmark::State& state, WorldRows& rows, const SortedCasts& sorted,
                       std::size_t at_a_time) {
    std::vector<simd::CastHit> hits(sorted.casts.size());
    for (auto _ : state)
        for (std::size_t i = 0; i < hits.size(); i += at_a_time)
            rows.kernels().casts->first(
                rows.view(), {},
                {sorted.casts.data(), sizeof(simd::CastQuery), sorted.order.data() + i, 0,
                 std::min(at_a_time, hits.size() - i), false, false},
                hits.data());
    return hits.size();
}
std::size_t cast_rays(benchmark::State& state, WorldRows& rows) {
    return first_hits(state, rows, {rows, workload::rays(rows.world()), 0, 0}, micro_agents);
}
std::size_t cast_rays_alone(benchmark::State& state, WorldRows& rows) {
    return first_hits(state, rows, {rows, workload::rays(rows.world()), 0, 0}, 1);
}
std::size_t cast_boxes(benchmark::State& state, WorldRows& rows) {
    return first_hits(state, rows, {rows, workload::moves(rows.world()), workload::moving_half, 0},
                      micro_agents);
}
std::size_t cast_circles(benchmark::State& state, WorldRows& rows) {
    return first_hits(state, rows, {rows, workload::moves(rows.world()), 0, workload::moving_half},
                      micro_agents);
}
std::size_t cast_blocked(benchmark::State& state, WorldRows& rows) {
    const SortedCasts sorted(rows, workload::rays(rows.world()), 0, 0);
    std::vector<std::uint8_t> answers(sorted.casts.size());
    for (auto _ : state)
        rows.kernels().casts->blocked(rows.view(), {},
                                      {sorted.casts.data(), sizeof(simd::CastQuery), sorted.order.data(), 0,
                                       answers.size(), false, false},
                                      answers.data());
    return answers.size();
}

}  // namespace

void register_casts(const simd::Kernels& kernels) {
    add("casts, rays", kernels, "crowd", micro_agents, cast_rays);
    add("casts, rays one by one", kernels, "crowd", micro_agents, cast_rays_alone);
    add("casts, boxes", kernels, "crowd", micro_agents, cast_boxes);
    add("casts, circles", kernels, "crowd", micro_agents, cast_circles);
    add("casts, blocked", kernels, "crowd", micro_agents, cast_blocked);
}

}  // namespace throng::bench
