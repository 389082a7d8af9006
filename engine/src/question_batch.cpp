#include "engine/src/question_batch.hpp"

namespace throng::detail {

double QuestionBatch::expected_candidates(const FrameState& frame) const noexcept {
    const simd::Grid& g = frame.view.grid;
    const std::size_t looked_at = std::min<std::size_t>(count_, 64);
    const double agents_in_a_cell = static_cast<double>(frame.agents) / (double(g.columns) * g.rows);
    double candidates = 0;
    for (std::size_t i = 0; i < looked_at; ++i) {
        const simd::Question& q = questions_[count_ / looked_at * i];
        if (check(Box{q.min_x, q.min_y, q.max_x, q.max_y}) != Code::ok) continue;
        const double columns = double(column_at(g, q.max_x)) - column_at(g, q.min_x - frame.view.reach_x) + 1;
        const double rows = double(row_at(g, q.max_y)) - row_at(g, q.min_y - frame.view.reach_y) + 1;
        candidates += columns * rows * agents_in_a_cell;
    }
    return 1 + (looked_at == 0 ? 0 : candidates / static_cast<double>(looked_at));
}

bool QuestionBatch::is_coherent(const FrameState& frame) const noexcept {
    constexpr std::size_t runs = 32, run = 16;
    constexpr std::int64_t near_columns = 32;
    const simd::Grid& g = frame.view.grid;
    if (count_ < runs * run) return true;  // too few to gain anything
    std::size_t jumps = 0;
    for (std::size_t r = 0; r < runs; ++r) {
        const simd::Question* q = questions_ + (count_ - run) / (runs - 1) * r;
        for (std::size_t i = 1; i < run; ++i) {
            const auto rows = static_cast<std::int64_t>(row_at(g, q[i].min_y)) - row_at(g, q[i - 1].min_y);
            const auto columns =
                static_cast<std::int64_t>(column_at(g, q[i].min_x)) - column_at(g, q[i - 1].min_x);
            jumps += rows < -1 || rows > 1 || columns < -near_columns || columns > near_columns;
        }
    }
    return jumps * 8 <= runs * run;
}

}  // namespace throng::detail
