#include "engine/src/edit/gathered_agents.hpp"

#include <algorithm>
#include <limits>

#include "base/blocks.hpp"
#include "base/legal.hpp"
#include "engine/src/frame/frame_reader.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/memory/ids.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// A coordinate of the box of an id without an agent.
constexpr float absent = std::numeric_limits<float>::quiet_NaN();

}  // namespace

Status GatheredAgents::list(const Executor& executor, const FrameState& frame, const Staging& staging,
                            AgentList& agents) noexcept {
    may_be_kept_ = false;
    if (staging.are_an_update()) {
        agents = {staging.boxes_of_edits(), nullptr, {}, {}};
        return {};
    }
    const Status status = gather(executor, frame, staging, agents);
    may_be_kept_ = status.ok() && agents.traits_are_by_id;
    return status;
}

// A box cannot become inverted: subtracting the same value from both edges is monotonic, even with rounding.
Status GatheredAgents::list_moved(const Executor& executor, const FrameState& frame, const Staging& staging,
                                  float dx, float dy, AgentList& agents) noexcept {
    if (const Status bad = gather(executor, frame, staging, agents); !bad.ok()) return bad;
    BoxArrays& boxes = agents.ids == nullptr ? boxes_ : without_gaps_;
    for (std::size_t i = 0; i < agents.boxes.size(); ++i) {
        const Box box = boxes[i].moved(-dx, -dy);
        boxes.set(i, box);
        if (const Code code = check(box); code != Code::ok)
            return {code, agents.ids == nullptr ? i : agents.ids[i]};
    }
    return {};
}

Status GatheredAgents::gather(const Executor& executor, const FrameState& frame, const Staging& staging,
                              AgentList& list) noexcept {
    const bool kept = gathered_for_ != 0 && gathered_for_ == frame.number && kept_room_ == room();
    const std::size_t bound = staging.id_bound(), agents = staging.agents_after();
    const bool are_far_apart = are_sparse(bound, agents), has_gaps = bound != agents;
    gathered_for_ = 0;
    extras_ = staging.extras_after();
    if (are_far_apart) {
        if (!gather_few(frame, staging)) return {Code::out_of_memory};
    } else {
        Status status = gather_by_id(executor, frame, staging, kept);
        if (status.ok() && has_gaps && !list_without_gaps(agents)) status = {Code::out_of_memory};
        if (status.ok()) status = gather_traits_by_id(executor, frame, staging, kept);
        if (!status.ok()) return status;
    }
    if (has_gaps)
        list = {without_gaps_.view(), ids_.data(), {}, {}, !are_far_apart};
    else
        list = {boxes_.view()};
    list.set_traits(traits_.data(), traits_.size(), extras_);
    return {};
}

Status GatheredAgents::gather_by_id(const Executor& executor, const FrameState& frame, const Staging& staging,
                                    bool kept) noexcept {
    const std::size_t bound = staging.id_bound();
    const bool has_gaps = bound != staging.agents_after();
    if (!kept) boxes_.clear();
    if (kept || has_gaps ? !boxes_.resize(bound, absent) : !boxes_.resize(bound))
        return {Code::out_of_memory};
    if (!kept) {
        constexpr std::uint32_t agents_ahead = 24;
        const parallel::Ran ran =
            for_each_agent(executor, frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
                const RowArrays arrays(row);
                if (i + agents_ahead < row.count) boxes_.ask_for(arrays.id[i + agents_ahead]);
                boxes_.set(id, arrays.box(i));
            });
        if (!ran) return outcome(ran);
    }
    const std::span<const Edit> edits = staging.edits();
    const BoxPointers boxes = staging.boxes_after();
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        if (i + ahead < edits.size()) boxes_.ask_for(edits[i + ahead].id);
        if (!edits[i].present)
            boxes_.set(edits[i].id, {absent, absent, absent, absent});
        else if (edits[i].boxed)
            boxes_.set(edits[i].id, boxes[i]);
    }
    return {};
}

// Returns false if there is no memory.
bool GatheredAgents::list_without_gaps(std::size_t agents) noexcept {
    if (!without_gaps_.resize(agents) || !ids_.resize(agents)) return false;
    std::size_t at = 0;
    for (std::size_t id = 0; id < boxes_.size() && at < agents; ++id) {
        const Box box = boxes_[id];
        if (box.min_x != box.min_x) continue;
        without_gaps_.set(at, box);
        ids_[at++] = static_cast<AgentId>(id);
    }
    return true;
}

Status GatheredAgents::gather_traits_by_id(const Executor& executor, const FrameState& frame,
                                           const Staging& staging, bool kept) noexcept {
    if (!kept || !frame.labelled()) traits_.clear();
    if (!has_labels(extras_)) return {};
    if (!traits_.resize(staging.id_bound(), Traits{})) return {Code::out_of_memory};
    if (frame.labelled() && !kept) {
        const parallel::Ran ran =
            for_each_agent(executor, frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
                traits_[id] = traits_in(row, frame.extras, i);
            });
        if (!ran) return outcome(ran);
    }
    for (std::size_t i = 0; i < staging.edits().size(); ++i) {
        Traits& traits = traits_[staging.edits()[i].id];
        traits = staging.traits_after(i, traits);
    }
    return {};
}

// Marks the agents that leave, if a bit for each id is little beside the agents that there were. Most of many
// may leave, and their edits are all over the memory. Returns false if there is no memory.
bool GatheredAgents::mark_leaving(const FrameState& frame, const Staging& staging) noexcept {
    const std::size_t words = staging.id_bound() / 32 + 1;
    leaving_.clear();
    if (words > frame.agents) return true;
    if (!reserve_amply(leaving_, words) || !leaving_.resize(words, 0u)) return false;
    for (const Edit& edit : staging.edits())
        leaving_[edit.id / 32] |= std::uint32_t{!edit.present} << edit.id % 32;
    return true;
}

bool GatheredAgents::gather_few(const FrameState& frame, const Staging& staging) noexcept {
    const std::size_t agents = staging.agents_after();
    const bool has_traits = has_labels(extras_);
    traits_.clear();
    few_agents_.clear();
    if (!without_gaps_.resize(agents) || !ids_.resize(agents) || !few_agents_.reserve(agents) ||
        (has_traits && !traits_.resize(agents)) || !mark_leaving(frame, staging))
        return false;
    const std::uint32_t* const leaving = leaving_.size() == 0 ? nullptr : leaving_.data();
    (void)for_each_agent(serial_executor(), frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
        if (leaving != nullptr && (leaving[id / 32] >> id % 32 & 1) != 0) return;
        Gathered one{id, RowArrays(row).box(i), traits_in(row, frame.extras, i)};
        const Edit* edit = staging.edit_of_agent(id);
        if (edit != nullptr && !edit->present) return;
        const auto number = edit == nullptr ? 0 : static_cast<std::size_t>(edit - staging.edits().data());
        if (edit != nullptr && edit->boxed) one.box = staging.boxes_after()[number];
        if (edit != nullptr && has_traits) one.traits = staging.traits_after(number, one.traits);
        (void)few_agents_.push_back(one);
    });
    for (std::size_t i = 0; i < staging.edits().size(); ++i)
        if (const Edit& edit = staging.edits()[i]; edit.old_cell == no_cell && edit.present)
            (void)few_agents_.push_back(
                {edit.id, staging.boxes_after()[i], has_traits ? staging.traits_after(i, {}) : Traits{}});
    std::sort(few_agents_.begin(), few_agents_.end(),
              [](const Gathered& a, const Gathered& b) { return a.id < b.id; });
    for (std::size_t i = 0; i < few_agents_.size() && i < agents; ++i) {
        ids_[i] = few_agents_[i].id;
        without_gaps_.set(i, few_agents_[i].box);
        if (has_traits) traits_[i] = few_agents_[i].traits;
    }
    return few_agents_.size() == agents;
}

}  // namespace throng::detail
