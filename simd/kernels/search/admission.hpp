// Which agents a query admits: all of them, all but one, or those with certain labels. All that the search
// knows of it is this:
//
//     Filter, filter(filters, n)   what it is made of, and that of query n of a batch
//     Arrays                       the arrays of a row that it reads
//     overlap(a, j)                the next agents that are admitted, a bit for each lane
//     admits_none(filter)          whether no agent of any frame without labels is admitted
//     may_find(view, reach)        whether an agent in these cells may be admitted
//     may_have(node)               whether an agent below this node may be
//     is_unfiltered                  then nothing is tested, and all of this folds to nothing
//     admits_most                  or few: which test comes first
//     has_stretches                whether it skips the stretches of a row without an admitted agent
//
// The vocabulary compares only floats; a nonzero integer converts to a nonzero float.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

// Agents that overlap a shape and are admitted. What fewer of them pass is tested first, so that the other is
// seldom needed.
template <class Shape, class Admit>
struct Both {
    const Shape& shape;
    const Admit& admit;
    template <class A>
    std::uint32_t overlap(const A& a, std::size_t j) const {
        if constexpr (Admit::admits_most) {
            const std::uint32_t found = shape.overlap(a, j);
            return found == 0 ? 0 : found & admit.overlap(a, j);
        } else {
            const std::uint32_t found = admit.overlap(a, j);
            return found == 0 ? 0 : found & shape.overlap(a, j);
        }
    }
};

template <class V>
struct Admission : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Reach;
    using typename Base::Wide;
    using Ints = xsimd::batch<std::int32_t, typename Wide::arch_type>;
    using PlainArrays = typename Base::Arrays;

    struct LabelArrays : PlainArrays {
        const std::uint32_t *categories, *group;
        explicit LabelArrays(const Row& r)
            : PlainArrays(r), categories(this->id + r.stride), group(categories + r.stride) {}
    };

    static Ints load(const std::uint32_t* from) {
        return Ints::load_unaligned(reinterpret_cast<const std::int32_t*>(from));
    }
    static std::uint32_t nonzero(const Ints& lanes) { return V::bits(xsimd::to_float(lanes) != Wide(0.0f)); }

    struct Everyone {
        using Arrays = PlainArrays;
        struct Filter {};
        static constexpr bool is_unfiltered = true, has_stretches = false;

        explicit Everyone(const Filter&) {}
        static Filter filter(const LabelFilters&, std::size_t) { return {}; }
        static bool admits_none(const Filter&) { return false; }
        static bool may_find(const View&, const Reach&, const Filter&) { return true; }
        bool may_find(const View&, const Reach&) const { return true; }
        bool may_have(const Node&) const { return true; }
    };

    // In a frame without labels every agent has the default one, and a filter can leave out only `self`.
    struct NotSelf {
        using Arrays = PlainArrays;
        using Filter = LabelFilter;
        static constexpr bool is_unfiltered = false, admits_most = true, has_stretches = false;
        Ints self;

        explicit NotSelf(const LabelFilter& f) : self(static_cast<std::int32_t>(f.self)) {}
        static LabelFilter filter(const LabelFilters& all, std::size_t n) { return all[n]; }
        static bool admits_none(const LabelFilter& f) { return (f.categories & default_category) == 0; }
        static bool may_find(const View&, const Reach&, const LabelFilter&) { return true; }
        bool may_find(const View&, const Reach&) const { return true; }
        bool may_have(const Node&) const { return true; }
        auto admitted(const PlainArrays& a, std::size_t j) const {
            return xsimd::to_float(load(a.id + j) ^ self) != Wide(0.0f);
        }
        std::uint32_t overlap(const PlainArrays& a, std::size_t j) const { return V::bits(admitted(a, j)); }
    };

    struct Labelled {
        using Arrays = LabelArrays;
        using Filter = LabelFilter;
        static constexpr bool is_unfiltered = false, admits_most = false, has_stretches = true;
        std::uint32_t wanted;
        Ints categories, not_in_group;
        // An agent is wanted if its masked categories differ from this. If all categories are wanted, the
        // mask is zero and this is 1, so agents without any pass too.
        Ints kept;
        Wide unwanted;
        NotSelf not_self;
        bool any_agent, any_group;

        explicit Labelled(const LabelFilter& f)
            : wanted(f.categories),
              categories(static_cast<std::int32_t>(f.categories)),
              not_in_group(static_cast<std::int32_t>(f.not_in_group)),
              kept(f.categories == all_of_them ? 0 : static_cast<std::int32_t>(f.categories)),
              unwanted(f.categories == all_of_them ? 1.0f : 0.0f),
              not_self(f),
              any_agent(f.self == no_id),
              any_group(f.not_in_group == no_id) {}
        static LabelFilter filter(const LabelFilters& all, std::size_t n) { return all[n]; }
        static bool admits_none(const LabelFilter&) { return false; }
        static bool may_find(const View& view, const Reach& reach, const LabelFilter& f) {
            return may_be_near(view, reach, f.categories);
        }
        bool may_find(const View& view, const Reach& reach) const { return may_be_near(view, reach, wanted); }
        bool may_have(const Node& node) const { return (node.categories & wanted) != 0; }
        std::uint32_t overlap(const LabelArrays& a, std::size_t j) const {
            std::uint32_t found = V::bits(xsimd::to_float(load(a.categories + j) & kept) != unwanted);
            if (found == 0) return 0;
            if (!any_agent) found &= not_self.overlap(a, j);
            if (!any_group) found &= nonzero(load(a.group + j) ^ not_in_group);
            return found;
        }
        // Which of the stretches [s, s + lanes) of a row have the categories, no further than `last`.
        std::uint32_t matching(const std::uint32_t* stretches, std::uint32_t s, std::uint32_t last) const {
            const std::uint32_t found = nonzero(load(stretches + s) & categories);
            return last - s + 1 < Wide::size ? found & ((1u << (last - s + 1)) - 1) : found;
        }
    };

    // --- The table of stretches ---

    // Whether a search sees at most two stretches of at most two rows.
    static bool is_small(const Reach& reach) {
        return reach.last_row - reach.first_row <= 1 &&
               (reach.last_column >> stretch_shift) - (reach.first_column >> stretch_shift) <= 1;
    }
    static std::uint32_t stretches_of(const View& view, std::uint32_t row, const Reach& reach) {
        const std::uint32_t* stretches = view.stretches + std::size_t{row} * view.stretches_in_row;
        return stretches[reach.first_column >> stretch_shift] | stretches[reach.last_column >> stretch_shift];
    }
    // Usually there is no such agent near a small query, and four entries of the table show it.
    static bool may_be_near(const View& view, const Reach& reach, std::uint32_t categories) {
        if (!is_small(reach)) return true;
        return ((stretches_of(view, reach.first_row, reach) | stretches_of(view, reach.last_row, reach)) &
                categories) != 0;
    }
};

}  // namespace throng::simd
