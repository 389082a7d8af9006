// The calls of queries/without_engine.hpp: what they refuse, the engine that takes over if a pass over the
// boxes would take longer, and the order of its lists; overlaps, count and any; and neighbours.
//
// For neighbours, a pass over the boxes lists those that overlap a box around each point. Those near enough
// are copied from there into the host's lists. The k nearest of all boxes are no further away than the k
// nearest of a sample, so a point looks no further than that.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "base/blocks.hpp"
#include "base/box_math.hpp"
#include "base/box_reader.hpp"
#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "base/sample.hpp"
#include "beside/arrays/box_pass.hpp"
#include "beside/arrays/query_index.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "parallel/blocks.hpp"
#include "simd/kernels.hpp"
#include "throng/compiler.hpp"
#include "throng/engine.hpp"
#include "throng/queries/without_engine.hpp"

namespace throng::detail {

// The inside of results.
struct ListParts {
    template <class Lists>
    static Buffer<std::uint64_t>& offsets(Lists& lists) noexcept {
        return lists.offsets_;
    }
    template <class Lists>
    static Buffer<AgentId>& ids(Lists& lists) noexcept {
        return lists.answers_;
    }
    static Buffer<float>& distances(NeighbourLists& lists) noexcept { return lists.distances_; }
};

}  // namespace throng::detail

namespace throng {

using namespace detail;

namespace {

// The checks before anything is read.
Status check_arrays(const Boxes& boxes, const Boxes& queries, const ArrayQueryConfig& config,
                    const simd::Kernels*& kernels) noexcept {
    if (config.executor.parallel_for == nullptr && config.executor.workers > 1)
        return {Code::bad_config, Argument::executor};
    if (const Status bad = find_kernels(config.isa, kernels); !bad.ok()) return bad;
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::queries};
    if (boxes.size() > max_agents) return {Code::too_many, max_agents, Argument::boxes};
    if (queries.size() > max_agents) return {Code::too_many, max_agents, Argument::queries};
    return {};
}

// The queries in one array; names the first illegal one.
Status read_queries(const Boxes& queries, Buffer<simd::Query>& to) noexcept {
    if (!to.resize(queries.size())) return {Code::out_of_memory};
    const BoxAt box_at(queries);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const Box box = box_at(i);
        if (const Code bad = check(box); bad != Code::ok) return {bad, i, Argument::queries};
        to[i] = query_of(box);
    }
    return {};
}

// Calls ask(frame) with an engine for the time of one call. The elements that it refuses are boxes.
template <class Ask>
Status ask_an_engine(const Boxes& boxes, const ArrayQueryConfig& config, const Ask& ask) noexcept {
    Engine engine({.executor = config.executor, .memory = config.memory, .isa = config.isa});
    Status status = engine.status();
    if (status.ok()) status = engine.update(boxes);
    return status.ok() ? ask(engine.frame()) : status;
}

// Calls take(pass) with a pass over the boxes that has not run yet, or ask(frame) if that takes less time.
template <class Ask, class Take>
Status ask_all(const Boxes& boxes, std::span<const simd::Query> queries, QueryIndex::Wanted wanted,
               const ArrayQueryConfig& config, const simd::Kernels& kernels, HostMemory& memory,
               const Ask& ask, const Take& take) noexcept {
    QueryIndex index(&memory);
    if (!index.make(queries, boxes, wanted)) return {Code::out_of_memory};
    if (index.is_slower_than_an_engine()) return ask_an_engine(boxes, config, ask);
    BoxPass pass(kernels, config.executor, boxes, index, memory);
    return take(pass);
}

// What find() has found, or no list if it failed.
template <class Lists, class Find>
Status found_or_none(Lists& lists, const Find& find) noexcept {
    lists.clear();
    const Status status = find();
    if (!status.ok()) lists.clear();
    return status;
}

// --- The lists of a frame, in ascending order of ids ---

// Sorts lists of ids below `bound`, each once. If a list has a good part of all ids, it is read off their
// bits.
class ListSorter {
public:
    ListSorter(std::size_t bound, HostMemory& memory) noexcept : bound_(bound), bits_(&memory) {}

    // Returns false if there is no memory.
    bool sort(std::span<AgentId> list) noexcept {
        constexpr std::size_t ids_an_answer = 64;
        if (list.size() < bound_ / ids_an_answer + 64) {
            std::sort(list.begin(), list.end());
            return true;
        }
        bits_.clear();
        if (!bits_.resize(bound_ / 64 + 1, std::uint64_t{0})) return false;
        for (const AgentId id : list) bits_[id / 64] |= std::uint64_t{1} << id % 64;
        AgentId* to = list.data();
        for (std::size_t w = 0; w < bits_.size(); ++w)
            for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1)
                *to++ = static_cast<AgentId>(64 * w + lowest_bit(word));
        return true;
    }

private:
    const std::size_t bound_;
    Buffer<std::uint64_t> bits_;
};

Status sort_lists(const Executor& executor, std::size_t bound, std::span<const std::uint64_t> offsets,
                  Buffer<AgentId>& ids, HostMemory& memory) noexcept {
    constexpr std::size_t lists_in_a_block = 64;
    std::atomic<bool> out_of_memory{false};
    const parallel::Ran ran = parallel::for_ranges(
        executor, offsets.size() - 1, lists_in_a_block, [&](const parallel::Range& part) {
            ListSorter sorter(bound, memory);
            for (std::size_t i = part.begin; i < part.end; ++i) {
                const auto begin = static_cast<std::size_t>(offsets[i]);
                if (!sorter.sort({ids.data() + begin, static_cast<std::size_t>(offsets[i + 1]) - begin}))
                    out_of_memory.store(true, std::memory_order_relaxed);
            }
        });
    return outcome(ran, out_of_memory);
}

// --- Overlaps ----------------------------------------------------------------------------------------------

Status find(const Boxes& boxes, const Boxes& queries, OverlapLists& hits,
            const ArrayQueryConfig& config) noexcept {
    const simd::Kernels* kernels = nullptr;
    if (const Status bad = check_arrays(boxes, queries, config, kernels); !bad.ok()) return bad;
    HostMemory memory(config.memory);
    Buffer<simd::Query> read(&memory);
    if (const Status bad = read_queries(queries, read); !bad.ok()) return bad;
    const auto ask = [&](const Frame& frame) noexcept -> Status {
        if (const Status bad = frame.overlaps(queries, hits); !bad.ok()) return bad;
        return sort_lists(config.executor, boxes.size(), hits.offsets(), ListParts::ids(hits), memory);
    };
    return ask_all(boxes, {read.data(), read.size()}, QueryIndex::Wanted::lists, config, *kernels, memory,
                   ask,
                   [&](BoxPass& pass) { return pass.lists(ListParts::offsets(hits), ListParts::ids(hits)); });
}

Status answer(const Frame& frame, const Boxes& queries, std::span<std::uint32_t> counts) noexcept {
    return frame.count(queries, counts);
}
Status answer(const Frame& frame, const Boxes& queries, std::span<std::uint8_t> answers) noexcept {
    return frame.any(queries, answers);
}
void answer(std::uint64_t count, std::uint32_t& to) noexcept { to = static_cast<std::uint32_t>(count); }
void answer(std::uint64_t count, std::uint8_t& to) noexcept { to = count != 0 ? 1 : 0; }

template <class Answer>
Status answer_all(const Boxes& boxes, const Boxes& queries, std::span<Answer> answers,
                  const ArrayQueryConfig& config) noexcept {
    const simd::Kernels* kernels = nullptr;
    if (answers.size() < queries.size()) return {Code::size_mismatch, Argument::output};
    if (const Status bad = check_arrays(boxes, queries, config, kernels); !bad.ok()) return bad;
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view, Argument::output};
    HostMemory memory(config.memory);
    Buffer<simd::Query> read(&memory);
    if (const Status bad = read_queries(queries, read); !bad.ok()) return bad;
    return ask_all(
        boxes, {read.data(), read.size()}, QueryIndex::Wanted::numbers, config, *kernels, memory,
        [&](const Frame& frame) { return answer(frame, queries, answers); },
        [&](BoxPass& pass) {
            const Status status = pass.count();
            for (std::size_t i = 0; i < queries.size() && status.ok(); ++i)
                answer(pass.count_of(i), answers[i]);
            return status;
        });
}

}  // namespace

Status overlaps(const Boxes& boxes, const Boxes& queries, OverlapLists& hits,
                const ArrayQueryConfig& config) noexcept {
    return found_or_none(hits, [&] { return find(boxes, queries, hits, config); });
}

Status count(const Boxes& boxes, const Boxes& queries, std::span<std::uint32_t> counts,
             const ArrayQueryConfig& config) noexcept {
    return answer_all(boxes, queries, counts, config);
}

Status any(const Boxes& boxes, const Boxes& queries, std::span<std::uint8_t> answers,
           const ArrayQueryConfig& config) noexcept {
    return answer_all(boxes, queries, answers, config);
}

// --- Neighbours --------------------------------------------------------------------------------------------

namespace {

// For the nearest: a larger sample takes longer, and leaves fewer boxes to choose from. A box to choose takes
// as long as thirty looks, and one to take as long as twenty. If the looks alone take longer than an engine,
// an engine is made.
constexpr double looks_to_choose = 30, looks_to_take = 20;
constexpr std::size_t smallest_sample = 512, fewest_looks = 65536, looks_a_box = 2;
constexpr std::size_t points_in_a_block = 8;

// The distance of a box from a point, by the definitions in queries/neighbours.hpp. Each operation is rounded
// by itself, as in the kernels.
float squared_distance(const Point& from, const Box& box, AgentsAs agents_as) noexcept {
    const auto outside = [](float before, float behind) {
        const float larger = before > behind ? before : behind;
        return larger > 0 ? larger : 0.0f;
    };
    const auto square = [](float dx, float dy) { return dx * dx + dy * dy; };
    const float to_box = square(outside(box.min_x - from.x, from.x - box.max_x),
                                outside(box.min_y - from.y, from.y - box.max_y));
    if (agents_as == AgentsAs::boxes) return to_box;
    const float to_centre =
        square(0.5f * box.min_x + 0.5f * box.max_x - from.x, 0.5f * box.min_y + 0.5f * box.max_y - from.y);
    if (agents_as == AgentsAs::centres) return to_centre;
    const float width = 0.5f * box.max_x - 0.5f * box.min_x, height = 0.5f * box.max_y - 0.5f * box.min_y;
    const float beyond = outside(std::sqrt(to_centre) - (width < height ? width : height), 0.0f);
    return std::max(to_box, beyond * beyond);
}

// A box that overlaps everything so near: wider by more than the rounding of distances, and of squares that
// are too small for a float. The edge of a box that is found is a float itself, so no rounding of the sum
// leaves it out. If the limit is too large for a float, so are some distances, and all boxes are within it.
simd::Query around(const Point& point, float squared_limit) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!(squared_limit < largest)) return {-largest, -largest, largest, largest};
    const double reach = std::sqrt(static_cast<double>(squared_limit)) * (1 + 0x1p-18) + 0x1p-60;
    return {float_at_most(point.x - reach), float_at_most(point.y - reach), float_at_least(point.x + reach),
            float_at_least(point.y + reach)};
}

bool is_nearer(const Neighbour& a, const Neighbour& b) noexcept {
    return a.squared_distance < b.squared_distance ||
           (a.squared_distance == b.squared_distance && a.id < b.id);
}

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
          distances_(ListParts::distances(lists)) {}

    // Whether there are enough points to make an engine at once.
    bool are_for_an_engine() const noexcept {
        const std::size_t looks = points_.size() * sample();
        return wanted_.is_nearest && looks > fewest_looks && looks > looks_a_box * boxes_.size();
    }
    // By a pass, or by ask(frame) if an engine takes less time.
    template <class Ask>
    Status make(const simd::Kernels& kernels, const Ask& ask) noexcept {
        if (const Status bad = find_limits(); !bad.ok()) return bad;
        Buffer<simd::Query> queries(&memory_);
        if (!queries.resize(points_.size())) return {Code::out_of_memory};
        for (std::size_t i = 0; i < points_.size(); ++i) queries[i] = around(points_[i], limits_[i]);
        const auto sought = wanted_.is_nearest ? QueryIndex::Wanted::nearest : QueryIndex::Wanted::lists;
        return ask_all(boxes_, {queries.data(), queries.size()}, sought, config_, kernels, memory_, ask,
                       [&](BoxPass& pass) {
                           const Status status = pass.lists(begins_, candidates_);
                           return status.ok() ? keep_near() : status;
                       });
    }
    // Puts lists of a frame into the order of ids. Distances are computed again by the same rule, so they are
    // equal to those of a frame.
    Status sort() noexcept {
        if (wanted_.is_nearest) return {};
        const Status sorted =
            sort_lists(config_.executor, boxes_.size(), {offsets_.data(), offsets_.size()}, ids_, memory_);
        if (!sorted.ok() || !wanted_.distances) return sorted;
        return outcome(for_each_list([&](std::size_t i) { measure(i); }));
    }

private:
    std::size_t sample() const noexcept {
        const auto points = static_cast<double>(points_.size()), boxes = static_cast<double>(boxes_.size());
        const double wanted =
            std::sqrt(looks_to_choose * boxes * wanted_.max_count * points / (points + looks_to_take));
        return std::min(std::max(smallest_sample, static_cast<std::size_t>(wanted)), boxes_.size());
    }
    template <class Use>
    parallel::Ran for_each_list(const Use& use) noexcept {
        return parallel::for_ranges(config_.executor, points_.size(), points_in_a_block,
                                    [&](const parallel::Range& part) {
                                        for (std::size_t i = part.begin; i < part.end; ++i) use(i);
                                    });
    }
    Status find_limits() noexcept {
        if (!limits_.resize(points_.size())) return {Code::out_of_memory};
        for (std::size_t i = 0; i < points_.size(); ++i) {
            const float radius = wanted_.radii.empty() ? wanted_.radius : wanted_.radii[i];
            limits_[i] = radius * radius;
        }
        if (!wanted_.is_nearest || boxes_.size() <= wanted_.max_count) return {};
        const std::size_t count = sample();
        if (!sampled_.resize(count)) return {Code::out_of_memory};
        for (std::size_t k = 0; k < count; ++k) sampled_[k] = box_at_(sampled(k, count, boxes_.size()));
        return outcome(
            for_each_list([&](std::size_t i) { limits_[i] = nearest_of_sample(points_[i], limits_[i]); }));
    }
    // The distance of the k-th nearest box of the sample, or the limit if fewer than k are within it. An
    // illegal box may be in the sample: NaN is near nothing, and the pass refuses the box later.
    float nearest_of_sample(const Point& point, float limit) const noexcept {
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
    Status keep_near() noexcept {
        Buffer<std::size_t> lengths(&memory_);
        if (!lengths.resize(points_.size())) return {Code::out_of_memory};
        const parallel::Ran ran = for_each_list(
            [&](std::size_t i) { lengths[i] = wanted_.is_nearest ? keep_nearest(i) : keep_near(i); });
        return ran ? copy_kept(lengths) : outcome(ran);
    }
    // Puts the candidates of a point that are near enough in front of its others, and returns how many there
    // are. Each slot is written before it is known whether it stays.
    std::size_t keep_near(std::size_t list) noexcept {
        const auto begin = static_cast<std::size_t>(begins_[list]),
                   end = static_cast<std::size_t>(begins_[list + 1]);
        std::size_t to = begin;
        const Point point = points_[list];
        const float limit = limits_[list];
        for (std::size_t i = begin; i < end; ++i) {
            const AgentId id = candidates_[i];
            candidates_[to] = id;
            to += squared_distance(point, box_at_(id), wanted_.agents_as) <= limit ? 1u : 0u;
        }
        return to - begin;
    }
    // The same for the nearest, in a heap and then sorted.
    std::size_t keep_nearest(std::size_t list) noexcept {
        Neighbour heap[Nearest::count_limit];
        const auto begin = static_cast<std::size_t>(begins_[list]),
                   end = static_cast<std::size_t>(begins_[list + 1]);
        const Point point = points_[list];
        const std::size_t most = wanted_.max_count;
        const float limit = limits_[list];
        std::size_t kept = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const AgentId id = candidates_[i];
            const float distance = squared_distance(point, box_at_(id), wanted_.agents_as);
            // If two are equally far away, the later one has the larger id.
            const bool is_full = kept == most;
            if (is_full ? !(distance < heap[0].squared_distance) : !(distance <= limit)) continue;
            if (is_full) std::pop_heap(heap, heap + kept--, is_nearer);
            heap[kept++] = {id, distance};
            std::push_heap(heap, heap + kept, is_nearer);
        }
        std::sort_heap(heap, heap + kept, is_nearer);
        for (std::size_t i = 0; i < kept; ++i) candidates_[begin + i] = heap[i].id;
        return kept;
    }
    Status copy_kept(const Buffer<std::size_t>& lengths) noexcept {
        if (!resize_amply(offsets_, lengths.size() + 1)) return {Code::out_of_memory};
        std::uint64_t end = 0;
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            offsets_[i] = end;
            end += lengths[i];
        }
        offsets_[lengths.size()] = end;
        if (!resize_amply(ids_, end) || (wanted_.distances && !resize_amply(distances_, end)))
            return {Code::out_of_memory};
        return outcome(for_each_list([&](std::size_t i) {
            if (lengths[i] != 0)
                std::memcpy(ids_.data() + offsets_[i], candidates_.data() + begins_[i],
                            lengths[i] * sizeof(AgentId));
            if (wanted_.distances) measure(i);
        }));
    }
    void measure(std::size_t list) noexcept {
        const Point point = points_[list];
        const auto end = static_cast<std::size_t>(offsets_[list + 1]);
        for (auto i = static_cast<std::size_t>(offsets_[list]); i < end; ++i)
            distances_[i] = squared_distance(point, box_at_(ids_[i]), wanted_.agents_as);
    }

    const Boxes& boxes_;
    const BoxAt box_at_;
    const Points& points_;
    const Neighbourhood& wanted_;
    const ArrayQueryConfig& config_;
    HostMemory memory_;
    Buffer<float> limits_{&memory_};  // by point: the largest squared distance
    Buffer<Box> sampled_{&memory_};
    // By point: boxes that may be near it. In a pile that is all boxes, so they are not in the host's lists.
    Buffer<std::uint64_t> begins_{&memory_};
    Buffer<AgentId> candidates_{&memory_};
    Buffer<std::uint64_t>& offsets_;
    Buffer<AgentId>& ids_;
    Buffer<float>& distances_;
};

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
    const auto ask = [&](const Frame& frame) {
        const Status status = frame.neighbours(points, asked, lists);
        return status.ok() ? found.sort() : status;
    };
    return found.are_for_an_engine() ? ask_an_engine(boxes, config, ask) : found.make(*kernels, ask);
}

}  // namespace

Status neighbours(const Boxes& boxes, const Points& points, const Within& wanted, NeighbourLists& lists,
                  const ArrayQueryConfig& config) noexcept {
    return found_or_none(lists, [&] { return find_neighbours(boxes, points, wanted, lists, config); });
}

Status neighbours(const Boxes& boxes, const Points& points, const Nearest& wanted, NeighbourLists& lists,
                  const ArrayQueryConfig& config) noexcept {
    return found_or_none(lists, [&] { return find_neighbours(boxes, points, wanted, lists, config); });
}

}  // namespace throng
