// What a throng_cluster is, and how C's structs become C++'s.
#pragma once

#include <mpi.h>

#include <optional>

#include "throng/cluster.hpp"
#include "throng/executor.hpp"
#include "throng_cluster.h"

struct throng_cluster {
    std::optional<throng::LimitedThreads> threads;  // before the engine that runs on them
    std::optional<throng::cluster::ClusterEngine> engine;
    throng::cluster::PairList pairs;
    throng::detail::Buffer<throng::cluster::ClusterPair> read_pairs;  // where C wants their ids
    throng::cluster::Lists lists;
    throng::cluster::RankReports reports;
};

namespace throng::cluster::c {

throng_cluster_status status_of(const ClusterStatus& status) noexcept;

// Of this rank, which the cluster adds.
inline ClusterStatus refusal(Code code, Argument argument = {}) noexcept {
    ClusterStatus status;
    status.trouble = Trouble::refused;
    status.status = Status(code, argument);
    return status;
}
inline throng_cluster_status refused(Code code, Argument argument = {}) noexcept {
    return status_of(refusal(code, argument));
}

// Makes a call with the engine of a handle, which may be NULL.
template <class Handle, class Call>
throng_cluster_status with(Handle* handle, const Call& call) noexcept {
    return handle == nullptr ? refused(Code::null_view) : call(*handle, *handle->engine);
}
inline std::span<const Band> bands_of(const float* bands, std::uint64_t count) noexcept {
    return {reinterpret_cast<const Band*>(bands), static_cast<std::size_t>(count)};
}

// The filter of a call. It lives as long as the filters that it gives.
class FilterOf {
public:
    explicit FilterOf(const throng_cluster_filter* filter) noexcept {
        if (filter == nullptr) return;
        one_.categories = filter->categories;
        one_.not_in_group = filter->not_in_group;
        if (filter->heights != nullptr) bands_ = bands_of(filter->heights, filter->heights_count);
        is_of_each_ = filter->heights != nullptr && bands_.size() != 1;
        if (bands_.size() == 1) one_.heights = bands_[0];
    }
    // Where one band for each query is none, it is refused, as a filter with a `self` is.
    Filter one() const noexcept {
        Filter filter = one_;
        if (is_of_each_) filter.self = 0;
        return filter;
    }
    Filters all() const noexcept {
        if (!is_of_each_) return one_;
        return Filters::strided(&one_.categories, 0, bands_.data(), sizeof(Band), bands_.size());
    }

private:
    Filter one_;
    std::span<const Band> bands_;
    bool is_of_each_ = false;
};

inline std::span<const GlobalId> selves_of(const std::uint64_t* selves, std::uint64_t count) noexcept {
    return selves == nullptr ? std::span<const GlobalId>() : std::span<const GlobalId>(selves, count);
}

inline std::span<const ClusterPair> pairs_of(const throng_cluster_pair* pairs, std::uint64_t count) noexcept {
    return {reinterpret_cast<const ClusterPair*>(pairs), static_cast<std::size_t>(count)};
}
inline Boxes boxes_of(const float* boxes, std::uint64_t count) noexcept {
    return Boxes::of(std::span<const Box>(reinterpret_cast<const Box*>(boxes), count));
}

// What was listed, or nothing where the call failed.
throng_cluster_status give(const throng_cluster& cluster, const ClusterStatus& status,
                           throng_cluster_lists* lists) noexcept;

}  // namespace throng::cluster::c
