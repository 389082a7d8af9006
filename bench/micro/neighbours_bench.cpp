#include <algorithm>
#include <limits>

#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/registration.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::bench {

namespace {

// The lists of all agents in cells, row by row, their ids counted and then dropped.
std::size_t around(benchmark::State& state, WorldRows& rows, const simd::NeighbourQuery& query) {
    constexpr std::uint32_t some = 1024;
    constexpr std::size_t room = 1 << 16;
    std::vector<float> x(some + simd::gap), y(some + simd::gap), distances(room);
    std::vector<std::uint32_t> ids(room);
    std::vector<std::uint64_t> ends(some);
    simd::ListSink sink{.begin = ids.data(),
                        .at = ids.data(),
                        .limit = ids.data() + (room - simd::list_slack),
                        .distances = query.distances ? distances.data() : nullptr,
                        .headers = 0,
                        .full = [](simd::ListSink& full) { full.at = full.begin; },
                        .context = nullptr,
                        .stopped = false};
    simd::NeighbourOutput output{.sinks = &sink,
                                 .shift = 32,
                                 .headers = false,
                                 .ends = ends.data(),
                                 .counts = nullptr,
                                 .guess = 1.0f / rows.view().grid.inverse_height,
                                 .searches = 0,
                                 .compared = 0};
    const simd::NeighbourKernels& kernels = *rows.kernels().neighbours;
    for (auto _ : state)
        for (std::uint32_t r = 0; r < rows.view().grid.rows; ++r) {
            const simd::Row& row = rows.view().rows[r];
            const auto* id = reinterpret_cast<const std::uint32_t*>(row.data + std::size_t{4} * row.stride);
            for (std::uint32_t first = 0; first < row.count; first += some) {
                const std::uint32_t count = std::min(some, row.count - first);
                kernels.centres_in_row(row, first, count, x.data(), y.data());
                kernels.around(rows.view(), {}, {x.data(), y.data(), id + first, id + first, count}, query,
                               output);
                sink.at = sink.begin;
            }
        }
    return rows.agents();
}

std::size_t within(benchmark::State& state, WorldRows& rows) {
    return around(state, rows,
                  {.radius = 2, .radii = nullptr, .max_count = 0, .half = false, .distances = false});
}
template <std::uint32_t most>
std::size_t nearest(benchmark::State& state, WorldRows& rows) {
    return around(state, rows,
                  {.radius = std::numeric_limits<float>::infinity(),
                   .radii = nullptr,
                   .max_count = most,
                   .half = false,
                   .distances = true});
}

}  // namespace

void register_neighbours(const simd::Kernels& kernels) {
    add("around, within", kernels, "crowd", micro_agents, within);
    add("around, nearest", kernels, "crowd", micro_agents, nearest<8>);
    add("around, 32 nearest", kernels, "crowd", micro_agents, nearest<32>);
}

}  // namespace throng::bench
