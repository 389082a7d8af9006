// What each querier admits: by its filter, and by its own heights if it has any. Mostly all queriers of a
// patch admit the same agents: there is one filter for all, and each agent shares a height with all of them.
#pragma once

#include "simd/kernels/search/admission.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
class QuerierFilters {
public:
    using Admit = typename Admission<V>::AnyAdmission;

    QuerierFilters(const View& view, const LabelFilters& filters, const Queriers& queriers)
        : view_(view),
          filters_(filters),
          queriers_(queriers),
          first_(Admit::filter(view, filters, queriers.number[0])) {}

    typename Admit::Filter operator[](std::uint32_t i) const {
        typename Admit::Filter filter = Admit::filter(view_, filters_, queriers_.number[i]);
        if (by_height()) filter.add_heights(queriers_.min_z[i], queriers_.max_z[i]);
        return filter;
    }
    // The one for all, except for heights; null if there is none.
    const Admit* for_all() const { return may_be_one_for_all() ? &first_ : nullptr; }

    bool by_height() const { return queriers_.min_z != nullptr; }
    // Whether two are at one place, at the same heights.
    bool are_alike(std::uint32_t one, std::uint32_t other) const {
        const auto are_same = [&](const float* all) { return all[one] == all[other]; };
        return are_same(queriers_.x) && are_same(queriers_.y) &&
               (!by_height() || (are_same(queriers_.min_z) && are_same(queriers_.max_z)));
    }

    // A band around those of `count` queriers from `first` on.
    typename Admission<V>::Heights heights(std::uint32_t first, std::uint32_t count) const {
        auto all = Admit::heights_of((*this)[first]);
        for (std::uint32_t i = first + 1; i < first + count; ++i) {
            const auto one = Admit::heights_of((*this)[i]);
            all.min = one.min < all.min ? one.min : all.min;
            all.max = all.max < one.max ? one.max : all.max;
        }
        return all;
    }

    // Whether an agent is admitted by all queriers or by none; by height only if that was found for all
    // agents in question.
    bool are_one_for_all() const { return may_be_one_for_all() && (!by_height() || on_one_storey_); }
    bool may_be_one_for_all() const { return filters_.are_one_for_all(); }
    // The next `count` queriers from `first` on look at a patch, or at agents anywhere.
    template <class Patch>
    void look_at(Patch* patch, std::uint32_t first, std::uint32_t count) {
        on_one_storey_ = by_height() && patch != nullptr && patch->is_of_one_storey(queriers_, first, count);
    }

private:
    const View& view_;
    const LabelFilters& filters_;
    const Queriers& queriers_;
    const Admit first_;
    bool on_one_storey_ = false;
};

}  // namespace throng::simd
