// Folds: the sum, mean, least or greatest of the values of all agents in a list, or their number. For each
// list of a result, or for each agent over all of its pairs.
//
//     std::vector<float> vx, vy;                                      // the host's: of agent i at i
//     status = frame.neighbours({.radius = 2}, lists);
//     status = throng::fold(lists, {vx, vy}, {sum_x, sum_y});         // of all neighbours of each agent
//     status = throng::fold(lists, {vx, vy}, {mean_x, mean_y}, {.by = throng::Fold::mean});
//     status = throng::fold(lists, {vx}, {pull}, {.weights = weights});    // a weight for each id in lists
//     status = throng::fold(lists, {}, {crowd}, {.by = throng::Fold::count});
//     status = throng::fold(pairs, {mass}, {near_mass});              // of all that it is paired with
//     status = throng::fold(lists, {throng::Column::member(agents, &Agent::vx)}, {sum_x});
//
// Lists are lists of neighbours, the overlaps of a batch, or the host's own arrays (`Links`). The result of
// list i goes to row i of the results. For lists in row order it goes to the row of the agent, and for lists
// as found to the row of the query. So the order of the lists does not matter. Further rows stay as they are.
//
// Over pairs, each agent gets the values of all that it is paired with. Every row of the values has a result,
// with or without pairs; for a count, every row of the results.
//
// Values and results are columns of floats or doubles, which may be mixed. A call takes one column or
// several. Columns that lie next to each other in the host's structs are read together, which is fastest.
//
// Arithmetic is in double, value by value in the order of a list or of the pairs, as a plain loop would do
// it. A float is rounded once, at the end. The same bits come out on any number of threads, any instruction
// set and any executor. A weight multiplies the value; least and greatest take no weights. A mean with
// weights is the sum of the products over the sum of the weights.
//
// The sum of nothing is 0. The mean, least and greatest of nothing, and a mean with weights that sum to 0,
// are `empty`: NaN unless the host says otherwise. A NaN among the values makes the result NaN.
//
// An id without a row in a column is `unknown_id`. The index is its place among the ids of all lists; for
// pairs, `a` has twice the place of the pair, and `b` one more. Ids of lists are checked right before they
// are used, so some results may have been written by then, but nothing is read or written out of bounds. All
// other faults, and ids of pairs, are refused before anything is written.
//
// Two things the host must see to, since checking them would cost as much as the fold: no place comes twice,
// and results do not overlap values, weights or other results. If it fails to, results are undefined numbers,
// and several threads may write one at once. Any thread may call this at any time.
//
// For differences, such as the sum of v[j] - v[i] over the neighbours j of i, compute sum - count * v[i].
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/members.hpp"

namespace throng {

enum class Fold : std::uint8_t { sum, mean, least, greatest, count };

// What is read, and what is written: views of the host's numbers.
using Column = detail::AnyColumn<false>;
using ResultColumn = detail::AnyColumn<true>;

// Which agents go together: a view of lists of ids, or of pairs.
class Links {
public:
    // Of results of the library.
    THRONG_API Links(const NeighbourLists& lists) noexcept;   // NOLINT(google-explicit-constructor)
    THRONG_API Links(const OverlapLists& lists) noexcept;     // NOLINT(google-explicit-constructor)
    THRONG_API Links(const OverlapsAsFound& lists) noexcept;  // NOLINT(google-explicit-constructor)
    Links(const PairList& list) noexcept                      // NOLINT(google-explicit-constructor)
        : Links(pairs({list.begin(), list.size()})) {}

    // The host's arrays. List k is [offsets[k] .. offsets[k + 1]) of the ids; its result goes to row
    // places[k], or without places to row k. No place may come twice; this is not checked.
    static Links lists(detail::ViewedSpan<std::uint64_t> offsets, detail::ViewedSpan<AgentId> ids,
                       detail::ViewedSpan<std::uint32_t> places = {}) noexcept {
        Links links;
        links.offsets_ = offsets;
        links.ids_ = ids;
        links.places_ = places;
        return links;
    }
    static Links pairs(detail::ViewedSpan<Pair> pairs) noexcept {
        Links links;
        links.pairs_ = pairs;
        links.are_pairs_ = true;
        return links;
    }

    bool are_pairs() const noexcept { return are_pairs_; }
    const detail::ViewedSpan<std::uint64_t>& offsets() const noexcept { return offsets_; }
    const detail::ViewedSpan<AgentId>& ids() const noexcept { return ids_; }
    const detail::ViewedSpan<std::uint32_t>& places() const noexcept { return places_; }
    const detail::ViewedSpan<Pair>& pairs() const noexcept { return pairs_; }

private:
    Links() = default;

    detail::ViewedSpan<std::uint64_t> offsets_;
    detail::ViewedSpan<AgentId> ids_;
    detail::ViewedSpan<std::uint32_t> places_;
    detail::ViewedSpan<Pair> pairs_;
    bool are_pairs_ = false;
};

struct FoldConfig {
    Fold by = Fold::sum;
    // One for each id of the lists, in their order, or for each pair. By default all are 1.
    Column weights = {};
    // The mean, least or greatest of nothing.
    double empty = std::numeric_limits<double>::quiet_NaN();
    Executor executor = default_executor();
    // The source of memory during a call over pairs; lists need none. Null is the global heap.
    MemoryResource* memory = nullptr;
};

// As many results as values; a count takes no values and has one result.
THRONG_API Status fold(const Links& links, detail::ViewedSpan<Column> values,
                       detail::ViewedSpan<ResultColumn> results, const FoldConfig& config = {}) noexcept;
inline Status fold(const Links& links, std::initializer_list<Column> values,
                   std::initializer_list<ResultColumn> results, const FoldConfig& config = {}) noexcept {
    return fold(links, detail::ViewedSpan<Column>(values.begin(), values.size()),
                detail::ViewedSpan<ResultColumn>(results.begin(), results.size()), config);
}

}  // namespace throng
