// How a committer makes a frame of many edits without a look at the order of the agents that have none.
#include <algorithm>
#include <array>

#include "engine/src/memory/id_table.hpp"
#include "engine/src/write/committer.hpp"

namespace throng::detail {

namespace {

// Whether a sample of the edits lies in many of the world's rows. Agents that leave are where they were; where that is not
// known, a commit by rows would have to look for it among all agents, so they count as spread.
bool are_spread(const WorldMap& map, const Staging& staging) noexcept {
    const std::span<const Edit> edits = staging.edits();
    constexpr std::size_t most = 64;
    std::array<std::uint32_t, most> rows;
    std::size_t count = 0, unknown = 0;
    for (std::size_t i = 0; i < most; ++i) {
        const std::size_t edit = edits.size() * i / most;
        if (edits[edit].boxed)
            rows[count++] = map.row_of(staging.boxes_after()[edit]);
        else if (!staging.knows_cells())
            ++unknown;
        else if (edits[edit].old_cell != no_cell)
            rows[count++] = map.cell_at(edits[edit].old_cell).row;
    }
    std::sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    const auto different =
        std::unique(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count)) - rows.begin();
    return (static_cast<std::size_t>(different) + unknown) * 4 >= std::min<std::size_t>(most, map.rows());
}

bool may_be_merged(const FrameState& frame, const Staging& staging) noexcept {
    return !frame.labelled && !staging.brings_labels() && frame.agents != 0 &&
           !are_sparse(staging.id_bound(), frame.agents) &&
           std::none_of(frame.rows.begin(), frame.rows.end(),
                        [](const simd::Row& row) { return row.holes != 0; });
}

// A word is made in a register: what was written a moment ago is not at once read again.
void mark_ascending(std::span<const AgentId> ids, std::uint32_t* words) noexcept {
    std::uint32_t word = 0, bits = 0;
    for (const AgentId id : ids) {
        bits = (bits & (std::uint32_t{id / 32 != word} - 1)) | std::uint32_t{1} << id % 32;
        word = id / 32;
        words[word] = bits;
    }
}

void mark(std::span<const AgentId> ids, std::uint32_t* words) noexcept {
    for (const AgentId id : ids) words[id / 32] |= std::uint32_t{1} << id % 32;
}

}  // namespace

Committer::Way Committer::choose_way(const FrameState& frame, const Staging& staging) noexcept {
    constexpr std::size_t small_world = 8192;
    const std::size_t edits = staging.size(), agents = frame.agents, left = staging.agents_after(frame),
                      coming = edits - std::min(edits, agents - std::min(agents, left));
    const bool above_4th = edits * 4 > agents, is_small = agents < small_world;
    const bool above_25th = !is_small && edits * 25 > agents;
    // Merging writes all rows, as edits that are anywhere nearly do, and makes the tree over oversized agents again, too.
    const bool above_128th = !is_small && edits > frame.rows.size() &&
                             edits * 128 > agents + std::size_t{16} * frame.view.oversized.count;
    if (!above_4th && !((above_25th || above_128th) && are_spread(frame.map, staging))) return Way::by_rows;
    // Merging costs most for agents that come. Small worlds are merged up to a third, so that tests take all three ways.
    if (edits * 3 <= agents && (is_small || coming * 6 <= agents) && may_be_merged(frame, staging))
        return Way::merged;
    return above_4th || (above_25th && !are_sparse(frame.id_bound, agents)) ? Way::from_scratch
                                                                            : Way::by_rows;
}

// Lists the agents that come, and marks those that move or leave. Ids may be in any order. Returns false if there is no memory.
bool Committer::list_coming(const Staging& staging) noexcept {
    const std::span<const Edit> edits = staging.edits();
    const std::size_t words = staging.id_bound() / 32 + 1;
    if (!resize_amply(edited_, words) || !resize_amply(coming_ids_, edits.size())) return false;
    std::fill_n(edited_.data(), words, 0u);
    bool all_move = true, ascend = true;
    AgentId next = 0;
    AgentId* const ids = coming_ids_.data();
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Edit& edit = edits[i];
        ids[i] = edit.id;
        all_move &= edit.present & edit.boxed;
        ascend &= edit.id >= next;
        next = edit.id + 1;
    }
    if (!all_move) return list_some_coming(staging);
    if (ascend)
        mark_ascending({coming_ids_.data(), edits.size()}, edited_.data());
    else
        mark({ids, edits.size()}, edited_.data());
    coming_ = {staging.boxes_of_edits(), coming_ids_.data(), {}};
    return true;
}

// The same where some edits bring no box.
bool Committer::list_some_coming(const Staging& staging) noexcept {
    const std::span<const Edit> edits = staging.edits();
    const BoxPointers boxes = staging.boxes_after();
    coming_boxes_.clear();
    if (!coming_boxes_.resize(edits.size())) return false;
    std::size_t count = 0;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Edit& edit = edits[i];
        const bool comes = edit.present && edit.boxed;
        if (comes || !edit.present) edited_[edit.id / 32] |= std::uint32_t{1} << edit.id % 32;
        if (!comes) continue;
        coming_ids_[count] = edit.id;
        coming_boxes_.set(count++, boxes[i]);
    }
    (void)coming_boxes_.resize(count);  // does not grow
    coming_ = {coming_boxes_.view(), coming_ids_.data(), {}};
    return true;
}

Status Committer::merge(Store& store, FrameBuilder& builder, const Executor& executor,
                        const FrameState& frame, const Staging& staging, FrameState*& next) noexcept {
    if (!list_coming(staging)) return {Code::out_of_memory};
    FrameState* coming = nullptr;
    Status status = builder.build_unsorted(store, {coming_, frame.map, frame.kernels, executor}, coming);
    if (!status.ok()) return status;
    status =
        merger_.merge(store, {frame, *coming, edited_.data(), staging.agents_after(frame), executor}, next);
    store.abandon(coming);
    return status;
}

}  // namespace throng::detail
