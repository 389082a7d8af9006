// Storeys: which of them have agents that may share a height with a band (simd/types.hpp).
//
// A height becomes a storey by counting the floors at or below it, which keeps order. So an agent that shares
// a height with [a, b] is on a storey of storey(a) .. storey(b), or between storeys.
#pragma once

#include "simd/kernels/search/admission.hpp"

namespace throng::simd {

template <class V>
struct StoreySearch : Admission<V> {
    using Base = Admission<V>;
    using typename Base::Heights;
    using typename Base::Reach;
    using typename Base::Wide;
    using typename Base::Window;

    // The storey of a height, counted from 1 on.
    static std::uint32_t storey_at(const Floors& floors, float z) {
        static_assert((Floors::most + 1) % Wide::size == 0);
        std::uint32_t below = 0;
        for (std::uint32_t k = 0; k <= Floors::most; k += Wide::size)
            below += V::count_bits(V::bits(Wide::load_unaligned(floors.at + k) <= Wide(z)));
        return below + 1;
    }
    // Calls visit(view) for the space between storeys, if wanted, and for the storeys of a band, until it
    // returns false. Returns whether it never did.
    template <class Visit>
    static bool for_each(const Storeys& storeys, const Heights& band, bool between, const Visit& visit) {
        if (between && !storeys.between_is_empty && !visit(storeys.views[0])) return false;
        const std::uint32_t last = storey_at(*storeys.floors, band.max);
        for (std::uint32_t s = storey_at(*storeys.floors, band.min); s <= last; ++s)
            if (!visit(storeys.views[s])) return false;
        return true;
    }
    // The storey of a band; null if it may find agents of several.
    static const View* only_one(const Storeys& storeys, const Heights& band) {
        const std::uint32_t s = storey_at(*storeys.floors, band.min);
        return s == storey_at(*storeys.floors, band.max) ? &storeys.views[s] : nullptr;
    }
    // Whether no agent between storeys is in reach.
    static bool has_none_between(const Storeys& storeys, const Reach& reach) {
        if (storeys.between_is_empty) return true;
        const View& between = storeys.views[0];
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const Row& row = between.rows[r];
            if (row.count != 0 && row.cells[reach.first_column] != row.cells[reach.last_column + 1])
                return false;
        }
        return true;
    }
    // The storey of a band; null if it may find agents of several. Most bands that follow each other are on
    // one storey, which is remembered.
    class Only {
    public:
        explicit Only(const View& region) : storeys_(region.storeys) {}
        const View* of(const Heights& band) {
            if (!(low_ <= band.min && band.max < high_)) remember(band);
            return only_;
        }
        // Null also if it does not have all common agents that the band may find in reach.
        const View* in_reach(const Heights& band, const Reach& reach) {
            const View* const only = of(band);
            return only != nullptr && has_none_between(*storeys_, reach) ? only : nullptr;
        }

    private:
        void remember(const Heights& band) {
            const Floors& floors = *storeys_->floors;
            only_ = only_one(*storeys_, band);
            low_ = infinite;  // then nothing is remembered
            if (only_ == nullptr) return;
            const auto storey = static_cast<std::uint32_t>(only_ - storeys_->views);
            low_ = storey == 1 ? -infinite : floors.at[storey - 2];
            high_ = storey > floors.count ? infinite : floors.at[storey - 1];
        }

        const Storeys* const storeys_;
        const View* only_ = nullptr;
        float low_ = infinite, high_ = -infinite;
    };

    // The heights that all agents of a dense row have.
    THRONG_KERNEL static SharedHeights shared_heights(const Row& row) {
        const typename Base::LabelArrays a(row);
        Window from(-infinite), to(infinite);
        SharedHeights shared;
        const auto add = [&](std::size_t i, std::size_t end) {
            for (; i + Window::size <= end; i += Window::size) {
                from = V::larger(Window::load_unaligned(a.min_z + i), from);
                to = V::smaller(Window::load_unaligned(a.max_z + i), to);
            }
            for (; i < end; ++i) shared.add(a.min_z[i], a.max_z[i]);
        };
        add(0, row.count);
        add(std::size_t{row.count} + gap, std::size_t{row.count} + gap + row.oversized);
        float lows[Window::size], highs[Window::size];
        from.store_unaligned(lows);
        to.store_unaligned(highs);
        for (std::size_t k = 0; k < Window::size; ++k) shared.add(lows[k], highs[k]);
        return shared;
    }

    // The storeys of some bands, and 0 for those that a floor goes through.
    THRONG_KERNEL static void find_storeys(const Floors& floors, const float* min_z, const float* max_z,
                                           std::size_t count, std::uint16_t* storey_of) {
        constexpr std::size_t lanes = Window::size;
        const Window none(0.0f), one(1.0f);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Window from = Window::load_unaligned(min_z + i), to = Window::load_unaligned(max_z + i);
            Window storey = one, above(floors.at[0]);  // the lowest floor above the band's lower edge
            for (std::uint32_t k = 0; k < floors.count; ++k) {
                const auto is_below = Window(floors.at[k]) <= from;
                storey = storey + xsimd::select(is_below, one, none);
                above = xsimd::select(is_below, Window(floors.at[k + 1]), above);
            }
            V::store_u16(storey_of + i, xsimd::select(above <= to, none, storey));
        }
        for (; i < count; ++i) {
            const std::uint32_t low = storey_at(floors, min_z[i]);
            storey_of[i] = static_cast<std::uint16_t>(low == storey_at(floors, max_z[i]) ? low : 0);
        }
    }
};

}  // namespace throng::simd
