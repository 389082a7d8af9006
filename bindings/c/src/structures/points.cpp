// Trees of points in doubles, and what they find.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "bindings/c/src/cancelling.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/structures/points.hpp"

using namespace throng;
using namespace throng::c_api;

namespace throng::c_api {

Status read_options(const throng_point_options* given, PointOptions& options) noexcept {
    if (const Status status = read(given, options.given, Argument::options, true); !status) return status;
    if (options.given.metric > THRONG_CHEBYSHEV) return {Code::bad_config, Argument::options};
    if (options.given.radii == nullptr && options.given.radius_count != 0)
        return {Code::null_view, Argument::radii};
    options.metric = static_cast<structures::Metric>(options.given.metric);
    return {};
}

Status check_queries(const PointOptions& options, const throng_double_point* queries,
                     std::uint64_t query_count) noexcept {
    if (options.given.radii != nullptr && options.given.radius_count != query_count)
        return {Code::size_mismatch, Argument::radii};
    return check_array(queries, query_count, Argument::queries);
}

template <>
throng_point_options defaults() noexcept {
    throng_point_options options{};
    options.size = sizeof options;
    options.count = 1;
    options.radius = std::numeric_limits<double>::infinity();
    return options;
}

}  // namespace throng::c_api

namespace {

template <class Object>
int32_t create_for_points(const throng_engine* engine, Object** to, throng_status_details* details) noexcept {
    if (to == nullptr) return report(details, {null_pointer, Argument::output});
    *to = make<Object>(engine == nullptr ? nullptr : engine->host);
    return report(details, *to == nullptr ? Status{Code::out_of_memory} : Status{});
}

// For a call on one tree, which is checked first.
Status read_options(const throng_point_tree* tree, const throng_point_options* given,
                    PointOptions& options) noexcept {
    if (const Status status = needs(tree, handle); !status) return status;
    if (const Status status = read_options(given, options); !status) return status;
    if (options.given.serial != 0)
        options.executor = cancellable(serial_executor());
    else if (tree->host != nullptr)
        options.executor = tree->host->executor();
    else
        options.executor = cancellable(default_executor());
    return {};
}

// And for so many queries.
Status read_options(const throng_point_tree* tree, const throng_point_options* given,
                    const throng_double_point* queries, std::uint64_t query_count,
                    PointOptions& options) noexcept {
    const Status status = read_options(tree, given, options);
    return status ? check_queries(options, queries, query_count) : status;
}

}  // namespace

int32_t throng_init_point_options(throng_point_options* options, uint32_t size) {
    return init(options, size);
}

int32_t throng_point_tree_create(const throng_engine* engine, throng_point_tree** tree,
                                 throng_status_details* details) {
    return create_for_points(engine, tree, details);
}
void throng_point_tree_destroy(throng_point_tree* tree) { destroy(tree); }

int32_t throng_point_tree_assign(throng_point_tree* tree, const throng_point_options* given,
                                 const throng_double_point* points, uint64_t point_count,
                                 throng_status_details* details) {
    PointOptions options;
    const Status status =
        first_fault(read_options(tree, given, options), check_array(points, point_count, Argument::boxes));
    if (!status) return report(details, status);
    return report(details, tree->tree.assign(span_of(points, point_count), options.executor,
                                             {options.given.around_x, options.given.around_y}));
}

uint64_t throng_point_tree_size(const throng_point_tree* tree) {
    return tree == nullptr ? 0 : tree->tree.size();
}
uint64_t throng_point_tree_bytes(const throng_point_tree* tree) {
    return tree == nullptr ? 0 : tree->tree.bytes();
}

int32_t throng_point_tree_nearest(const throng_point_tree* tree, const throng_point_options* given,
                                  const throng_double_point* queries, uint64_t query_count, double* distances,
                                  int64_t* ids, uint64_t room, throng_status_details* details) {
    PointOptions options;
    const Status status = first_fault(read_options(tree, given, queries, query_count, options),
                                      check_output(distances, room), check_output(ids, room));
    if (!status) return report(details, status);
    return report(details,
                  tree->tree.nearest(span_of(queries, query_count), options.nearest(),
                                     span_of(distances, room), span_of(ids, room), options.executor));
}

int32_t throng_point_tree_count(const throng_point_tree* tree, const throng_point_options* given,
                                const throng_double_point* queries, uint64_t query_count, int64_t* counts,
                                uint64_t room, throng_status_details* details) {
    PointOptions options;
    const Status status =
        first_fault(read_options(tree, given, queries, query_count, options), check_output(counts, room));
    if (!status || (options.given.radii != nullptr && query_count == 0)) return report(details, status);
    return report(details, tree->tree.count(span_of(queries, query_count), options.within(),
                                            span_of(counts, room), options.executor));
}

int32_t throng_point_tree_find(const throng_point_tree* tree, const throng_point_options* given,
                               const throng_double_point* queries, uint64_t query_count,
                               throng_point_lists* lists, throng_status_details* details) {
    PointOptions options;
    const Status status =
        first_fault(read_options(tree, given, queries, query_count, options), needs(lists, Argument::output));
    if (!status) return report(details, status);
    return report(details, tree->tree.find(span_of(queries, query_count), options.within(), lists->lists,
                                           options.executor));
}

int32_t throng_point_tree_find_one(const throng_point_tree* tree, const throng_point_options* given,
                                   const throng_double_point* query, int64_t* ids, uint64_t room,
                                   uint64_t* total, throng_status_details* details) {
    PointOptions options;
    const Status status = first_fault(read_options(tree, given, query, 1, options), check_output(ids, room));
    if (!status) return report(details, status);
    std::size_t found = 0;
    const Status done =
        tree->tree.find(span_of(query, 1).front(), options.within(), span_of(ids, room), found);
    if (total != nullptr) *total = found;
    return report(details, done);
}

int32_t throng_point_tree_find_pairs(const throng_point_tree* tree, const throng_point_options* given,
                                     throng_point_pairs* pairs, throng_status_details* details) {
    PointOptions options;
    const Status status = first_fault(read_options(tree, given, options), needs(pairs, Argument::output));
    if (!status) return report(details, status);
    return report(
        details, tree->tree.find_pairs(options.given.radius, options.metric, pairs->pairs, options.executor));
}

int32_t throng_point_tree_count_pairs(const throng_point_tree* tree, const throng_point_tree* other,
                                      const throng_point_options* given, const double* radii,
                                      uint64_t radius_count, int64_t* counts, uint64_t room,
                                      throng_status_details* details) {
    PointOptions options;
    const Status status =
        first_fault(read_options(tree, given, options), needs(other, handle),
                    check_array(radii, radius_count, Argument::radii), check_output(counts, room));
    if (!status) return report(details, status);
    return report(details, tree->tree.count_pairs(other->tree, span_of(radii, radius_count), options.metric,
                                                  span_of(counts, room), options.executor));
}

int32_t throng_point_tree_sum_pairs(const throng_point_tree* tree, const throng_point_tree* other,
                                    const throng_point_options* given, const double* radii,
                                    uint64_t radius_count, const double* weights, uint64_t weight_count,
                                    const double* other_weights, uint64_t other_weight_count, double* sums,
                                    uint64_t room, throng_status_details* details) {
    PointOptions options;
    const Status status = first_fault(
        read_options(tree, given, options), needs(other, handle),
        check_array(radii, radius_count, Argument::radii), check_array(weights, weight_count, Argument::any),
        check_array(other_weights, other_weight_count, Argument::any), check_output(sums, room));
    if (!status) return report(details, status);
    return report(details, tree->tree.sum_pairs(other->tree, span_of(radii, radius_count), options.metric,
                                                span_of(weights, weight_count),
                                                span_of(other_weights, other_weight_count),
                                                span_of(sums, room), options.executor));
}

int32_t throng_point_lists_create(const throng_engine* engine, throng_point_lists** lists,
                                  throng_status_details* details) {
    return create_for_points(engine, lists, details);
}
void throng_point_lists_destroy(throng_point_lists* lists) { destroy(lists); }
const int64_t* throng_point_lists_offsets(const throng_point_lists* lists, uint64_t* count) {
    const std::span<const int64_t> all =
        lists == nullptr ? std::span<const int64_t>() : lists->lists.offsets();
    if (count != nullptr) *count = all.size();
    return all.data();
}
const int64_t* throng_point_lists_ids(const throng_point_lists* lists, uint64_t* count) {
    const std::span<const int64_t> all = lists == nullptr ? std::span<const int64_t>() : lists->lists.ids();
    if (count != nullptr) *count = all.size();
    return all.data();
}

int32_t throng_point_lists_entries(const throng_point_lists* lists, const throng_point_options* given,
                                   const throng_double_point* points, uint64_t point_count,
                                   const throng_double_point* queries, const int64_t* numbers,
                                   uint64_t query_count, throng_point_entry* entries, uint64_t room,
                                   throng_status_details* details) {
    PointOptions options;
    Status status = needs(lists, handle);
    if (status) status = read_options(given, options);
    if (status)
        status =
            first_fault(check_array(points, point_count, Argument::boxes),
                        check_array(queries, query_count, Argument::queries), check_output(entries, room));
    if (!status) return report(details, status);
    return report(details, structures::list_entries(
                               span_of(points, point_count), span_of(queries, query_count), lists->lists,
                               options.metric, span_of(numbers, numbers == nullptr ? 0 : query_count),
                               span_of(reinterpret_cast<structures::PointEntry*>(entries), room),
                               {options.given.around_x, options.given.around_y}));
}

int32_t throng_point_pairs_create(const throng_engine* engine, throng_point_pairs** pairs,
                                  throng_status_details* details) {
    return create_for_points(engine, pairs, details);
}
void throng_point_pairs_destroy(throng_point_pairs* pairs) { destroy(pairs); }
const throng_point_pair* throng_point_pairs_get(const throng_point_pairs* pairs, uint64_t* count) {
    const auto all = pairs == nullptr ? std::span<const structures::PointPair>() : pairs->pairs.pairs();
    if (count != nullptr) *count = all.size();
    return reinterpret_cast<const throng_point_pair*>(all.data());
}
