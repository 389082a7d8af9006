// PointTree: points in the plane in doubles, which never move. It finds the nearest, all within a distance
// and all pairs, exactly: distances are compared in doubles, however far from the origin the points are and
// however unevenly they lie.
//
//     using namespace throng::structures;
//     PointTree stations;
//     throng::Status status = stations.assign(places);                     // point i has the id i
//     status = stations.nearest(riders, {.count = 3}, distances, ids);     // three for each, nearest first
//     status = stations.find(riders, {.radius = 500}, lists);              // all within 500 of each
//     status = stations.find_pairs(50, Metric::euclidean, pairs);          // every two so near
//
// It is a k-d tree (Bentley 1975): the points are halved along the axis on which they are spread wider, until
// at most sixteen are left, which lie side by side. Each node has the bounds of its points, so a search
// passes by what is too far away, and takes as a whole what is all near enough.
//
//     points     [ 16 ][ 16 ][ 16 ][ 16 ] ...       x, y and id, in the order of the tree
//     bounds     [ of all ][ of each half ][ of each quarter ] ...
//
// A measure of the distance is compared, so that no root is taken: dx * dx + dy * dy, |dx| + |dy|, or the
// larger of |dx| and |dy|, each operation rounded by itself. A point is within a radius if its measure is at
// most that of the radius: radius * radius, or the radius. Nothing is within a radius that is NaN or below
// zero.
//
// Costs: 24 bytes a point and some for the bounds. `assign` is O(n log n), and a search visits the leaves
// that its border crosses. Batches run in parallel on the executor that a call is given, and answer queries
// that are near each other one after the other. Answers are the same for any number of threads.
//
// An engine is many times as fast where all agents move, and where floats tell their places apart.
//
// Threads and failures: as all structures, see spatial_index.hpp. A query that is not finite is refused with
// its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::structures {

struct DoublePoint {
    double x, y;
};

// The distance of two points: as the crow flies, the sum of both differences, or the larger one.
enum class Metric : std::uint8_t { euclidean, manhattan, chebyshev };

// The first `count` points nearer than `below`, nearest first.
struct NearestPoints {
    std::size_t count = 1;
    double below = std::numeric_limits<double>::infinity();
    Metric metric = Metric::euclidean;
};

// All points within a radius: one for all queries, or one for each in `radii`.
struct PointsWithin {
    double radius = 0;
    std::span<const double> radii = {};
    Metric metric = Metric::euclidean;
    bool sorted = false;  // each list by id; else in the order of the tree
};

// The points that each query of a batch found: list q is [offsets[q], offsets[q + 1]) of the ids.
class PointLists {
public:
    explicit PointLists(MemoryResource* memory = nullptr) noexcept : offsets_(memory), ids_(memory) {}
    std::size_t size() const noexcept { return offsets_.size() == 0 ? 0 : offsets_.size() - 1; }
    std::span<const std::int64_t> operator[](std::size_t query) const noexcept {
        return ids().subspan(static_cast<std::size_t>(offsets_[query]),
                             static_cast<std::size_t>(offsets_[query + 1] - offsets_[query]));
    }
    std::span<const std::int64_t> ids() const noexcept { return {ids_.data(), ids_.size()}; }
    std::span<const std::int64_t> offsets() const noexcept { return {offsets_.data(), offsets_.size()}; }

private:
    friend class PointTree;
    friend struct PointPlaces;
    throng::detail::Buffer<std::int64_t> offsets_, ids_;
};

// Two points near each other; the first has the lower id.
struct PointPair {
    std::int64_t first, second;
};

// A query, a point in its list, and the distance between them.
struct PointEntry {
    std::int64_t query, id;
    double distance;
};

// An entry for each id in the lists of these queries. A query's number is in `numbers`; if that is empty, it
// is its place. `around` as in PointTree::assign.
THRONG_API Status list_entries(std::span<const DoublePoint> points, std::span<const DoublePoint> queries,
                               const PointLists& lists, Metric metric, std::span<const std::int64_t> numbers,
                               std::span<PointEntry> entries, const DoublePoint& around = {0, 0}) noexcept;

class PointPairs {
public:
    explicit PointPairs(MemoryResource* memory = nullptr) noexcept : pairs_(memory) {}
    std::span<const PointPair> pairs() const noexcept { return {pairs_.data(), pairs_.size()}; }

private:
    friend class PointTree;
    friend struct PointPlaces;
    throng::detail::Buffer<PointPair> pairs_;
};

namespace detail {

struct PointBounds {
    double min_x, min_y, max_x, max_y;
};

// Where a node was halved: at which coordinate, of x or of y.
struct PointSplit {
    double at;
    bool by_y;
};

// The arrays of a tree, in its order. Level l has 2^l nodes, and its node i has the points [count * i / 2^l,
// count * (i + 1) / 2^l). `nodes` and `splits` begin with an unused entry; then comes the root's.
struct PointArrays {
    const double *x, *y;
    const std::uint32_t* ids;
    const PointBounds* nodes;
    const PointSplit* splits;
    std::size_t count;
    unsigned depth;  // the level of the leaves
};

}  // namespace detail

class THRONG_API PointTree {
public:
    explicit PointTree(MemoryResource* memory = nullptr) noexcept
        : memory_(memory), x_(memory), y_(memory), ids_(memory), nodes_(memory), splits_(memory) {}

    // Replaces all points. If one is not finite, refuses the first such point and keeps the old points.
    // `around` is the distance once around a plane that wraps around, in each direction; zero: it does not.
    // The first point outside [0, around) is refused as `too_large`. Queries may be anywhere, and the shorter
    // way counts.
    Status assign(std::span<const DoublePoint> points, const Executor& executor = serial_executor(),
                  const DoublePoint& around = {0, 0}) noexcept;
    std::size_t size() const noexcept { return count_; }
    std::size_t bytes() const noexcept;

    // Row q of both arrays, `count` numbers long, is that of query q. If there are fewer points, distances
    // are infinite and ids are size().
    Status nearest(std::span<const DoublePoint> queries, const NearestPoints& wanted,
                   std::span<double> distances, std::span<std::int64_t> ids,
                   const Executor& executor = serial_executor()) const noexcept;
    // How many points are within the radius of each query, and which.
    Status count(std::span<const DoublePoint> queries, const PointsWithin& wanted,
                 std::span<std::int64_t> counts, const Executor& executor = serial_executor()) const noexcept;
    Status find(std::span<const DoublePoint> queries, const PointsWithin& wanted, PointLists& lists,
                const Executor& executor = serial_executor()) const noexcept;
    // The same for one query, into the host's memory: as many as there is room for. `total` takes how many
    // there are. If they do not all fit, any of them are written; call again with more room.
    Status find(const DoublePoint& query, const PointsWithin& wanted, std::span<std::int64_t> ids,
                std::size_t& total) const noexcept;
    // Every two points within the radius of each other, once.
    Status find_pairs(double radius, Metric metric, PointPairs& pairs,
                      const Executor& executor = serial_executor()) const noexcept;
    // For each radius, how many pairs of a point here and a point of the other tree are within it. Two nodes
    // that are all within it, or all beyond, are not looked into. The plane is that of this tree: if it wraps
    // around, the first point of the other tree outside of [0, around) is `too_large`.
    Status count_pairs(const PointTree& other, std::span<const double> radii, Metric metric,
                       std::span<std::int64_t> counts,
                       const Executor& executor = serial_executor()) const noexcept;
    // The same with a weight for each point, here and in the other tree. For each radius: the sum of both
    // weights' products over the pairs that are within it, but not within the next smaller radius. Of equal
    // radii the first gets the sum.
    Status sum_pairs(const PointTree& other, std::span<const double> radii, Metric metric,
                     std::span<const double> weights, std::span<const double> other_weights,
                     std::span<double> sums, const Executor& executor = serial_executor()) const noexcept;

private:
    detail::PointArrays arrays() const noexcept {
        return {x_.data(), y_.data(), ids_.data(), nodes_.data(), splits_.data(), count_, depth_};
    }
    struct Entry;
    void place(const Entry* entries) noexcept;

    MemoryResource* memory_;
    throng::detail::Buffer<double> x_, y_;
    throng::detail::Buffer<std::uint32_t> ids_;
    throng::detail::Buffer<detail::PointBounds> nodes_;
    throng::detail::Buffer<detail::PointSplit> splits_;
    std::size_t count_ = 0;
    unsigned depth_ = 0;
    DoublePoint around_{0, 0};
};

}  // namespace throng::structures
