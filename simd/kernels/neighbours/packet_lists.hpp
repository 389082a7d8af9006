// The lists of all agents within a radius of queriers that follow each other in a row, or only how long they
// are.
#pragma once

#include "simd/kernels/neighbours/list_writer.hpp"
#include "simd/kernels/neighbours/patch.hpp"
#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/shapes/circle_shape.hpp"

namespace throng::simd {

// The lists of a packet of queriers: all candidates of the packet within a radius, for each of them. Mostly a
// few vectors have all candidates. Then these stay in registers, and no loop has an end that cannot be
// predicted.
template <class V>
class PacketLists : Vectors<V> {
public:
    using Wide = typename V::Wide;

    // The content of lists, and the place of their queriers.
    struct Wanted {
        std::uint32_t first, some;  // the queriers
        float radius;
        bool half;  // only ids above the querier's number
    };

    // Returns how many lists were made: fewer than wanted if a sink may have too little room.
    THRONG_KERNEL THRONG_NOINLINE static std::uint32_t write(const ListWriter<V>& lists,
                                                             const Candidates<V>& near,
                                                             const Queriers& queriers, const Wanted& wanted) {
        return ListEnds<V>::choose(wanted.half, lists.wants_distances(wanted.first), [&](const auto& end) {
            switch ((near.count + lanes - 1) / lanes) {
            case 1: return write<1>(end, lists, near, queriers, wanted);
            case 2: return write<2>(end, lists, near, queriers, wanted);
            case 3: return write<3>(end, lists, near, queriers, wanted);
            case 4: return write<4>(end, lists, near, queriers, wanted);
            default: return write<0>(end, lists, near, queriers, wanted);
            }
        });
    }

private:
    static constexpr std::size_t lanes = Wide::size;
    // A list may have all candidates, and a vector more is written.
    static constexpr std::ptrdiff_t room = Candidates<V>::room + gap;

    // With `vectors` of candidates, or as many as there are.
    template <std::size_t vectors, class End>
    static std::uint32_t write(const End&, const ListWriter<V>& lists, const Candidates<V>& near,
                               const Queriers& queriers, const Wanted& wanted) {
        const Wide limit(wanted.radius * wanted.radius);
        Wide xs[vectors + 1], ys[vectors + 1];
        for (std::size_t v = 0; v < vectors; ++v) {
            xs[v] = Wide::load_aligned(near.x + v * lanes);
            ys[v] = Wide::load_aligned(near.y + v * lanes);
        }
        const std::size_t count = near.count, self = near.self;
        for (std::uint32_t k = 0; k < wanted.some; ++k) {
            const std::uint32_t i = wanted.first + k;
            const auto space = lists.space_for(i, room);
            if (space.ids == nullptr) return k;
            const Wide x(queriers.x[i]), y(queriers.y[i]);
            End end{queriers.number[i], space.ids, space.distances};
            const auto take = [&](std::size_t at, const Wide& dx, const Wide& dy) {
                const Wide d = dx * dx + dy * dy;
                std::uint32_t found = V::bits(d <= limit);
                if constexpr (!End::is_half) found &= ~Circles<V>::bit_of(self + k - at);
                end.add(near.ids + at, found, d);
            };
            if constexpr (vectors != 0)
                for (std::size_t v = 0; v < vectors; ++v) take(v * lanes, x - xs[v], y - ys[v]);
            else
                for (std::size_t at = 0; at < count; at += lanes)
                    take(at, x - Wide::load_aligned(near.x + at), y - Wide::load_aligned(near.y + at));
            lists.end(i, space, end.ids);
        }
        return wanted.some;
    }
};

// The lists of queriers that follow each other in a row, for wide vectors. If each may find agents in at most
// two rows, and in each row in no more than a vector has lanes, it is compared with one vector of either row.
// No loop has an end that cannot be predicted, and no candidates are put together first.
template <class V>
class RowLists : Vectors<V> {
public:
    using Base = Vectors<V>;
    using Wide = typename V::Wide;
    static constexpr std::uint32_t lanes = Wide::size;
    // With fewer lanes most runs would be longer than a vector.
    static constexpr bool pays = lanes >= 16;

    // Whether circles of this radius reach at most two rows: nearly always, since rounding may make them
    // three.
    static bool are_low(const Locate& l, float radius) {
        return (2 * Circles<V>::reach(radius) + l.back[1]) * l.scale[3] < 1;
    }
    // Whether the lists of the first `count` queriers of a patch can be made so; they start at number
    // `first`, and are left out of their own lists.
    bool prepare(const Patch<V>& patch, const Queriers& queriers, std::uint32_t first, std::uint32_t count) {
        std::int32_t rows = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::int32_t more = patch.cells.last_row[i] - patch.cells.first_row[i];
            rows = rows < more ? more : rows;
        }
        if (rows > 1 || queriers.selves == nullptr) return false;
        const auto own = reinterpret_cast<std::uintptr_t>(queriers.selves + first);
        own_row_ = patch.row_of(own);
        if (own_row_ < 0) return false;
        own_ = static_cast<std::uint32_t>(
            (own - reinterpret_cast<std::uintptr_t>(patch.strip(own_row_).ids)) / sizeof(std::uint32_t));
        first_ = first;
        return true;
    }

    // Makes the lists of the queriers [begin, end). Returns how many were made before one that needs another
    // way, or whose sink may have too little room.
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t write(const ListWriter<V>& lists, const Patch<V>& patch,
                                                      const Queriers& queriers, std::uint32_t begin,
                                                      std::uint32_t end, float radius, bool half) {
        const Wide limit(radius * radius);
        return ListEnds<V>::choose(half, lists.wants_distances(begin), [&](const auto& kind) {
            return put(kind, lists, begin, find(kind, patch, queriers, begin, end, limit));
        });
    }

private:
    // A list has no more than two vectors, and another one is written.
    static constexpr std::ptrdiff_t room = std::ptrdiff_t{3} * lanes;

    // The answers of a querier in the lower and in the upper row. The addresses lie apart, or GCC makes
    // vectors of two.
    struct Found {
        const std::uint32_t* low_ids;
        std::uint32_t in_low, in_high;
        const std::uint32_t* high_ids;
    };

    // First looks for all agents, since that waits for memory. Returns the first querier that needs another
    // way.
    template <class End>
    std::uint32_t find(const End&, const Patch<V>& patch, const Queriers& queriers, std::uint32_t begin,
                       std::uint32_t end, const Wide& limit) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t at = i - first_;
            const std::int32_t low = patch.cells.first_row[at], high = patch.cells.last_row[at];
            const auto left = static_cast<std::uint32_t>(patch.cells.first_column[at]),
                       behind = static_cast<std::uint32_t>(patch.cells.last_column[at]) + 1;
            const auto &below = patch.strip(low), &above = patch.strip(high);
            const std::uint32_t j = below.cells[left], k = above.cells[left];
            if ((below.cells[behind] - j > lanes) | (above.cells[behind] - k > lanes)) [[unlikely]]
                return i;
            const Wide x(queriers.x[i]), y(queriers.y[i]);
            const Wide d = distances(patch, x, y, j + below.shift),
                       e = distances(patch, x, y, k + above.shift);
            const std::uint32_t both = low != high ? (1u << (lanes - 1) << 1) - 1 : 0;
            std::uint32_t in_low = V::bits(d <= limit), in_high = V::bits(e <= limit) & both;
            if constexpr (End::is_half) {
                in_low &= V::above(below.ids + j, queriers.number[i]);
                in_high &= V::above(above.ids + k, queriers.number[i]);
            } else {
                const std::uint32_t self = own_ + at, is_low = low == own_row_ ? 1 : 0;
                in_low &= ~(is_low << (self - j) % 32);
                in_high &= ~((is_low ^ 1) << (self - k) % 32);
            }
            found_[at] = {below.ids + j, in_low, in_high, above.ids + k};
            if constexpr (End::has_distances) {
                d.store_aligned(distances_ + at * 2 * lanes);
                e.store_aligned(distances_ + at * 2 * lanes + lanes);
            }
        }
        return end;
    }
    template <class End>
    std::uint32_t put(const End&, const ListWriter<V>& lists, std::uint32_t begin, std::uint32_t end) const {
        for (std::uint32_t i = begin; i < end; ++i) {
            const Found found = found_[i - first_];
            const auto space = lists.space_for(i, room);
            if (space.ids == nullptr) return i - begin;
            const std::uint32_t some = V::count_bits(found.in_low);
            V::pack_few(space.ids, found.low_ids, found.in_low);
            V::pack_few(space.ids + some, found.high_ids, found.in_high);
            if constexpr (End::has_distances) {
                const float* const from = distances_ + (i - first_) * 2 * lanes;
                Circles<V>::pack(space.distances, Wide::load_aligned(from), found.in_low);
                Circles<V>::pack(space.distances + some, Wide::load_aligned(from + lanes), found.in_high);
            }
            std::uint32_t* const behind = space.ids + some + V::count_bits(found.in_high);
            lists.end(i, space, behind);
            lists.fetch_ahead(behind);
        }
        return end - begin;
    }
    static Wide distances(const Patch<V>& patch, const Wide& x, const Wide& y, std::size_t at) {
        const Wide dx = x - Wide::load_unaligned(patch.x + at), dy = y - Wide::load_unaligned(patch.y + at);
        return dx * dx + dy * dy;
    }

    Found found_[Patch<V>::queriers];
    alignas(64) float distances_[std::size_t{2} * Patch<V>::queriers * lanes];
    std::int32_t own_row_ = 0;
    std::uint32_t first_ = 0, own_ = 0;  // the first querier, and its slot in its row
};

// How many agents some queriers have within a radius, if all that they may find is in one grid: each is
// compared with the few runs of agents that it may find, and only the count is written.
template <class V, AgentsAs agents_as>
class Counts : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Reach;
    using Admit = typename Admission<V>::AnyAdmission;

    // Of taller circles a search looks at less than their bounds.
    static constexpr std::uint32_t most_rows = 4;

    // Of the queriers [first, end) in `view`, with one filter for all. The square of the radius is finite.
    // `output.compared` grows by how many agents were looked at. Returns the first querier that was not
    // counted, since its circle is too tall.
    THRONG_KERNEL THRONG_NOINLINE static std::uint32_t count(const View& view, const Queriers& from,
                                                             std::uint32_t first, std::uint32_t end,
                                                             float radius, const Admit& admit,
                                                             NeighbourOutput& output) {
        Counts counts;
        counts.cells_.find(view.locate, from, first, end - first, radius);
        return admit.as([&](const auto& one) {
            return counts.count_admitted(view, from, first, end, radius, one, output);
        });
    }

private:
    template <class One>
    std::uint32_t count_admitted(const View& view, const Queriers& from, std::uint32_t first,
                                 std::uint32_t end, float radius, const One& admit,
                                 NeighbourOutput& output) const {
        std::uint32_t* const counts = output.counts;
        if (output.count_sinks == nullptr)
            return each(view, from, first, end, radius, admit, output.compared,
                        [&](std::uint32_t i, std::uint32_t found) {
                            if (i + ahead < from.count) THRONG_PREFETCH(counts + from.number[i + ahead], 1);
                            counts[from.number[i]] = found;
                        });
        ListSink* const sinks = output.count_sinks;
        const std::uint32_t shift = output.shift, most = most_in_header(shift);
        return each(view, from, first, end, radius, admit, output.compared,
                    [&](std::uint32_t i, std::uint32_t found) {
                        const std::uint32_t number = from.number[i];
                        if (found >= most) [[unlikely]]
                            counts[number] = found;
                        else
                            put(sinks[number >> shift], number, shift, found);
                    });
    }

    using Shape = SiteShape<V, agents_as == AgentsAs::centres>;
    using Arrays = typename Admit::Arrays;
    static constexpr std::uint32_t lanes = V::Wide::size;
    // Counts are written all over memory.
    static constexpr std::uint32_t ahead = 32;

    // Calls use(querier, found) for each of them.
    template <class One, class Use>
    std::uint32_t each(const View& view, const Queriers& from, std::uint32_t first, std::uint32_t end,
                       float radius, const One& admit, std::uint64_t& compared, const Use& use) const {
        for (std::uint32_t i = first; i < end; ++i) {
            const Reach reach = cells_.of(i - first);
            if (reach.last_row - reach.first_row >= most_rows) return i;
            const CircleQuery circle{{0, 0, 0, 0}, from.x[i], from.y[i], radius};
            const std::uint32_t* const self = from.selves == nullptr ? nullptr : from.selves + i;
            use(i, within(view, Shape(circle, agents_as), reach, self, admit, compared));
        }
        return end;
    }
    static void put(ListSink& sink, std::uint32_t number, std::uint32_t shift, std::uint32_t found) {
        if (sink.at > sink.limit) [[unlikely]]
            sink.full(sink);
        *sink.at++ = number << (32 - shift) | found;
    }
    // A vector is looked at even if a run is empty, so that most runs are one turn: agents beyond it are not
    // within.
    template <class One>
    static std::uint32_t within(const View& view, const Shape& shape, const Reach& reach,
                                const std::uint32_t* self, const One& admit, std::uint64_t& compared) {
        std::uint32_t found = 0;
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            const Arrays a(row);
            std::uint32_t j = row.cells[reach.first_column];
            const std::uint32_t behind = row.cells[reach.last_column + 1];
            compared += behind - j;
            do {
                std::uint32_t some = shape.overlap(a, j);
                // Without a branch on whether any is within, which would be as good as random.
                if constexpr (!One::is_unfiltered) some &= admit.overlap(a, j);
                some &= ~Circles<V>::bit_of(self, a.id + j);
                found += V::count_bits(some);
                j += lanes;
            } while (j < behind);
        }
        return found;
    }

    QuerierCells<V> cells_;
};

}  // namespace throng::simd
