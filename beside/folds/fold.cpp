// fold() of queries/folds.hpp: the host's numbers as it reads and writes them, and what it does with each;
// what it refuses before anything is written, folds over lists, and over pairs.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/blocks.hpp"
#include "parallel/blocks.hpp"
#include "throng/memory.hpp"
#include "throng/queries/folds.hpp"

namespace throng {

using namespace detail;

namespace {

// Columns of one type and stride, `width` of them, which are read together.
template <class Number, std::size_t width_>
struct Values {
    static constexpr std::size_t width = width_;

    const char* first[width];
    std::size_t stride;

    double at(std::size_t column, std::size_t id) const noexcept {
        return double{read_as<Number>(first[column] + id * stride)};
    }
};

// A weight for each entry: for each id of the lists, or each pair.
struct AllOnes {
    double times(double value, std::size_t) const noexcept { return value; }
};
template <class Number>
struct TypedWeights {
    const char* first;
    std::size_t stride;

    double times(double value, std::size_t entry) const noexcept {
        return value * double{read_as<Number>(first + entry * stride)};
    }
};

// The values so far, and one more.
struct Sum {
    static constexpr double start = 0;
    static double with(double sum, double value) noexcept { return sum + value; }
};
// A NaN stays. It is tested apart, so that the comparison is an instruction instead of a branch.
struct Least {
    static constexpr double start = std::numeric_limits<double>::infinity();
    static double with(double least, double value) noexcept {
        if (value != value) [[unlikely]]
            return value;
        return value < least ? value : least;
    }
};
struct Greatest {
    static constexpr double start = -std::numeric_limits<double>::infinity();
    static double with(double greatest, double value) noexcept {
        if (value != value) [[unlikely]]
            return value;
        return value > greatest ? value : greatest;
    }
};

// Calls f(Values, number of the first column) for all columns, two at once if they have one type and one
// stride: each id is then read once for both.
template <class F>
void for_each_two(const ViewedSpan<Column>& columns, const F& f) noexcept {
    const auto place = [&](std::size_t c) { return static_cast<const char*>(columns[c].data()); };
    const auto call = [&]<class Number>(Number, std::size_t c, bool two) {
        if (two)
            f(Values<Number, 2>{{place(c), place(c + 1)}, columns[c].stride()}, c);
        else
            f(Values<Number, 1>{{place(c)}, columns[c].stride()}, c);
    };
    for (std::size_t c = 0, width = 1; c < columns.size(); c += width) {
        const bool two = c + 1 < columns.size() && columns[c].stride() == columns[c + 1].stride() &&
                         columns[c].is_double() == columns[c + 1].is_double();
        width = two ? 2 : 1;
        if (columns[c].is_double())
            call(0.0, c, two);
        else
            call(0.0f, c, two);
    }
}

template <class F>
void with_weights(const Column& weights, const F& f) noexcept {
    const auto* first = static_cast<const char*>(weights.data());
    if (first == nullptr)
        f(AllOnes{});
    else if (weights.is_double())
        f(TypedWeights<double>{first, weights.stride()});
    else
        f(TypedWeights<float>{first, weights.stride()});
}

// Calls f(Operation, Weights) for what is wanted.
template <class F>
void with_operation(const FoldConfig& config, const F& f) noexcept {
    switch (config.by) {
    case Fold::sum:
    case Fold::mean: with_weights(config.weights, [&](const auto& weights) { f(Sum{}, weights); }); break;
    case Fold::least: f(Least{}, AllOnes{}); break;
    case Fold::greatest: f(Greatest{}, AllOnes{}); break;
    case Fold::count: break;
    }
}

void write(const ResultColumn& to, std::size_t row, double number) noexcept {
    char* const place = static_cast<char*>(to.data()) + row * to.stride();
    const float rounded = static_cast<float>(number);
    if (to.is_double())
        std::memcpy(place, &number, sizeof number);
    else
        std::memcpy(place, &rounded, sizeof rounded);
}

// The host's result for folded values. `total` is the sum of the weights, or the number of values.
double outcome_of(double folded, double total, const FoldConfig& config) noexcept {
    switch (config.by) {
    case Fold::sum: return folded;
    case Fold::mean: return total == 0 ? config.empty : folded / total;
    case Fold::count: return total;
    case Fold::least:
    case Fold::greatest: break;
    }
    return total == 0 ? config.empty : folded;
}

// Ids with a value are below. None is `no_agent`, however many rows there are.
AgentId bound_of_ids(std::size_t rows) noexcept {
    return rows < no_agent ? static_cast<AgentId>(rows) : no_agent;
}

// --- What is refused ---------------------------------------------------------------------------------------

constexpr std::size_t ids_in_a_block = std::size_t{1} << 15;

// The lowest number below `count` that is_bad(). Each block is tested as a whole first, without a branch.
template <class IsBad>
Status find_bad(const FoldConfig& config, std::size_t count, Status of_it, const IsBad& is_bad) noexcept {
    std::atomic<std::size_t> lowest{Status::no_index};
    const parallel::Ran ran =
        parallel::for_ranges(config.executor, count, ids_in_a_block, [&](const parallel::Range& part) {
            unsigned any = 0;
            for (std::size_t i = part.begin; i < part.end; ++i) any |= is_bad(i) ? 1u : 0u;
            for (std::size_t i = part.begin; any != 0; ++i)
                if (is_bad(i)) {
                    parallel::lower(lowest, i);
                    break;
                }
        });
    of_it.index = lowest.load(std::memory_order_relaxed);
    if (!ran || of_it.index == Status::no_index) return outcome(ran);
    return of_it;
}

template <class Columns>
Status check_columns(const Columns& columns, Argument which) noexcept {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::size_t bytes = columns[c].is_double() ? sizeof(double) : sizeof(float);
        if (columns[c].size() == 0) continue;
        if (columns[c].data() == nullptr) return {Code::null_view, c, which};
        if (columns[c].size() > 1 && columns[c].stride() < bytes) return {Code::bad_stride, c, which};
    }
    return {};
}
// How many rows all columns have. Without columns: as many as there may be.
template <class Columns>
std::size_t rows_of(const Columns& columns) noexcept {
    std::size_t rows = Status::no_index;
    for (std::size_t c = 0; c < columns.size(); ++c) rows = std::min(rows, columns[c].size());
    return rows;
}

Status check_config(const FoldConfig& config, std::size_t entries) noexcept {
    if (!parallel::has_what_it_names(config.executor)) return {Code::bad_config, Argument::executor};
    if (config.by > Fold::count) return {Code::bad_config, Argument::options};
    const Column& weights = config.weights;
    if (weights.data() == nullptr && weights.size() == 0) return {};
    if (config.by != Fold::sum && config.by != Fold::mean) return {Code::bad_config, Argument::weights};
    if (weights.size() != entries) return {Code::size_mismatch, Argument::weights};
    Status status = check_columns(ViewedSpan<Column>(&weights, 1), Argument::weights);
    status.index = Status::no_index;
    return status;
}

Status check_lists(const Links& links, std::size_t rows, const FoldConfig& config) noexcept {
    const auto& offsets = links.offsets();
    const auto& places = links.places();
    if (offsets.data() == nullptr && !offsets.empty()) return {Code::null_view, Argument::lists};
    if (links.ids().data() == nullptr && !links.ids().empty()) return {Code::null_view, Argument::lists};
    if (places.data() == nullptr && !places.empty()) return {Code::null_view, Argument::lists};
    const std::size_t lists = offsets.empty() ? 0 : offsets.size() - 1;
    if (!places.empty() && places.size() != lists) return {Code::size_mismatch, Argument::lists};
    if (lists == 0) return {};
    const std::uint64_t end = links.ids().size();
    const auto runs_back = [&](std::size_t k) { return offsets[k] > offsets[k + 1] || offsets[k + 1] > end; };
    if (const Status bad = find_bad(config, lists, {Code::size_mismatch, Argument::lists}, runs_back); !bad)
        return bad;
    if (places.empty()) return {rows < lists ? Code::size_mismatch : Code::ok, Argument::output};
    return find_bad(config, lists, {Code::size_mismatch, Argument::output},
                    [&](std::size_t k) { return places[k] >= rows; });
}

// Ids of pairs are read as one array.
Status check_pairs(const Links& links, std::size_t rows, const FoldConfig& config) noexcept {
    static_assert(sizeof(Pair) == 2 * sizeof(AgentId));
    const auto* const ids = reinterpret_cast<const AgentId*>(links.pairs().data());
    if (ids == nullptr && !links.pairs().empty()) return {Code::null_view, Argument::lists};
    const AgentId bound = bound_of_ids(rows);
    return find_bad(config, 2 * links.pairs().size(), {Code::unknown_id, Argument::lists},
                    [&](std::size_t e) { return ids[e] >= bound; });
}

// --- Lists -------------------------------------------------------------------------------------------------

// Ids are checked some lists at a time, right before their values are read: checking all of them first would
// read them from memory twice.

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

// --- Pairs -------------------------------------------------------------------------------------------------

// Each pair has two ends, and each end gets the value of the other. Several threads write, and each row must
// get its values in the order of the pairs. So some pairs at a time are taken, their ends are sorted by parts
// of the rows, and each part has one writer. A part's numbers fit into a cache, so this pays on one thread
// too.

constexpr std::size_t pairs_at_once = std::size_t{1} << 14, least_ends = std::size_t{1} << 13;
// To sort takes about as long as to add.
constexpr std::size_t workers_for_sorting = 3;

class PairFolds {
public:
    PairFolds(const Links& links, std::size_t rows, const ViewedSpan<Column>& values,
              const ViewedSpan<ResultColumn>& results, const FoldConfig& config) noexcept
        : pairs_(links.pairs()), rows_(rows), values_(values), results_(results), config_(config) {}

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
    int shift_ = 0;                          // from a row to its part
    Buffer<double> folded_{config_.memory};  // row by row
    Buffer<double> totals_{config_.memory};  // unless there are sums alone
    Buffer<std::uint32_t> counts_{config_.memory}, sorted_{config_.memory};
};

}  // namespace

Links::Links(const NeighbourLists& of) noexcept : Links(lists(of.offsets(), of.ids(), of.agents())) {}
Links::Links(const OverlapLists& of) noexcept : Links(lists(of.offsets(), of.ids())) {}
Links::Links(const OverlapsAsFound& of) noexcept : Links(lists(of.offsets(), of.ids(), of.queries())) {}

Status fold(const Links& links, ViewedSpan<Column> values, ViewedSpan<ResultColumn> results,
            const FoldConfig& config) noexcept {
    const std::size_t entries = links.are_pairs() ? links.pairs().size() : links.ids().size();
    if (const Status bad = check_config(config, entries); !bad) return bad;
    const bool counts = config.by == Fold::count;
    if (values.empty() != counts) return {Code::size_mismatch, Argument::values};
    if (results.size() != (counts ? 1 : values.size())) return {Code::size_mismatch, Argument::output};
    if (values.data() == nullptr && !values.empty()) return {Code::null_view, Argument::values};
    if (results.data() == nullptr) return {Code::null_view, Argument::output};
    if (const Status bad = check_columns(values, Argument::values); !bad) return bad;
    if (const Status bad = check_columns(results, Argument::output); !bad) return bad;
    const std::size_t room = rows_of(results), rows = counts ? room : rows_of(values);
    if (!links.are_pairs()) {
        if (const Status bad = check_lists(links, room, config); !bad) return bad;
        return fold_lists(links, rows, values, results, config);
    }
    if (room < rows) return {Code::size_mismatch, Argument::output};
    if (const Status bad = check_pairs(links, rows, config); !bad) return bad;
    return PairFolds(links, rows, values, results, config).run();
}

}  // namespace throng
