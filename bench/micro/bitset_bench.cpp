// Walking a sparse set of 16 million: a HierarchicalBitset from element to element, against a plain bitset of
// which every word is looked at. The set does not depend on any instruction set.
#include <benchmark/benchmark.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "base/bits/hierarchical_bitset.hpp"
#include "bench/micro/kernel_benches.hpp"

namespace throng::bench {

namespace {

constexpr std::size_t bits = std::size_t{1} << 24;

std::vector<std::size_t> some_indices(std::int64_t count) {
    std::mt19937_64 random(5);
    std::vector<std::size_t> indices(static_cast<std::size_t>(count));
    for (std::size_t& i : indices) i = random() % bits;
    return indices;
}

void walk_hierarchical(benchmark::State& state) {
    HierarchicalBitset set;
    if (!set.resize(bits)) return state.SkipWithError("out of memory");
    for (const std::size_t i : some_indices(state.range(0))) set.set(i);
    for (auto _ : state) {
        std::size_t sum = 0;
        for (std::size_t i = set.first(); i != set.npos; i = set.find_next(i + 1)) sum += i;
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(set.count()));
}

void visit_hierarchical(benchmark::State& state) {
    HierarchicalBitset set;
    if (!set.resize(bits)) return state.SkipWithError("out of memory");
    for (const std::size_t i : some_indices(state.range(0))) set.set(i);
    for (auto _ : state) {
        std::size_t sum = 0;
        set.for_each([&](std::size_t i) { sum += i; });
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(set.count()));
}

void walk_words(benchmark::State& state) {
    std::vector<std::uint64_t> words(bits / 64);
    for (const std::size_t i : some_indices(state.range(0))) words[i / 64] |= std::uint64_t{1} << (i % 64);
    std::size_t count = 0;
    for (auto _ : state) {
        std::size_t sum = 0;
        count = 0;
        for (std::size_t w = 0; w < words.size(); ++w)
            for (std::uint64_t left = words[w]; left != 0; left &= left - 1, ++count)
                sum += w * 64 + static_cast<std::size_t>(std::countr_zero(left));
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

}  // namespace

void register_bitsets() {
    for (const std::int64_t count : {10, 1000, 100'000, 10'000'000}) {
        benchmark::RegisterBenchmark("bitset, find_next", walk_hierarchical)->Arg(count);
        benchmark::RegisterBenchmark("bitset, for_each", visit_hierarchical)->Arg(count);
        benchmark::RegisterBenchmark("bitset, word by word", walk_words)->Arg(count);
    }
}

}  // namespace throng::bench
