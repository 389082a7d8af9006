// neighbours of queries/without_engine.hpp. A pass over the boxes lists those that overlap a box around each
// point, and of these lists stays what is near enough. Of the nearest, the distance of the last one is at
// most that of the last one in a sample of all boxes: so a point looks no further than that. Where so much is
// as near that lists of it would be long, a few points are compared with every box at once.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "base/outcome.hpp"
#include "base/sample.hpp"
#include "beside/arrays/asked_arrays.hpp"
#include "beside/arrays/box_pass.hpp"
#include "beside/arrays/point_distances.hpp"
#include "beside/arrays/query_index.hpp"
#include "beside/arrays/sorted_lists.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "parallel/blocks.hpp"

namespace throng {

using namespace detail;

namespace {

// For the nearest: a larger sample takes longer to take and to look at, and leaves fewer boxes to choose
// from. A box to choose takes as long as thirty looks, and one to take as long as twenty. If the looks alone
// take longer than an engine, there is one.
constexpr double looks_to_choose = 30, looks_to_take = 20;
constexpr std::size_t smallest_sample = 512, fewest_looks = 65536, looks_a_box = 2;
constexpr std::size_t points_in_a_block = 8;
// Where points would list more than this part of the boxes, and comparing them with all does not take as long
// as an engine, nor as much memory as this many answers.
constexpr double large_part_near = 1.0 / 2;
constexpr std::size_t few_looks = 4096, few_points = 64, most_room = std::size_t{1} << 26;

class PointLists {
public:
    PointLists(const Boxes& boxes, const Points& points, const Neighbourhood& wanted, NeighbourLists& lists,
               const ArrayQueryConfig& config) noexcept
        : boxes_(boxes),
          box_at_(boxes),
          points_(points),
          wanted_(wanted),
          config_(config),
          memory_(config.memory),
          offsets_(ListParts::offsets(lists)),
          ids_(ListParts::ids(lists)),
          distances_(wanted.distances ? ListParts::distances(lists) : own_distances_) {}

    // Whether there are enough points to make an engine at once.
    bool are_for_an_engine() const noexcept {
        const std::size_t looks = points_.size() * sample();
        return wanted_.is_nearest && looks > fewest_looks && looks > looks_a_box * boxes_.size();
    }
    // Sets `engine_is_faster` instead, if an engine would take less time.
    Status make(const simd::Kernels& kernels, bool& engine_is_faster) noexcept;
    // Puts lists of a frame into the order of ids.
    Status sort() noexcept;

private:
    std::size_t sample() const noexcept {
        const auto points = static_cast<double>(points_.size()), boxes = static_cast<double>(boxes_.size());
        const double wanted =
            std::sqrt(looks_to_choose * boxes * wanted_.max_count * points / (points + looks_to_take));
        return std::min(std::max(smallest_sample, static_cast<std::size_t>(wanted)), boxes_.size());
    }
    Status find_limits() noexcept;
    float nearest_of_sample(const Point& point, float limit) const noexcept;
    Status compare_all() noexcept;
    void compare(const parallel::Range& points, std::size_t room, Buffer<std::size_t>& lengths) noexcept;
    std::size_t take_near(std::size_t list, std::span<const float> distances, std::size_t first,
                          std::size_t found) noexcept;
    std::size_t take_nearest(std::size_t list, std::span<const float> distances, std::size_t first,
                             Neighbour* heap, std::size_t found) const noexcept;
    Status keep_near() noexcept;
    std::size_t keep_near(std::size_t list) noexcept;
    std::size_t keep_nearest(std::size_t list, Buffer<Neighbour>& found, bool& enough) noexcept;
    void close_gaps(const Buffer<std::size_t>& lengths) noexcept;

    const Boxes& boxes_;
    const BoxAt box_at_;
    const Points& points_;
    const Neighbourhood& wanted_;
    const ArrayQueryConfig& config_;
    HostMemory memory_;
    Buffer<float> limits_{&memory_};  // by point: the largest squared distance
    Buffer<Box> sampled_{&memory_};
    Buffer<float> own_distances_{&memory_};
    Buffer<std::uint64_t>& offsets_;
    Buffer<AgentId>& ids_;
    Buffer<float>& distances_;
};

Status PointLists::make(const simd::Kernels& kernels, bool& engine_is_faster) noexcept {
    if (const Status bad = find_limits(); !bad.ok()) return bad;
    Buffer<simd::Query> queries(&memory_);
    QueryIndex index(&memory_);
    // An engine's lists of the nearest are sorted.
    const auto sorted = wanted_.is_nearest ? QueryIndex::Wanted::numbers : QueryIndex::Wanted::lists;
    if (!queries.resize(points_.size())) return {Code::out_of_memory};
    for (std::size_t i = 0; i < points_.size(); ++i) queries[i] = around(points_[i], limits_[i]);
    const std::size_t looks = points_.size() * boxes_.size();
    if (looks > few_looks &&
        QueryIndex::part_found({queries.data(), queries.size()}, boxes_) > large_part_near) {
        engine_is_faster = looks > fewest_looks && (points_.size() >= few_points || looks > most_room);
        return engine_is_faster ? Status{} : compare_all();
    }
    if (!index.make({queries.data(), queries.size()}, boxes_, sorted)) return {Code::out_of_memory};
    engine_is_faster = index.is_slower_than_an_engine();
    if (engine_is_faster) return {};
    BoxPass pass(kernels, config_.executor, boxes_, index, memory_);
    if (const Status bad = pass.find(); !bad.ok()) return bad;
    if (const Status bad = pass.write(offsets_, ids_); !bad.ok()) return bad;
    return keep_near();
}

Status PointLists::find_limits() noexcept {
    if (!limits_.resize(points_.size())) return {Code::out_of_memory};
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const float radius = wanted_.radii.empty() ? wanted_.radius : wanted_.radii[i];
        limits_[i] = radius * radius;
    }
    if (!wanted_.is_nearest || boxes_.size() <= wanted_.max_count) return {};
    const std::size_t count = sample();
    if (!sampled_.resize(count)) return {Code::out_of_memory};
    for (std::size_t k = 0; k < count; ++k) sampled_[k] = box_at_(sampled(k, count, boxes_.size()));
    return outcome(parallel::for_ranges(config_.executor, points_.size(), points_in_a_block,
                                        [&](const parallel::Range& part) {
                                            for (std::size_t i = part.begin; i < part.end; ++i)
                                                limits_[i] = nearest_of_sample(points_[i], limits_[i]);
                                        }));
}

// The distance of the last of those that are wanted, if the sample has them all within the limit. A box that
// is not legal may be in the sample: NaN is near nothing, and what else comes of it is refused by the pass.
float PointLists::nearest_of_sample(const Point& point, float limit) const noexcept {
    float nearest[Nearest::count_limit];
    std::size_t count = 0;
    for (const Box& box : sampled_) {
        const float distance = squared_distance(point, box, wanted_.agents_as);
        if (!(distance <= limit)) continue;
        if (count == wanted_.max_count) std::pop_heap(nearest, nearest + count--);
        nearest[count++] = distance;
        std::push_heap(nearest, nearest + count);
        if (count == wanted_.max_count) limit = nearest[0];
    }
    return limit;
}

bool is_nearer(const Neighbour& a, const Neighbour& b) noexcept {
    return a.squared_distance < b.squared_distance ||
           (a.squared_distance == b.squared_distance && a.id < b.id);
}

// Each point's list has room for all that it may find.
Status PointLists::compare_all() noexcept {
    if (const Status bad = check_all(boxes_); !bad.ok()) return bad;
    const std::size_t room =
        wanted_.is_nearest ? std::min<std::size_t>(wanted_.max_count, boxes_.size()) : boxes_.size();
    Buffer<std::size_t> lengths(&memory_);
    if (!lengths.resize(points_.size(), std::size_t{0}) || !resize_amply(offsets_, points_.size() + 1) ||
        !resize_amply(ids_, points_.size() * room) ||
        (wanted_.distances && !resize_amply(distances_, points_.size() * room)))
        return {Code::out_of_memory};
    const parallel::Ran ran = parallel::for_ranges(
        config_.executor, points_.size(), points_in_a_block, [&](const parallel::Range& part) {
            for (std::size_t i = part.begin; i < part.end; i += points_in_a_block)
                compare({i, std::min(part.end, i + points_in_a_block)}, room, lengths);
        });
    if (ran) close_gaps(lengths);
    return outcome(ran);
}

// The points of a block with every box, some boxes at a time. Distances are in a loop of their own, of which
// compilers make vectors.
void PointLists::compare(const parallel::Range& points, std::size_t room,
                         Buffer<std::size_t>& lengths) noexcept {
    constexpr std::size_t at_once = 256;
    float min_x[at_once], min_y[at_once], max_x[at_once], max_y[at_once], distances[at_once];
    Neighbour nearest[points_in_a_block][Nearest::count_limit];
    for (std::size_t i = points.begin; i < points.end; ++i) offsets_[i] = i * room;
    for (std::size_t first = 0; first < boxes_.size(); first += at_once) {
        const std::size_t count = std::min(at_once, boxes_.size() - first);
        for (std::size_t k = 0; k < count; ++k) {
            const Box box = box_at_(first + k);
            min_x[k] = box.min_x, min_y[k] = box.min_y, max_x[k] = box.max_x, max_y[k] = box.max_y;
        }
        for (std::size_t i = points.begin; i < points.end; ++i) {
            const Point point = points_[i];
            for (std::size_t k = 0; k < count; ++k)
                distances[k] =
                    squared_distance(point, {min_x[k], min_y[k], max_x[k], max_y[k]}, wanted_.agents_as);
            lengths[i] = wanted_.is_nearest ? take_nearest(i, {distances, count}, first,
                                                           nearest[i - points.begin], lengths[i])
                                            : take_near(i, {distances, count}, first, lengths[i]);
        }
    }
    for (std::size_t i = points.begin; i < points.end && wanted_.is_nearest; ++i) {
        Neighbour* const heap = nearest[i - points.begin];
        std::sort_heap(heap, heap + static_cast<std::ptrdiff_t>(lengths[i]), is_nearer);
        for (std::size_t k = 0; k < lengths[i]; ++k) {
            ids_[i * room + k] = heap[k].id;
            if (wanted_.distances) distances_[i * room + k] = heap[k].squared_distance;
        }
    }
}

// Adds what is near enough of the boxes from `first` on to a list of `count`. Each slot is written before it
// is known whether it stays.
std::size_t PointLists::take_near(std::size_t list, std::span<const float> distances, std::size_t first,
                                  std::size_t found) noexcept {
    const float limit = limits_[list];
    AgentId* const ids = ids_.data() + offsets_[list];
    if (wanted_.distances)
        for (std::size_t k = 0, to = found; k < distances.size(); ++k) {
            distances_[static_cast<std::size_t>(offsets_[list]) + to] = distances[k];
            to += distances[k] <= limit ? 1u : 0u;
        }
    for (std::size_t k = 0; k < distances.size(); ++k) {
        ids[found] = static_cast<AgentId>(first + k);
        found += distances[k] <= limit ? 1u : 0u;
    }
    return found;
}

// The same of the nearest, in a heap.
std::size_t PointLists::take_nearest(std::size_t list, std::span<const float> distances, std::size_t first,
                                     Neighbour* heap, std::size_t found) const noexcept {
    float limit = found == wanted_.max_count ? heap[0].squared_distance : limits_[list];
    for (std::size_t k = 0; k < distances.size(); ++k) {
        const bool is_full = found == wanted_.max_count;  // the id of one that is as far is larger
        if (is_full ? !(distances[k] < limit) : !(distances[k] <= limit)) continue;
        if (is_full) std::pop_heap(heap, heap + static_cast<std::ptrdiff_t>(found--), is_nearer);
        heap[found++] = {static_cast<AgentId>(first + k), distances[k]};
        std::push_heap(heap, heap + static_cast<std::ptrdiff_t>(found), is_nearer);
        if (found == wanted_.max_count) limit = heap[0].squared_distance;
    }
    return found;
}

// Of the lists of boxes around the points.
Status PointLists::keep_near() noexcept {
    Buffer<std::size_t> lengths(&memory_);
    const bool with_distances = wanted_.distances || wanted_.is_nearest;
    if (!lengths.resize(points_.size()) || (with_distances && !resize_amply(distances_, ids_.size())))
        return {Code::out_of_memory};
    std::atomic<bool> out_of_memory{false};
    const parallel::Ran ran = parallel::for_ranges(
        config_.executor, points_.size(), points_in_a_block, [&](const parallel::Range& part) {
            Buffer<Neighbour> found(&memory_);
            bool enough = true;
            for (std::size_t i = part.begin; i < part.end && enough; ++i) {
                lengths[i] = wanted_.is_nearest ? keep_nearest(i, found, enough) : keep_near(i);
            }
            if (!enough) out_of_memory.store(true, std::memory_order_relaxed);
        });
    if (ran && !out_of_memory.load(std::memory_order_relaxed)) close_gaps(lengths);
    return outcome(ran, out_of_memory);
}

// Puts what stays of a list to its front. Returns how many that are.
std::size_t PointLists::keep_near(std::size_t list) noexcept {
    const bool with_distances = wanted_.distances || wanted_.is_nearest;
    const auto begin = static_cast<std::size_t>(offsets_[list]),
               end = static_cast<std::size_t>(offsets_[list + 1]);
    const Point point = points_[list];
    std::size_t to = begin;
    for (std::size_t i = begin; i < end; ++i) {
        const AgentId id = ids_[i];
        const float distance = squared_distance(point, box_at_(id), wanted_.agents_as);
        if (!(distance <= limits_[list])) continue;
        ids_[to] = id;
        if (with_distances) distances_[to] = distance;
        ++to;
    }
    return to - begin;
}

// The same of the nearest, which are sorted.
std::size_t PointLists::keep_nearest(std::size_t list, Buffer<Neighbour>& found, bool& enough) noexcept {
    const std::size_t near = keep_near(list), kept = std::min<std::size_t>(near, wanted_.max_count);
    const auto begin = static_cast<std::size_t>(offsets_[list]);
    enough = found.resize(near);
    if (!enough) return 0;
    for (std::size_t i = 0; i < near; ++i) found[i] = {ids_[begin + i], distances_[begin + i]};
    if (kept < near) std::nth_element(found.begin(), found.begin() + kept, found.end(), is_nearer);
    std::sort(found.begin(), found.begin() + kept, is_nearer);
    for (std::size_t i = 0; i < kept; ++i) {
        ids_[begin + i] = found[i].id;
        distances_[begin + i] = found[i].squared_distance;
    }
    return kept;
}

void PointLists::close_gaps(const Buffer<std::size_t>& lengths) noexcept {
    const bool with_distances = wanted_.distances;
    std::size_t end = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const auto begin = static_cast<std::size_t>(offsets_[i]);
        const std::size_t count = begin == end ? 0 : lengths[i];
        if (count != 0) std::memmove(ids_.data() + end, ids_.data() + begin, count * sizeof(AgentId));
        if (count != 0 && with_distances)
            std::memmove(distances_.data() + end, distances_.data() + begin, count * sizeof(float));
        offsets_[i] = end;
        end += lengths[i];
    }
    offsets_[lengths.size()] = end;
    (void)ids_.resize(end);  // less than there are
    if (with_distances) (void)distances_.resize(end);
}

Status PointLists::sort() noexcept {
    if (wanted_.is_nearest) return {};
    const Status sorted =
        sort_lists(config_.executor, boxes_.size(), {offsets_.data(), offsets_.size()}, ids_, memory_);
    if (!sorted.ok() || !wanted_.distances) return sorted;
    return outcome(parallel::for_ranges(
        config_.executor, points_.size(), points_in_a_block, [&](const parallel::Range& part) {
            for (std::size_t i = part.begin; i < part.end; ++i)
                for (auto k = static_cast<std::size_t>(offsets_[i]); k < offsets_[i + 1]; ++k)
                    distances_[k] = squared_distance(points_[i], box_at_(ids_[k]), wanted_.agents_as);
        }));
}

Status check_asked(const Points& points, const Neighbourhood& wanted) noexcept {
    if (const Status bad = check(wanted, From::points, points.size()); !bad.ok()) return bad;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point point = points[i];
        if (check(Box{point.x, point.y, point.x, point.y}) != Code::ok)
            return {Code::not_finite, i, Argument::queries};
    }
    for (std::size_t i = 0; i < wanted.radii.size(); ++i)
        if (const Code bad = check_radius(wanted.radii[i], wanted.is_nearest); bad != Code::ok)
            return {bad, i, Argument::radii};
    return {};
}

template <class Wanted>
Status find_neighbours(const Boxes& boxes, const Points& points, const Wanted& asked, NeighbourLists& lists,
                       const ArrayQueryConfig& config) noexcept {
    const Neighbourhood wanted = asked;
    const simd::Kernels* kernels = nullptr;
    if (const Status bad = check_arrays(boxes, points.boxes(), config, kernels); !bad.ok()) return bad;
    if (const Status bad = check_asked(points, wanted); !bad.ok()) return bad;
    PointLists found(boxes, points, wanted, lists, config);
    bool by_engine = found.are_for_an_engine();
    if (!by_engine)
        if (const Status made = found.make(*kernels, by_engine); !made.ok() || !by_engine) return made;
    Engine engine(engine_config(config));
    if (const Status bad = make_engine(engine, boxes); !bad.ok()) return bad;
    if (const Status bad = engine.frame().neighbours(points, asked, lists); !bad.ok()) return bad;
    return found.sort();
}
template <class Wanted>
Status neighbours_or_none(const Boxes& boxes, const Points& points, const Wanted& asked,
                          NeighbourLists& lists, const ArrayQueryConfig& config) noexcept {
    lists.clear();
    const Status status = find_neighbours(boxes, points, asked, lists, config);
    if (!status.ok()) lists.clear();
    return status;
}

}  // namespace

Status neighbours(const Boxes& boxes, const Points& points, const Within& wanted, NeighbourLists& lists,
                  const ArrayQueryConfig& config) noexcept {
    return neighbours_or_none(boxes, points, wanted, lists, config);
}

Status neighbours(const Boxes& boxes, const Points& points, const Nearest& wanted, NeighbourLists& lists,
                  const ArrayQueryConfig& config) noexcept {
    return neighbours_or_none(boxes, points, wanted, lists, config);
}

}  // namespace throng
