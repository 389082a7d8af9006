#include "engine/src/build/renumbering.hpp"

#include <atomic>

#include "base/blocks.hpp"
#include "engine/src/frame/frame_reader.hpp"
#include "engine/src/frame/row_layout.hpp"

namespace throng::detail {

namespace {

// The number of an agent that has none yet.
constexpr std::uint32_t unnumbered = IdTable::none - 1;

}  // namespace

// If each agent of the frame has a number, the order names all of them. Only if not, the wrong element is
// looked for.
Status Renumbering::take(const Executor& executor, const FrameState& frame,
                         std::span<const AgentId> order) noexcept {
    if (order.size() != frame.agents) return {Code::size_mismatch, Argument::ids};
    if (order.size() >= unnumbered) return {Code::too_many, unnumbered};
    bool good = true;
    if (!number(frame, order, good)) return {Code::out_of_memory};
    if (good)
        if (const Status bad = gather(executor, frame, good); !bad.ok()) return bad;
    return good ? Status{} : find_fault(frame, order);
}

// Returns false if there is no memory.
bool Renumbering::number(const FrameState& frame, std::span<const AgentId> order, bool& good) noexcept {
    number_of_.clear();
    if (!number_of_.grow(frame.id_bound, frame.id_bound)) return false;
    for (std::size_t k = 0; k < order.size() && good; ++k) {
        good = order[k] < frame.id_bound;
        if (!good) break;
        if (!number_of_.prepare(order[k])) return false;
        good = number_of_[order[k]] == IdTable::none;
        if (good) number_of_.set_first(order[k], static_cast<std::uint32_t>(k));
    }
    return true;
}

Status Renumbering::gather(const Executor& executor, const FrameState& frame, bool& good) noexcept {
    traits_.clear();
    if (!boxes_.resize(frame.agents) || (frame.labelled() && !traits_.resize(frame.agents)))
        return {Code::out_of_memory};
    std::atomic<bool> all_have_numbers{true};
    const parallel::Ran ran =
        for_each_agent(executor, frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
            const std::uint32_t number = number_of_[id];
            if (number == IdTable::none) return all_have_numbers.store(false, std::memory_order_relaxed);
            boxes_[number] = RowArrays(row).box(i);
            if (frame.labelled()) traits_[number] = traits_in(row, frame.extras, i);
        });
    if (!ran) return outcome(ran);
    good = all_have_numbers.load(std::memory_order_relaxed);
    list_ = {Boxes::of({boxes_.data(), boxes_.size()}), nullptr, {}, {}, true, true};
    list_.set_traits(traits_.data(), traits_.size(), frame.extras);
    return {};
}

// The status of the first element that is no agent or came before.
Status Renumbering::find_fault(const FrameState& frame, std::span<const AgentId> order) noexcept {
    number_of_.clear();
    bool enough = number_of_.grow(frame.id_bound, frame.id_bound);
    (void)for_each_agent(serial_executor(), frame, [&](AgentId id, const simd::Row&, std::uint32_t) {
        enough = enough && number_of_.prepare(id);
        if (enough) number_of_.set_first(id, unnumbered);
    });
    if (!enough) return {Code::out_of_memory};
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t number = order[k] < number_of_.size() ? number_of_[order[k]] : IdTable::none;
        if (number == IdTable::none) return {Code::unknown_id, k, Argument::ids};
        if (number != unnumbered) return {Code::duplicate_id, k, Argument::ids};
        number_of_.replace(order[k], static_cast<std::uint32_t>(k));
    }
    return {};
}

}  // namespace throng::detail
