#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/questions.hpp"
#include "bench/micro/registration.hpp"

namespace throng::bench {

namespace {

using Questions = std::vector<simd::Question>;

Questions small_questions(const WorldRows& rows) {
    return questions_from(workload::neighbourhoods(rows.world(), true));
}
Questions large_questions(const WorldRows& rows) {
    return questions_from(workload::large_queries(rows.world()));
}

template <Questions (*questions_for)(const WorldRows&)>
std::size_t find(benchmark::State& state, WorldRows& rows) {
    const Questions questions = questions_for(rows);
    IdBuffer buffer(65536);
    for (auto _ : state)
        for (const simd::Question& question : questions) {
            buffer.clear();
            rows.kernels().find(rows.view(), question, buffer.sink());
        }
    return questions.size();
}

template <Questions (*questions_for)(const WorldRows&)>
std::size_t count(benchmark::State& state, WorldRows& rows) {
    const Questions questions = questions_for(rows);
    for (auto _ : state)
        for (const simd::Question& question : questions)
            benchmark::DoNotOptimize(rows.kernels().count(rows.view(), question));
    return questions.size();
}

std::size_t any(benchmark::State& state, WorldRows& rows) {
    const Questions questions = small_questions(rows);
    for (auto _ : state)
        for (const simd::Question& question : questions)
            benchmark::DoNotOptimize(rows.kernels().any(rows.view(), question));
    return questions.size();
}

std::size_t count_legal(benchmark::State& state, WorldRows& rows) {
    const Questions questions = small_questions(rows);
    for (auto _ : state)
        benchmark::DoNotOptimize(rows.kernels().count_legal(questions.data(), questions.size()));
    return questions.size();
}

std::size_t find_in_order(benchmark::State& state, WorldRows& rows) {
    const Questions questions = small_questions(rows);
    IdBuffer buffer(64 * questions.size());
    std::vector<std::uint64_t> ends(questions.size());
    for (auto _ : state) {
        buffer.clear();
        rows.kernels().find_in_order(rows.view(), questions.data(), questions.size(), buffer.sink(),
                                     ends.data());
    }
    return questions.size();
}

template <auto simd::Kernels::*kernel, class Answer>
std::size_t answering(benchmark::State& state, WorldRows& rows) {
    const Questions questions = small_questions(rows);
    std::vector<Answer> answers(questions.size());
    for (auto _ : state)
        (rows.kernels().*kernel)(rows.view(), questions.data(), questions.size(), answers.data());
    return questions.size();
}

}  // namespace

void register_questions(const simd::Kernels& kernels) {
    add("find, small", kernels, "crowd", micro_agents, find<small_questions>);
    add("find, large", kernels, "crowd", micro_agents, find<large_questions>);
    add("count, small", kernels, "crowd", micro_agents, count<small_questions>);
    add("count, large", kernels, "crowd", micro_agents, count<large_questions>);
    add("any, small", kernels, "crowd", micro_agents, any);
    add("count_legal", kernels, "crowd", micro_agents, count_legal);
    add("find_in_order", kernels, "crowd", micro_agents, find_in_order);
    add("count_in_order", kernels, "crowd", micro_agents,
        answering<&simd::Kernels::count_in_order, std::uint32_t>);
    add("any_in_order", kernels, "crowd", micro_agents,
        answering<&simd::Kernels::any_in_order, std::uint8_t>);
}

}  // namespace throng::bench
