// How a committer lists all agents with the staged edits, for a frame that is built from nothing.
#include <algorithm>
#include <limits>

#include "engine/src/frame/row_labels.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/memory/id_table.hpp"
#include "engine/src/write/committer.hpp"
#include "engine/src/write/ids/each_agent.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// Of an id without an agent.
constexpr Box absent{std::numeric_limits<float>::quiet_NaN(), 0, 0, 0};

}  // namespace

Status Committer::gather(const Executor& executor, const FrameState& frame, const Staging& staging,
                         std::size_t agents) noexcept {
    const bool kept = has_gathered(frame);
    gathered_for_ = 0;
    may_be_kept_ = false;
    sparse_ = are_sparse(staging.id_bound(), agents);
    if (sparse_) return gather_few(frame, staging, agents) ? Status{} : Status{Code::out_of_memory};
    Status status = gather_by_id(executor, frame, staging, agents, kept);
    if (status.ok()) status = gather_labels_by_id(executor, frame, staging, kept);
    may_be_kept_ = status.ok();
    return status;
}

Status Committer::gather_by_id(const Executor& executor, const FrameState& frame, const Staging& staging,
                               std::size_t agents, bool kept) noexcept {
    const std::size_t bound = staging.id_bound();
    const bool has_holes = bound != agents;
    if (kept) {
        if (!spread_gathered(bound)) return {Code::out_of_memory};
    } else {
        boxes_.clear();
        if (has_holes ? !boxes_.resize(bound, absent) : !boxes_.resize(bound)) return {Code::out_of_memory};
        constexpr std::uint32_t agents_ahead = 24;
        if (!for_each_agent(executor, frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
                const RowArrays arrays(row);
                if (i + agents_ahead < row.count) boxes_.ask_for(arrays.id[i + agents_ahead]);
                boxes_.set(id, arrays.box(i));
            }))
            return {Code::bad_executor};
    }
    ids_.clear();
    if (has_holes && !ids_.resize(agents)) return {Code::out_of_memory};
    if (kept && !has_holes && staging.are_boxes_by_id()) return {};
    const std::span<const Edit> edits = staging.edits();
    const BoxPointers boxes = staging.boxes_after();
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        if (i + ahead < edits.size()) boxes_.ask_for(edits[i + ahead].id);
        if (!edits[i].present)
            boxes_.set(edits[i].id, absent);
        else if (edits[i].boxed)
            boxes_.set(edits[i].id, boxes[i]);
    }
    if (has_holes) close_holes();
    return {};
}

// Puts the boxes where their ids are, and makes room for more. Returns false if there is no memory.
bool Committer::spread_gathered(std::size_t bound) noexcept {
    const std::size_t agents = boxes_.size();
    std::size_t next = std::max(bound, agents);
    if (!boxes_.resize(next, absent)) return false;
    if (ids_.size() == 0) return boxes_.resize(bound);
    for (std::size_t i = ids_.size(); i-- > 0;) {
        const Box box = boxes_[i];
        for (; next > ids_[i] + std::size_t{1}; --next) boxes_.set(next - 1, absent);
        boxes_.set(--next, box);
    }
    for (; next != 0; --next) boxes_.set(next - 1, absent);
    return boxes_.resize(bound);
}

void Committer::close_holes() noexcept {
    std::size_t at = 0;
    for (std::size_t id = 0; id < boxes_.size() && at < ids_.size(); ++id) {
        const Box box = boxes_[id];
        if (box.min_x != box.min_x) continue;
        boxes_.set(at, box);
        ids_[at++] = static_cast<AgentId>(id);
    }
    (void)boxes_.resize(at);  // does not grow
}

Status Committer::gather_labels_by_id(const Executor& executor, const FrameState& frame,
                                      const Staging& staging, bool kept) noexcept {
    if (!kept || !frame.labelled) labels_.clear();
    if (!frame.labelled && !staging.brings_labels()) return {};
    if (!labels_.resize(staging.id_bound(), Label{})) return {Code::out_of_memory};
    if (frame.labelled && !kept &&
        !for_each_agent(executor, frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
            labels_[id] = RowLabels(row).label(i);
        }))
        return {Code::bad_executor};
    for (std::size_t i = 0; i < staging.edits().size(); ++i) {
        Label& label = labels_[staging.edits()[i].id];
        label = staging.label_after(i, label);
    }
    return {};
}

// Marks the agents that leave, where a bit for each id is little beside the agents that there were. Most of
// many may leave, and their edits are all over the memory. Returns false if there is no memory.
bool Committer::mark_leaving(const FrameState& frame, const Staging& staging) noexcept {
    const std::size_t words = staging.id_bound() / 32 + 1;
    edited_.clear();
    if (words > frame.agents) return true;
    if (!reserve_amply(edited_, words) || !edited_.resize(words, 0u)) return false;
    for (const Edit& edit : staging.edits())
        edited_[edit.id / 32] |= std::uint32_t{!edit.present} << edit.id % 32;
    return true;
}

bool Committer::gather_few(const FrameState& frame, const Staging& staging, std::size_t agents) noexcept {
    const bool labelled = frame.labelled || staging.brings_labels();
    labels_.clear();
    few_agents_.clear();
    if (!boxes_.resize(agents) || !ids_.resize(agents) || !few_agents_.reserve(agents) ||
        (labelled && !labels_.resize(agents)) || !mark_leaving(frame, staging))
        return false;
    const std::uint32_t* const leaving = edited_.size() == 0 ? nullptr : edited_.data();
    (void)for_each_agent(serial_executor(), frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
        if (leaving != nullptr && (leaving[id / 32] >> id % 32 & 1) != 0) return;
        Gathered one{id, RowArrays(row).box(i), frame.labelled ? RowLabels(row).label(i) : Label{}};
        const Edit* edit = staging.edit_of_agent(id);
        if (edit != nullptr && !edit->present) return;
        const auto number = edit == nullptr ? 0 : static_cast<std::size_t>(edit - staging.edits().data());
        if (edit != nullptr && edit->boxed) one.box = staging.boxes_after()[number];
        if (edit != nullptr && labelled) one.label = staging.label_after(number, one.label);
        (void)few_agents_.push_back(one);
    });
    for (std::size_t i = 0; i < staging.edits().size(); ++i)
        if (const Edit& edit = staging.edits()[i]; edit.old_cell == no_cell && edit.present)
            (void)few_agents_.push_back(
                {edit.id, staging.boxes_after()[i], labelled ? staging.label_after(i, {}) : Label{}});
    std::sort(few_agents_.begin(), few_agents_.end(),
              [](const Gathered& a, const Gathered& b) { return a.id < b.id; });
    for (std::size_t i = 0; i < few_agents_.size() && i < agents; ++i) {
        ids_[i] = few_agents_[i].id;
        boxes_.set(i, few_agents_[i].box);
        if (labelled) labels_[i] = few_agents_[i].label;
    }
    return few_agents_.size() == agents;
}

}  // namespace throng::detail
