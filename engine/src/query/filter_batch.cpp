#include "engine/src/query/filter_batch.hpp"

#include <algorithm>

#include "engine/src/base/as_kernel.hpp"
#include "engine/src/frame/row_labels.hpp"

namespace throng::detail {

bool FilterBatch::are_selective(const FrameState& frame, const QueryBatch& batch) const noexcept {
    if (filters.are_unfiltered()) return false;
    const std::size_t looked_at = std::min<std::size_t>(batch.size(), 64);
    std::uint64_t all = 0, matching = 0;
    for (std::size_t i = 0; i < looked_at; ++i) {
        const std::size_t n = batch.size() / looked_at * i;
        const simd::Query& q = batch.data()[n];
        const std::uint32_t categories = filters[n].categories;
        if (check(box_of(q)) != Code::ok) continue;
        const std::uint32_t region = frame.map.region_at(q.min_x, q.min_y);
        const simd::Grid& g = frame.map.grid_of_region(region);
        const std::size_t r = frame.map.first_row(region) + row_at(g, q.min_y);
        const std::uint32_t s = column_at(g, q.min_x) >> simd::stretch_shift;
        const std::uint32_t here = frame.labelled ? frame.stretches[r * frame.view.stretches_in_row + s]
                                                  : std::uint32_t{simd::default_category};
        ++all;
        matching += (here & categories) != 0;
    }
    return matching * 4 <= all;
}

}  // namespace throng::detail
