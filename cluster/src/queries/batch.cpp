#include "cluster/src/queries/batch.hpp"

namespace throng::cluster::detail {

Status Batch::fault_of_filters(std::size_t count) const noexcept {
    if (!filters_.one_for_all() && filters_.size() != count) return {Code::size_mismatch, Argument::filters};
    if (!selves_.empty() && selves_.size() != count) return {Code::size_mismatch, Argument::ids};
    if (filters_.each_leaves_out_itself()) return {Code::bad_config, Argument::filters};
    for (std::size_t q = 0; q < (filters_.one_for_all() ? 1 : count); ++q)
        if (filters_[q].self != no_agent) return {Code::bad_config, q, Argument::filters};
    return {};
}

void Batch::pack(Question question, std::size_t q, Word* at) const noexcept {
    const Filter filter = filters_[q];
    question.head.question = static_cast<std::uint32_t>(q);
    question.head.categories = filter.categories;
    question.head.not_in_group = filter.not_in_group;
    question.head.leaves_out_self = selves_.empty() ? 0 : 1;
    if (!selves_.empty()) question.head.self = selves_[q];
    question.pack(at);
}

void Batch::read_heads() noexcept {
    const std::size_t count = inquiry.asked();
    if (!state.trouble.ok() || !state.need(local_filters.resize(count) && bounds.resize(count))) return;
    for (std::size_t q = 0; q < count; ++q) {
        const Question question(inquiry.question(q));
        bounds[q] = question.bounds();
        local_filters[q] = {question.head.categories, no_agent, question.head.not_in_group};
        if (question.head.leaves_out_self != 0) local_filters[q].self = state.now.find(question.head.self);
    }
}

}  // namespace throng::cluster::detail
