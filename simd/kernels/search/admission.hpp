// Which agents a query admits: everyone, or, by a filter, all but one, or those with certain labels or at
// certain heights. The search knows only this:
//
//     Filter, filter(view, filters, n)    what it is made of, and that of query n of a batch
//     Arrays                    the arrays of a row that it reads
//     admits_none(filter)       whether no agent of any frame without labels is admitted
//     may_find(view, reach)     whether an agent in these cells may be admitted
//     may_have(node)            whether an agent below this node may be
//     has_stretches()           whether it skips the stretches of a row without an admitted agent;
//                               `may_have_stretches` if the compiler has to know
//     as(use)                   use(one), where `one` admits everyone, or has overlap(a, j): the next agents
//                               that are admitted, a bit for each lane; and admits_most(), or few, which says
//                               what test comes first
//     is_unfiltered             that everyone is admitted: then nothing is tested, and all of this folds to
//                               nothing
//
// Small queries of boxes without a filter, the most common ones, have code of their own (`Everyone`). All
// other searches share one body (`AnyAdmission`), which branches on the kind once for each run of agents.
//
// The vocabulary compares only floats; a nonzero integer converts to a nonzero float.
#pragma once

#include "simd/kernels/vectors.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

// Agents that overlap a shape and are admitted. The test that fewer agents pass comes first, so that the
// other is seldom needed.
template <class Shape, class Admit>
struct Both {
    const Shape& shape;
    const Admit& admit;
    template <class A>
    std::uint32_t overlap(const A& a, std::size_t j) const {
        if (admit.admits_most()) {
            const std::uint32_t found = shape.overlap(a, j);
            return found == 0 ? 0 : found & admit.overlap(a, j);
        }
        const std::uint32_t found = admit.overlap(a, j);
        return found == 0 ? 0 : found & shape.overlap(a, j);
    }
};

template <class V>
struct Admission : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Reach;
    using typename Base::Wide;
    using Ints = xsimd::batch<std::int32_t, typename Wide::arch_type>;
    using PlainArrays = typename Base::Arrays;

    // Rows have these arrays only in frames with labels, and the last two only in frames with heights. In
    // other frames the pointers are not used.
    struct LabelArrays : PlainArrays {
        const std::uint32_t *categories, *group;
        const float *min_z, *max_z;
        explicit LabelArrays(const Row& r)
            : PlainArrays(r),
              categories(this->id + r.stride),
              group(categories + r.stride),
              min_z(reinterpret_cast<const float*>(group + r.stride)),
              max_z(min_z + r.stride) {}
    };

    struct Heights {
        float min, max;
    };

    static Ints load(const std::uint32_t* from) {
        return Ints::load_unaligned(reinterpret_cast<const std::int32_t*>(from));
    }
    // Which of the next agents have a height of a band, lane by lane.
    template <class B, class A>
    static auto has_a_height(const Heights& band, const A& a, std::size_t j) {
        return V::at_least(B(band.max), B::load_unaligned(a.min_z + j)) &
               (B(band.min) <= B::load_unaligned(a.max_z + j));
    }
    // The same as bits.
    template <class B, std::uint32_t lanes = B::size, class A>
    static std::uint32_t sharing_a_height(const Heights& band, const A& a, std::size_t j) {
        std::uint32_t found = 0;
        for (std::uint32_t k = 0; k < lanes; k += B::size)
            found |= V::bits(has_a_height<B>(band, a, j + k)) << k;
        return found;
    }
    static std::uint32_t nonzero(const Ints& lanes) { return V::bits(xsimd::to_float(lanes) != Wide(0.0f)); }

    struct Everyone {
        using Arrays = PlainArrays;
        struct Filter {};
        static constexpr bool is_unfiltered = true, may_have_stretches = false;
        static constexpr bool has_stretches() { return false; }

        explicit Everyone(const Filter&) {}
        static Filter filter(const View&, const LabelFilters&, std::size_t) { return {}; }
        static bool admits_none(const Filter&) { return false; }
        static bool may_find(const View&, const Reach&, const Filter&) { return true; }
        bool may_find(const View&, const Reach&) const { return true; }
        bool may_have(const Node&) const { return true; }
        static Heights heights() { return {-infinite, infinite}; }
        template <class Use>
        auto as(const Use& use) const {
            return use(*this);
        }
    };

    // In a frame without labels every agent has the default one, and a filter can leave out only `self`.
    struct NotSelf {
        Ints self;

        explicit NotSelf(const LabelFilter& f) : self(static_cast<std::int32_t>(f.self)) {}
        std::uint32_t overlap(const PlainArrays& a, std::size_t j) const {
            return nonzero(load(a.id + j) ^ self);
        }
    };

    struct Labelled {
        Ints categories, not_in_group;
        // An agent is wanted if its masked categories differ from this. If all categories are wanted, the
        // mask is zero and this is 1, so agents without any pass too.
        Ints kept;
        Wide unwanted;
        NotSelf not_self;
        float min_z, max_z;
        bool any_category, any_agent, any_group, any_height, any_within_categories;

        explicit Labelled(const LabelFilter& f)
            : categories(static_cast<std::int32_t>(f.categories)),
              not_in_group(static_cast<std::int32_t>(f.not_in_group)),
              kept(f.categories == all_of_them ? 0 : static_cast<std::int32_t>(f.categories)),
              unwanted(f.categories == all_of_them ? 1.0f : 0.0f),
              not_self(f),
              min_z(f.min_z),
              max_z(f.max_z),
              any_category(f.categories == all_of_them),
              any_agent(f.self == no_id),
              any_group(f.not_in_group == no_id),
              any_height(!f.by_height),
              any_within_categories(any_agent && any_group && any_height) {}
        static constexpr bool admits_most() { return false; }
        std::uint32_t overlap(const LabelArrays& a, std::size_t j) const {
            std::uint32_t found = ~0u >> (32 - Wide::size);
            if (!any_category) found = V::bits(xsimd::to_float(load(a.categories + j) & kept) != unwanted);
            if (found == 0 || any_within_categories) return found;
            if (!any_agent) found &= not_self.overlap(a, j);
            if (!any_group) found &= nonzero(load(a.group + j) ^ not_in_group);
            if (!any_height) found &= sharing_a_height<Wide>({min_z, max_z}, a, j);
            return found;
        }
        // Which of the stretches [s, s + lanes) of a row have the categories, up to `last`.
        std::uint32_t matching(const std::uint32_t* stretches, std::uint32_t s, std::uint32_t last) const {
            const std::uint32_t found = nonzero(load(stretches + s) & categories);
            return last - s + 1 < Wide::size ? found & ((1u << (last - s + 1)) - 1) : found;
        }
    };

    // Either of the two that filter.
    struct Filtered {
        static constexpr bool is_unfiltered = false;
        Labelled labelled;
        bool has_labels, has_stretches;

        bool admits_most() const { return !has_stretches; }
        std::uint32_t overlap(const LabelArrays& a, std::size_t j) const {
            return has_labels ? labelled.overlap(a, j) : labelled.not_self.overlap(a, j);
        }
    };
    // Any of the three. A filter by height alone is one of labels that skips no stretches.
    class AnyAdmission {
    public:
        using Arrays = LabelArrays;
        enum class Kind : std::uint32_t { everyone, not_self, by_height, labelled };
        struct Filter : LabelFilter {
            Kind kind = Kind::everyone;

            Filter() : LabelFilter{all_of_them, no_id, no_id} {}
            Filter(const LabelFilter& f, Kind k) : LabelFilter(f), kind(k) {}
            // Also by the heights of the querier.
            void add_heights(float low, float high) {
                share_heights(low, high);
                if (kind == Kind::everyone) kind = Kind::by_height;
            }
        };
        static constexpr bool is_unfiltered = false, may_have_stretches = true;

        explicit AnyAdmission(const Filter& f) : filter_(f) {}
        static Filter filter(const View& view, const LabelFilters& all, std::size_t n) {
            if (all.are_unfiltered()) return {};
            return of(all[n], view.stretches == nullptr ? Kind::not_self : Kind::labelled);
        }
        static Filter of(const LabelFilter& f, Kind kind = Kind::labelled) {
            return {f, f.by_height && f.categories == all_of_them ? Kind::by_height : kind};
        }
        static Filter labelled(const LabelFilter& f) { return {f, Kind::labelled}; }
        static bool admits_none(const Filter& f) {
            return f.kind == Kind::not_self && (f.categories & default_category) == 0;
        }
        static bool has_stretches(const Filter& f) { return f.kind == Kind::labelled; }
        // Whether it is a band of heights, perhaps of all, in a frame with heights.
        static bool is_band(const Filter& f) {
            return f.kind == Kind::everyone ||
                   (f.kind == Kind::by_height && (f.self & f.not_in_group) == no_id);
        }
        static bool may_find(const View& view, const Reach& reach, const Filter& f) {
            return !has_stretches(f) || may_be_near(view, reach, f.categories);
        }

        bool has_stretches() const { return has_stretches(filter_); }
        bool may_find(const View& view, const Reach& reach) const { return may_find(view, reach, filter_); }
        bool may_have(const Node& node) const {
            return !has_stretches() || (node.categories & filter_.categories) != 0;
        }
        // The labels are spread over lanes where they are compared, so that a search without a filter does
        // not do that.
        template <class Use>
        auto as(const Use& use) const {
            if (is_everyone()) [[likely]]
                return use(everyone());
            return filtered(use);
        }
        // use(admission) for one that filters.
        template <class Use>
        auto filtered(const Use& use) const {
            return use(Filtered{Labelled(filter_), !is_not_self(), has_stretches()});
        }
        bool is_everyone() const { return filter_.kind == Kind::everyone; }
        bool is_not_self() const { return filter_.kind == Kind::not_self; }
        // Whether it filters, and few agents are likely to be left out.
        bool leaves_few_out() const { return is_not_self() || filter_.kind == Kind::by_height; }
        static Everyone everyone() { return Everyone({}); }
        Labelled labelled() const { return Labelled(filter_); }
        std::uint32_t categories() const { return filter_.categories; }
        // The band of heights that it admits.
        static Heights heights_of(const LabelFilter& f) {
            return f.by_height ? Heights{f.min_z, f.max_z} : Everyone::heights();
        }
        Heights heights() const { return heights_of(filter_); }

    private:
        Filter filter_;
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
