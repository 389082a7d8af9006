// Folds over lists. Ids are checked some lists at a time, right before their values are read: checking all of
// them first would read them from memory twice.

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "base/blocks.hpp"
#include "beside/folds/values.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// A list costs about as much as three ids, besides its ids.
constexpr std::size_t ids_a_list = 3, least_work = std::size_t{1} << 14;
constexpr std::size_t ids_at_once = 4096;

class ListFolds {
public:
    ListFolds(const Links& links, std::size_t rows, const ViewedSpan<ResultColumn>& results,
              const FoldConfig& config) noexcept
        : links_(links),
          bound_(bound_of_ids(rows)),
          results_(results),
          config_(config),
          lists_(links.offsets().size() - 1) {}

    // Calls f(lists) for some lists at a time, whose ids have values, in blocks with about equal work.
    template <class F>
    Status for_some_lists(const F& f) const noexcept {
        const std::size_t blocks = parallel::blocks_for(config_.executor, work_before(lists_), least_work, 8);
        std::atomic<std::size_t> bad{Status::no_index};
        const parallel::Stop stop(config_.executor);
        const parallel::Ran ran = parallel::for_blocks(config_.executor, blocks, [&](std::size_t b) {
            const auto [begin, end] =
                row_group(lists_, blocks, b, [&](std::size_t list) { return work_before(list); });
            for (std::size_t first = begin, next = 0; first < end; first = next) {
                if (stop.is_wanted()) return;
                next = first + 1;
                while (next < end && begin_of(next + 1) <= begin_of(first) + ids_at_once) ++next;
                const std::size_t odd = first_without_value(begin_of(first), begin_of(next));
                if (odd != begin_of(next)) return parallel::lower(bad, odd);
                f(parallel::Range{first, next});
            }
        });
        const std::size_t lowest = bad.load(std::memory_order_relaxed);
        if (!ran || lowest == Status::no_index) return outcome(stop, outcome(ran));
        return {Code::unknown_id, lowest, Argument::lists};
    }

    // All lists of a block, for columns from number `column` on.
    template <class Operation, class SomeValues, class SomeWeights>
    void fold(const parallel::Range& lists, Operation, const SomeValues& values, const SomeWeights& weights,
              std::size_t column) const noexcept {
        const AgentId* const ids = links_.ids().data();
        for (std::size_t k = lists.begin; k < lists.end; ++k) {
            double folded[SomeValues::width];
            for (double& each : folded) each = Operation::start;
            for (std::size_t e = begin_of(k); e < begin_of(k + 1); ++e)
                for (std::size_t c = 0; c < SomeValues::width; ++c)
                    folded[c] = Operation::with(folded[c], weights.times(values.at(c, ids[e]), e));
            const double total = total_of(k, weights);
            for (std::size_t c = 0; c < SomeValues::width; ++c)
                write(results_[column + c], row_of(k), outcome_of(folded[c], total, config_));
        }
    }
    void count(const parallel::Range& lists) const noexcept {
        for (std::size_t k = lists.begin; k < lists.end; ++k)
            write(results_[0], row_of(k), static_cast<double>(begin_of(k + 1) - begin_of(k)));
    }

private:
    // The first place in [begin, end) of an id without a value, or the end.
    std::size_t first_without_value(std::size_t begin, std::size_t end) const noexcept {
        const AgentId* const ids = links_.ids().data();
        const AgentId bound = bound_;
        if (config_.by == Fold::count) return end;
        unsigned any = 0;
        for (std::size_t e = begin; e < end; ++e) any |= ids[e] >= bound ? 1u : 0u;
        while (any != 0 && ids[begin] < bound) ++begin;
        return any != 0 ? begin : end;
    }
    std::size_t begin_of(std::size_t list) const noexcept {
        return static_cast<std::size_t>(links_.offsets()[list]);
    }
    std::size_t row_of(std::size_t list) const noexcept {
        return links_.places().empty() ? list : links_.places()[list];
    }
    std::size_t work_before(std::size_t list) const noexcept { return begin_of(list) + ids_a_list * list; }
    template <class SomeWeights>
    double total_of(std::size_t list, const SomeWeights& weights) const noexcept {
        if (std::is_same_v<SomeWeights, AllOnes> || config_.by != Fold::mean)
            return static_cast<double>(begin_of(list + 1) - begin_of(list));
        double total = 0;
        for (std::size_t e = begin_of(list); e < begin_of(list + 1); ++e) total += weights.times(1, e);
        return total;
    }

    const Links& links_;
    const AgentId bound_;  // ids with values are below
    const ViewedSpan<ResultColumn>& results_;
    const FoldConfig& config_;
    const std::size_t lists_;
};

}  // namespace

Status fold_lists(const Links& links, std::size_t rows, const ViewedSpan<Column>& values,
                  const ViewedSpan<ResultColumn>& results, const FoldConfig& config) noexcept {
    if (links.offsets().size() < 2) return {};
    const ListFolds folds(links, rows, results, config);
    return folds.for_some_lists([&](const parallel::Range& lists) {
        if (config.by == Fold::count) folds.count(lists);
        with_operation(config, [&](auto operation, const auto& weights) {
            for_each_two(values, [&](const auto& two, std::size_t column) {
                folds.fold(lists, operation, two, weights, column);
            });
        });
    });
}

}  // namespace throng::detail
