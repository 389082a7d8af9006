#include "cluster/c/src/handle.hpp"

namespace throng::cluster::c {

namespace {

static_assert(static_cast<int>(Number::int64) == THRONG_CLUSTER_INT64 &&
              static_cast<int>(Number::float64) == THRONG_CLUSTER_FLOAT64);

// Values that are NULL or of no kind have no numbers, which the cluster refuses on all ranks.
Values values_of(const throng_cluster_values* from) noexcept {
    if (from == nullptr) return Values(nullptr, 1, Number::bytes, 0);
    const bool is_kind = from->kind >= THRONG_CLUSTER_BYTES && from->kind <= THRONG_CLUSTER_INT64;
    return Values(from->values, static_cast<std::size_t>(from->count),
                  is_kind ? static_cast<Number>(from->kind) : Number::bytes,
                  is_kind ? static_cast<std::size_t>(from->numbers) : 0);
}

throng_cluster_status sum(throng_cluster* handle, const SomePairs& pairs, const void* to_a, const void* to_b,
                          const throng_cluster_values* sums) noexcept {
    return with(handle, [&](throng_cluster&, ClusterEngine& engine) {
        const Values to = values_of(sums);
        const ConstValues of_a(to_a, pairs.size(), to.number(), to.numbers());
        const ConstValues of_b(to_b, to_b == nullptr ? 0 : pairs.size(), to.number(), to.numbers());
        return engine.sum_pairs(pairs, of_a, of_b, to);
    });
}

}  // namespace

}  // namespace throng::cluster::c

using throng::cluster::ClusterEngine;
using namespace throng::cluster::c;  // NOLINT(google-build-using-namespace): these are its calls

extern "C" {

uint64_t throng_cluster_places(const throng_cluster* handle) { return handle->engine.places(); }

throng_cluster_status throng_cluster_forward(throng_cluster* handle, const throng_cluster_values* values) {
    return with(handle,
                [&](throng_cluster&, ClusterEngine& engine) { return engine.forward(values_of(values)); });
}

throng_cluster_status throng_cluster_reverse(throng_cluster* handle, const throng_cluster_values* values) {
    return with(handle,
                [&](throng_cluster&, ClusterEngine& engine) { return engine.reverse(values_of(values)); });
}

throng_cluster_status throng_cluster_sum_pairs(throng_cluster* handle, const throng_cluster_pair* pairs,
                                               uint64_t count, const void* to_a, const void* to_b,
                                               const throng_cluster_values* sums) {
    return sum(handle, std::span(reinterpret_cast<const throng::cluster::ClusterPair*>(pairs), count), to_a,
               to_b, sums);
}

throng_cluster_status throng_cluster_sum_pair_places(throng_cluster* handle, const throng_pair* places,
                                                     uint64_t count, const void* to_a, const void* to_b,
                                                     const throng_cluster_values* sums) {
    return sum(handle, std::span(reinterpret_cast<const throng::Pair*>(places), count), to_a, to_b, sums);
}

}  // extern "C"
