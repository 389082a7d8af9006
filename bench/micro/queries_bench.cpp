#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/queries.hpp"
#include "bench/micro/registration.hpp"
#include "simd/query_kernels.hpp"

namespace throng::bench {

namespace {

using Queries = std::vector<simd::Query>;

Queries small_queries(const WorldRows& rows) {
    return queries_from(workload::neighbourhoods(rows.world(), true));
}
Queries large_queries(const WorldRows& rows) { return queries_from(workload::large_queries(rows.world())); }

template <Queries (*queries_for)(const WorldRows&)>
std::size_t find(benchmark::State& state, WorldRows& rows) {
    const Queries queries = queries_for(rows);
    IdBuffer buffer(65536);
    for (auto _ : state)
        for (const simd::Query& query : queries) {
            buffer.clear();
            rows.kernels().queries->find(rows.view(), query, buffer.sink());
        }
    return queries.size();
}

template <Queries (*queries_for)(const WorldRows&)>
std::size_t count(benchmark::State& state, WorldRows& rows) {
    const Queries queries = queries_for(rows);
    for (auto _ : state)
        for (const simd::Query& query : queries)
            benchmark::DoNotOptimize(rows.kernels().queries->count(rows.view(), query));
    return queries.size();
}

std::size_t any(benchmark::State& state, WorldRows& rows) {
    const Queries queries = small_queries(rows);
    for (auto _ : state)
        for (const simd::Query& query : queries)
            benchmark::DoNotOptimize(rows.kernels().queries->any(rows.view(), query));
    return queries.size();
}

std::size_t count_legal(benchmark::State& state, WorldRows& rows) {
    const Queries queries = small_queries(rows);
    for (auto _ : state)
        benchmark::DoNotOptimize(rows.kernels().queries->count_legal(queries.data(), queries.size()));
    return queries.size();
}

std::size_t find_in_order(benchmark::State& state, WorldRows& rows) {
    const Queries queries = small_queries(rows);
    IdBuffer buffer(64 * queries.size());
    std::vector<std::uint64_t> ends(queries.size());
    for (auto _ : state) {
        buffer.clear();
        rows.kernels().queries->find_in_order(rows.view(), {}, queries.data(), queries.size(), buffer.sink(),
                                              ends.data());
    }
    return queries.size();
}

template <auto simd::QueryKernels::*kernel, class Answer>
std::size_t answering(benchmark::State& state, WorldRows& rows) {
    const Queries queries = small_queries(rows);
    std::vector<Answer> answers(queries.size());
    for (auto _ : state)
        (rows.kernels().queries->*kernel)(rows.view(), {}, queries.data(), queries.size(), answers.data());
    return queries.size();
}

}  // namespace

void register_queries(const simd::Kernels& kernels) {
    add("find, small", kernels, "crowd", micro_agents, find<small_queries>);
    add("find, large", kernels, "crowd", micro_agents, find<large_queries>);
    add("count, small", kernels, "crowd", micro_agents, count<small_queries>);
    add("count, large", kernels, "crowd", micro_agents, count<large_queries>);
    add("any, small", kernels, "crowd", micro_agents, any);
    add("count_legal", kernels, "crowd", micro_agents, count_legal);
    add("find_in_order", kernels, "crowd", micro_agents, find_in_order);
    add("count_in_order", kernels, "crowd", micro_agents,
        answering<&simd::QueryKernels::count_in_order, std::uint32_t>);
    add("any_in_order", kernels, "crowd", micro_agents,
        answering<&simd::QueryKernels::any_in_order, std::uint8_t>);
}

}  // namespace throng::bench
