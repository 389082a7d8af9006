// The filters of a batch as the kernels read them: none, if they would leave out no agent.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/kernels.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/traits.hpp"
#include "engine/src/query/batch_order.hpp"
#include "simd/query_kernels.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

// Without labels, all agents have the default category and no group, and without heights every height.
THRONG_ALWAYS_INLINE inline bool admits_all(const FrameState& frame, const Filter& filter) noexcept {
    if (filter.self != no_agent) return false;
    if (!frame.labelled()) return (filter.categories & simd::default_category) != 0;
    if (filter.not_in_group != no_group || (frame.has_heights() && filter.heights != Band{})) return false;
    return (filter.categories & frame.shared_categories) != 0 || filter.categories == all_categories;
}

// The filter of one query, which must live as long as the result.
inline simd::LabelFilters one_filter(const FrameState& frame, const Filter& filter) noexcept {
    return {.first = &filter.categories, .bands = frame.has_heights() ? &filter.heights.min_z : nullptr};
}
inline simd::LabelFilters kernel_filters(const FrameState& frame, const Filter& filter) noexcept {
    return admits_all(frame, filter) ? simd::LabelFilters{} : one_filter(frame, filter);
}

// The number of the one storey at which a query looks, or 0 if it looks at several.
inline std::uint32_t layer_of_query(const WorldMap& map, const simd::LabelFilters& filters,
                                    std::size_t i) noexcept {
    if (!map.has_storeys() || filters.bands == nullptr) return 0;
    const simd::LabelFilter filter = filters[i];
    return map.layer_of({filter.min_z, filter.max_z});
}

// Unless there is one filter for all, there must be one for each query.
inline Status check_filters(const Filters& filters, std::size_t queries) noexcept {
    if (filters.one_for_all()) return check_bands(filters);
    if (filters.size() != 0 && filters.first() == nullptr) return {Code::null_view, Argument::filters};
    if (filters.size() != queries) return {Code::size_mismatch, Argument::filters};
    return check_bands(filters);
}

struct FilterBatch {
    static constexpr std::uint32_t all_bits = ~std::uint32_t{0};
    simd::LabelFilters filters;

    FilterBatch() noexcept = default;
    // `wanted` must live as long as this.
    FilterBatch(const FrameState& frame, const Filters& wanted) noexcept {
        if (wanted.one_for_all() && admits_all(frame, wanted[0])) return;
        filters = {.first = wanted.first(), .step = wanted.stride() / sizeof(std::uint32_t)};
        if (frame.has_heights() && wanted.heights() != nullptr) {
            filters.bands = &wanted.heights()->min_z;
            filters.band_step = wanted.height_stride() / sizeof(float);
        }
        if (wanted.each_leaves_out_itself())
            filters.itself = all_bits, filters.number = static_cast<AgentId>(wanted.number());
        if (wanted.are_of_elements()) filters.itself = filters.number = all_bits, filters.number_step = 0;
    }
    // Those of the queries from `first` on.
    simd::LabelFilters from(std::size_t first) const noexcept {
        return filters.are_unfiltered() ? filters : filters.from(first);
    }
    // Whether hardly any agent is admitted. Such queries run in the caller's order: they read little but the
    // table of stretches, which stays in the cache anyway, and sorting them would cost more. Judged from a
    // sample of the batch.
    bool are_selective(const FrameState& frame, const QueryBatch& batch) const noexcept;
};

}  // namespace throng::detail
