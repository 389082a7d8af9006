#include "cluster/src/inquiries/batch.hpp"

#include <cmath>

namespace throng::cluster::detail {

Status Batch::fault_of_filters(std::size_t count) const noexcept {
    if (!filters_.one_for_all() && filters_.size() != count) return {Code::size_mismatch, Argument::filters};
    if (!filters_.one_for_all() && count != 0 && filters_.first() == nullptr)
        return {Code::null_view, Argument::filters};
    if (!selves_.empty() && selves_.size() != count) return {Code::size_mismatch, Argument::ids};
    if (!selves_.empty() && selves_.data() == nullptr) return {Code::null_view, Argument::ids};
    if (filters_.each_leaves_out_itself()) return {Code::bad_config, Argument::filters};
    for (std::size_t q = 0; q < (filters_.one_for_all() ? 1 : count); ++q) {
        const Filter filter = filters_[q];
        if (filter.self != no_agent) return {Code::bad_config, q, Argument::filters};
        const Band& band = filter.heights;
        if (std::isnan(band.min_z) || std::isnan(band.max_z)) return {Code::not_finite, q, Argument::heights};
        if (band.min_z > band.max_z) return {Code::inverted, q, Argument::heights};
    }
    return {};
}

Query Batch::with_filter(Query query, std::size_t q) const noexcept {
    query.head.query = static_cast<std::uint32_t>(q);
    query.set_filter(filters_[q]);
    if (!selves_.empty()) query.leave_out(selves_[q]);
    return query;
}

void Batch::read_heads() noexcept {
    const std::size_t count = inquiry.asked();
    if (!state.trouble.ok() || !state.need(local_filters.resize(count) && bounds.resize(count))) return;
    for (std::size_t q = 0; q < count; ++q) {
        const Query query(inquiry.query(q));
        bounds[q] = query.bounds();
        local_filters[q] = local_filter(query);
    }
}

}  // namespace throng::cluster::detail
