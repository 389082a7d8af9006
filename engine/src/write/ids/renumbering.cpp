#include "engine/src/write/ids/renumbering.hpp"

#include "engine/src/frame/row_labels.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/write/each_agent.hpp"

namespace throng::detail {

namespace {

// The number of an agent that has none yet.
constexpr std::uint32_t unnumbered = IdTable::none - 1;

}  // namespace

Status Renumbering::take(const Executor& executor, const FrameState& frame,
                         std::span<const AgentId> order) noexcept {
    if (order.size() != frame.agents) return {Code::size_mismatch, Argument::ids};
    if (order.size() >= unnumbered) return {Code::too_many, unnumbered};
    if (!note_agents(frame)) return {Code::out_of_memory};
    const Status status = number(order);
    return status.ok() ? gather(executor, frame) : status;
}

// Returns false if there is no memory.
bool Renumbering::note_agents(const FrameState& frame) noexcept {
    number_of_.clear();
    bool enough = number_of_.grow(frame.id_bound, frame.id_bound);
    if (!enough) return false;
    return for_each_agent(serial_executor(), frame,
                          [&](AgentId id, const simd::Row&, std::uint32_t) {
                              enough = enough && number_of_.prepare(id);
                              if (enough) number_of_.set_first(id, unnumbered);
                          }) &&
           enough;
}

Status Renumbering::number(std::span<const AgentId> order) noexcept {
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t number = order[k] < number_of_.size() ? number_of_[order[k]] : IdTable::none;
        if (number == IdTable::none) return {Code::unknown_id, k, Argument::ids};
        if (number != unnumbered) return {Code::duplicate_id, k, Argument::ids};
        number_of_.replace(order[k], static_cast<std::uint32_t>(k));
    }
    return {};
}

Status Renumbering::gather(const Executor& executor, const FrameState& frame) noexcept {
    labels_.clear();
    if (!boxes_.resize(frame.agents) || (frame.labelled && !labels_.resize(frame.agents)))
        return {Code::out_of_memory};
    const bool ran = for_each_agent(executor, frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
        const std::uint32_t number = number_of_[id];
        boxes_[number] = RowArrays(row).box(i);
        if (frame.labelled) labels_[number] = RowLabels(row).label(i);
    });
    if (!ran) return {Code::bad_executor};
    list_ = {Boxes::of({boxes_.data(), boxes_.size()}), nullptr, {}, true, true};
    if (frame.labelled) list_.labels = Labels::of({labels_.data(), labels_.size()});
    return {};
}

}  // namespace throng::detail
