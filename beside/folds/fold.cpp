// fold() of queries/folds.hpp: what it refuses, before anything is written.

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/blocks.hpp"
#include "beside/folds/values.hpp"
#include "parallel/blocks.hpp"
#include "throng/queries/folds.hpp"

namespace throng {

using namespace detail;

namespace {

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
    return fold_pairs(links, rows, values, results, config);
}

}  // namespace throng
