#include <algorithm>
#include <bit>
#include <numeric>

#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/questions.hpp"
#include "bench/micro/registration.hpp"

namespace throng::bench {

namespace {

// One small question per agent in random order, and the order of their cells.
struct Packet {
    std::vector<simd::Question> questions;
    std::vector<std::uint16_t> keys;
    std::vector<std::uint32_t> order;
    std::uint32_t group_bits, shift;

    explicit Packet(const WorldRows& rows)
        : questions(questions_from(workload::neighbourhoods(rows.world(), false))),
          keys(questions.size()),
          order(questions.size()) {
        // A key has sixteen bits: what the rows leave is for columns, as finely as that allows.
        const simd::Grid& grid = rows.view().grid;
        const auto bits = [](std::uint32_t n) { return static_cast<std::uint32_t>(std::bit_width(n)); };
        group_bits = std::min(16 - bits(grid.rows), bits(grid.columns));
        shift = bits(grid.columns) - group_bits;
        sort_by_key(rows);
    }
    void sort_by_key(const WorldRows& rows) {
        rows.kernels().keys(rows.view().grid, questions.data(), questions.size(), group_bits, shift,
                            keys.data());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    }
};

std::size_t keys(benchmark::State& state, WorldRows& rows) {
    Packet p(rows);
    for (auto _ : state)
        rows.kernels().keys(rows.view().grid, p.questions.data(), p.questions.size(), p.group_bits, p.shift,
                            p.keys.data());
    return p.questions.size();
}

std::size_t find_packet(benchmark::State& state, WorldRows& rows) {
    const Packet p(rows);
    IdBuffer buffer(32 * p.questions.size());
    std::vector<std::uint64_t> ends(p.questions.size());
    for (auto _ : state) {
        buffer.clear();
        rows.kernels().find_packet(rows.view(), p.questions.data(), p.order.data(), p.order.size(),
                                   buffer.sink(), ends.data());
    }
    return p.questions.size();
}

std::size_t count_packet(benchmark::State& state, WorldRows& rows) {
    const Packet p(rows);
    std::vector<std::uint32_t> answers(p.questions.size());
    for (auto _ : state)
        rows.kernels().count_packet(rows.view(), p.questions.data(), p.order.data(), p.order.size(),
                                    answers.data());
    return p.questions.size();
}

std::size_t any_packet(benchmark::State& state, WorldRows& rows) {
    const Packet p(rows);
    std::vector<std::uint8_t> answers(p.questions.size());
    for (auto _ : state)
        rows.kernels().any_packet(rows.view(), p.questions.data(), p.order.data(), p.order.size(),
                                  answers.data());
    return p.questions.size();
}

}  // namespace

void register_packets(const simd::Kernels& kernels) {
    add("keys", kernels, "crowd", micro_agents, keys);
    add("find_packet", kernels, "crowd", micro_agents, find_packet);
    add("count_packet", kernels, "crowd", micro_agents, count_packet);
    add("any_packet", kernels, "crowd", micro_agents, any_packet);
}

}  // namespace throng::bench
