// Folds over pairs. Each pair has two ends, and each end gets the value of the other. Several threads write,
// and each row must get its values in the order of the pairs. So some pairs at a time are taken, their ends
// are sorted by parts of the rows, and each part has one writer. A part's numbers fit into a cache, so this
// pays on one thread too.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/blocks.hpp"
#include "beside/folds/values.hpp"
#include "parallel/blocks.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

namespace {

constexpr std::size_t pairs_at_once = std::size_t{1} << 14, least_ends = std::size_t{1} << 13;
// To sort takes about as long as to add.
constexpr std::size_t workers_for_sorting = 3;

class PairFolds {
public:
    PairFolds(const Links& links, std::size_t rows, const ViewedSpan<Column>& values,
              const ViewedSpan<ResultColumn>& results, const FoldConfig& config) noexcept
        : pairs_(links.pairs()),
          rows_(rows),
          values_(values),
          results_(results),
          config_(config),
          folded_(config.memory),
          totals_(config.memory),
          counts_(config.memory),
          sorted_(config.memory) {}

    Status run() noexcept {
        if (!make_room()) return {Code::out_of_memory};
        parallel::Ran ran = start();
        for (std::size_t first = 0; ran && first < pairs_.size(); first += at_once_)
            ran = add(first, std::min(at_once_, pairs_.size() - first));
        return outcome(ran ? finish() : ran);
    }

private:
    // One end of a pair, which gets the value of the other.
    struct End {
        AgentId to, from;
        std::size_t pair;
    };

    bool make_room() noexcept {
        const std::size_t width = values_.size() + 1, workers = parallel::workers_of(config_.executor);
        at_once_ = std::min(pairs_at_once * std::min<std::size_t>(workers, 16), pairs_.size());
        blocks_ = parallel::blocks_for(config_.executor, 2 * at_once_, least_ends);
        const std::size_t parts = workers < workers_for_sorting ? 1 : 4 * workers;
        shift_ = static_cast<int>(std::bit_width(rows_ / parts));
        parts_ = rows_ == 0 ? 0 : ((rows_ - 1) >> shift_) + 1;
        if (rows_ > std::numeric_limits<std::size_t>::max() / sizeof(double) / width) return false;
        return folded_.resize_exactly(rows_ * values_.size()) &&
               (config_.by == Fold::sum || totals_.resize_exactly(rows_)) &&
               (parts_ == 1 || (counts_.resize_exactly(blocks_ * parts_ + parts_ + 1) &&
                                sorted_.resize_exactly(2 * at_once_)));
    }

    parallel::Ran start() noexcept {
        double first = 0;
        with_operation(config_, [&](auto operation, const auto&) { first = decltype(operation)::start; });
        return for_rows([&](const parallel::Range& rows) {
            std::fill(folded_.data() + rows.begin * values_.size(),
                      folded_.data() + rows.end * values_.size(), first);
            if (totals_.size() != 0) std::fill(totals_.data() + rows.begin, totals_.data() + rows.end, 0.0);
        });
    }

    // Some pairs, from `first` on. Their ids are one array, with the two of a pair next to each other.
    parallel::Ran add(std::size_t first, std::size_t count) noexcept {
        const AgentId* const ids = &pairs_.data()[first].a;
        const auto end_at = [=](std::size_t i) { return End{ids[i], ids[i ^ 1], first + i / 2}; };
        if (parts_ == 1)
            return parallel::for_blocks(config_.executor, 1,
                                        [&](std::size_t) { add_part(2 * count, end_at); });
        std::uint32_t* const starts = counts_.data() + blocks_ * parts_;
        std::uint32_t* const order = sorted_.data();
        const parallel::Ran ran =
            parallel::bin(config_.executor, 2 * count, parts_, blocks_, counts_.data(), starts, order,
                          [=, shift = shift_](std::size_t i) { return ids[i] >> shift; });
        if (!ran) return ran;
        return parallel::for_blocks(config_.executor, parts_, [&](std::size_t part) {
            const std::uint32_t* const mine = order + starts[part];
            add_part(starts[part + 1] - starts[part], [=](std::size_t i) { return end_at(mine[i]); });
        });
    }
    template <class EndAt>
    void add_part(std::size_t count, const EndAt& end_at) noexcept {
        if (totals_.size() != 0)
            with_weights(config_.by == Fold::mean ? config_.weights : Column(), [&](const auto& weights) {
                for (std::size_t i = 0; i < count; ++i)
                    totals_[end_at(i).to] += weights.times(1, end_at(i).pair);
            });
        with_operation(config_, [&](auto operation, const auto& weights) {
            for_each_two(values_, [&](const auto& two, std::size_t column) {
                add_values(count, end_at, operation, two, weights, column);
            });
        });
    }
    template <class EndAt, class Operation, class SomeValues, class SomeWeights>
    void add_values(std::size_t count, const EndAt& end_at, Operation, const SomeValues& values,
                    const SomeWeights& weights, std::size_t column) noexcept {
        double* const folded = folded_.data() + column;
        const std::size_t width = values_.size();
        for (std::size_t i = 0; i < count; ++i) {
            const End end = end_at(i);
            double* const row = folded + end.to * width;
            for (std::size_t c = 0; c < SomeValues::width; ++c)
                row[c] = Operation::with(row[c], weights.times(values.at(c, end.from), end.pair));
        }
    }

    parallel::Ran finish() noexcept {
        return for_rows([&](const parallel::Range& rows) {
            for (std::size_t row = rows.begin; row < rows.end; ++row)
                for (std::size_t c = 0; c < results_.size(); ++c) {
                    const double total = totals_.size() == 0 ? 0 : totals_[row];
                    const double folded = values_.empty() ? 0 : folded_[row * values_.size() + c];
                    write(results_[c], row, outcome_of(folded, total, config_));
                }
        });
    }

    template <class F>
    parallel::Ran for_rows(const F& f) noexcept {
        return parallel::for_ranges(config_.executor, rows_, least_ends, f);
    }
    const ViewedSpan<Pair> pairs_;
    const std::size_t rows_;
    const ViewedSpan<Column>& values_;
    const ViewedSpan<ResultColumn>& results_;
    const FoldConfig& config_;
    std::size_t at_once_ = 0, blocks_ = 0, parts_ = 0;
    int shift_ = 0;          // from a row to its part
    Buffer<double> folded_;  // row by row
    Buffer<double> totals_;  // unless there are sums alone
    Buffer<std::uint32_t> counts_, sorted_;
};

}  // namespace

Status fold_pairs(const Links& links, std::size_t rows, const ViewedSpan<Column>& values,
                  const ViewedSpan<ResultColumn>& results, const FoldConfig& config) noexcept {
    return PairFolds(links, rows, values, results, config).run();
}

}  // namespace throng::detail
