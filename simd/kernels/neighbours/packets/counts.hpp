// How many agents some queriers have within a radius, if all that they may find is in one grid: each is
// compared with the few runs of agents that it may find, and only the count is written.
#pragma once

#include "simd/kernels/neighbours/packets/querier_cells.hpp"
#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/shapes/circle_shape.hpp"

namespace throng::simd {

template <class V, AgentsAs agents_as>
class Counts : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Reach;
    using Admit = typename Admission<V>::AnyAdmission;

    // The most queriers at a time.
    static constexpr std::uint32_t queriers = 64;
    // Of taller circles a search looks at less than their bounds.
    static constexpr std::uint32_t most_rows = 4;

    // Of the queriers [first, end) in `view`, with one filter for all. The square of the radius is finite.
    // `output.compared` grows by how many agents were looked at. Returns the first querier that was not
    // counted, since its circle is too tall.
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t count(const View& view, const Queriers& from,
                                                      std::uint32_t first, std::uint32_t end, float radius,
                                                      const Admit& admit, NeighbourOutput& output) {
        cells_.find(view.locate, from, first, end - first, radius);
        return admit.as(
            [&](const auto& one) { return count_admitted(view, from, first, end, radius, one, output); });
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

    using Shape = CircleShape<V, agents_as, false>;
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
            use(i, within(view, Shape(circle), reach, self, admit, compared));
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
                some &= ~bit_of(self, a.id + j);
                found += V::count_bits(some);
                j += lanes;
            } while (j < behind);
        }
        return found;
    }
    // The bit of an agent that is to be left out.
    static std::uint32_t bit_of(const std::uint32_t* self, const std::uint32_t* ids) {
        const std::uintptr_t at =
            (reinterpret_cast<std::uintptr_t>(self) - reinterpret_cast<std::uintptr_t>(ids)) / sizeof *ids;
        return static_cast<std::uint32_t>(std::uint64_t{1} << (at < 32 ? at : 32));
    }

    QuerierCells<V, queriers> cells_;
};

}  // namespace throng::simd
