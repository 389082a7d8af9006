#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/registration.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::bench {

namespace {

// Room for some pairs, which is emptied when it is full: what counts is finding them.
class PairBuffer {
public:
    PairBuffer() : pairs_(capacity + simd::pair_slack) {
        sink_ = {.at = pairs_.data(), .limit = pairs_.data() + capacity, .full = &empty, .context = this};
    }
    simd::PairSink& sink() { return sink_; }

private:
    static constexpr std::size_t capacity = 65536;

    static void empty(simd::PairSink& sink) {
        sink.at = static_cast<PairBuffer*>(sink.context)->pairs_.data();
    }

    std::vector<simd::Pair> pairs_;
    simd::PairSink sink_{};
};

std::size_t common_pairs(benchmark::State& state, WorldRows& rows) {
    PairBuffer buffer;
    std::vector<std::uint32_t> edge(rows.agents() + simd::gap);
    simd::PairScratch scratch{rows.kernels().in_row, edge.data(), nullptr, nullptr};
    const simd::View& view = rows.view();
    for (auto _ : state)
        for (std::uint32_t r = 0; r < view.grid.rows; ++r)
            rows.kernels().pairs->boxes(view, r, {}, scratch, buffer.sink());
    return rows.agents();
}

std::size_t oversized_pairs(benchmark::State& state, WorldRows& rows) {
    PairBuffer buffer;
    const simd::View& view = rows.view();
    for (auto _ : state) rows.kernels().pairs->oversized(view, 0, view.oversized.count, {}, buffer.sink());
    return view.oversized.count;
}

}  // namespace

void register_pairs(const simd::Kernels& kernels) {
    add("row_pairs", kernels, "crowd", micro_agents, common_pairs);
    add("row_pairs, crowded cells", kernels, "clustered", micro_agents, common_pairs);
    add("oversized_pairs", kernels, "mixed", micro_agents, oversized_pairs);
}

}  // namespace throng::bench
