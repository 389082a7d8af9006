// Which agents a filter admits, lane by lane. The vocabulary compares only floats; a nonzero integer converts to
// a nonzero float.
#pragma once

#include "simd/kernels/search/search.hpp"

namespace throng::simd {

template <class V>
struct Admission : Search<V> {
    using Base = Search<V>;
    using typename Base::Arrays;
    using typename Base::Probe;
    using typename Base::Wide;
    using Ints = xsimd::batch<std::int32_t, typename Wide::arch_type>;

    struct LabelArrays : Arrays {
        const std::uint32_t *categories, *group;
        explicit LabelArrays(const Row& r)
            : Arrays(r), categories(this->id + r.stride), group(categories + r.stride) {}
    };

    static Ints load(const std::uint32_t* from) {
        return Ints::load_unaligned(reinterpret_cast<const std::int32_t*>(from));
    }
    static std::uint32_t set(const Ints& lanes) { return V::bits(xsimd::to_float(lanes) != Wide(0.0f)); }

    struct NotSelf {
        Ints self;
        explicit NotSelf(const LabelFilter& f) : self(static_cast<std::int32_t>(f.self)) {}
        std::uint32_t overlap(const Arrays& a, std::size_t j) const { return set(load(a.id + j) ^ self); }
    };
    struct Admitted {
        Ints categories, other_than;
        // An agent is wanted if its masked categories differ from this. If all categories are wanted, the
        // mask is zero and this is 1, so agents without any pass too.
        Ints kept;
        Wide unwanted;
        NotSelf not_self;
        bool any_agent, any_group;

        explicit Admitted(const LabelFilter& f)
            : categories(static_cast<std::int32_t>(f.categories)),
              other_than(static_cast<std::int32_t>(f.other_than)),
              kept(f.categories == all_of_them ? 0 : static_cast<std::int32_t>(f.categories)),
              unwanted(f.categories == all_of_them ? 1.0f : 0.0f),
              not_self(f),
              any_agent(f.self == no_id),
              any_group(f.other_than == no_id) {}
        std::uint32_t overlap(const LabelArrays& a, std::size_t j) const {
            std::uint32_t found = V::bits(xsimd::to_float(load(a.categories + j) & kept) != unwanted);
            if (found == 0) return 0;
            if (!any_agent) found &= not_self.overlap(a, j);
            if (!any_group) found &= set(load(a.group + j) ^ other_than);
            return found;
        }
    };
    // Few agents are admitted, so the boxes of the others need not be read.
    template <class Test>
    struct Inside {
        const Probe& box;
        const Test& admitted;
        template <class A>
        std::uint32_t overlap(const A& a, std::size_t j) const {
            const std::uint32_t found = admitted.overlap(a, j);
            return found == 0 ? 0 : found & box.overlap(a, j);
        }
    };
};

}  // namespace throng::simd
