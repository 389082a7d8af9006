// How a committer makes a frame of many edits without a look at the order of the agents that have none.
#include <algorithm>
#include <array>

#include "engine/src/memory/id_table.hpp"
#include "engine/src/write/committer.hpp"

namespace throng::detail {

namespace {

// Whether a sample of the edits lies in many of the world's rows. Agents that leave are where they were;
// where that is not known, a commit by rows would have to look for it among all agents, so they count as
// spread.
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
           !are_sparse(staging.id_bound(), frame.agents);
}

}  // namespace

Committer::Way Committer::choose_way(const FrameState& frame, const Staging& staging) noexcept {
    constexpr std::size_t small_world = 8192;
    const std::size_t edits = staging.size(), agents = frame.agents, left = staging.agents_after(frame),
                      coming = edits - std::min(edits, agents - std::min(agents, left));
    const bool above_4th = edits * 4 > agents, is_small = agents < small_world;
    const bool above_25th = !is_small && edits * 25 > agents;
    // Merging writes all rows, as edits that are anywhere nearly do, and makes the tree over oversized agents
    // again, too.
    const bool many = is_small ? edits * 12 > agents
                               : edits > frame.rows.size() &&
                                     edits * 200 > agents + std::size_t{16} * frame.view.oversized.count;
    if (!above_4th && !((above_25th || many) && are_spread(frame.map, staging))) return Way::by_rows;
    // Merging costs most for agents that come. Small worlds are merged up to a third, so that tests take all
    // three ways.
    if (edits * 3 <= agents && (is_small || coming * 6 <= agents) && may_be_merged(frame, staging))
        return Way::merged;
    return above_4th || (above_25th && !are_sparse(frame.id_bound, agents)) ? Way::from_scratch
                                                                            : Way::by_rows;
}

// Lists the agents that come, and marks those that move or leave. Ids may be in any order. Returns false if
// there is no memory.
bool Committer::list_coming(const Staging& staging) noexcept {
    const std::span<const Edit> edits = staging.edits();
    const std::size_t words = staging.id_bound() / 32 + 1;
    if (!resize_amply(edited_, words) || !resize_amply(coming_ids_, edits.size())) return false;
    std::uint32_t* const marks = edited_.data();
    AgentId* const ids = coming_ids_.data();
    std::fill_n(marks, words, 0u);
    std::size_t count = 0;
    for (const Edit& edit : edits) {
        ids[count] = edit.id;
        count += std::size_t{edit.present && edit.boxed};
        marks[edit.id / 32] |= std::uint32_t{edit.boxed || !edit.present} << edit.id % 32;
    }
    coming_ = {staging.boxes_of_edits(), ids, {}};
    if (count == edits.size()) return true;
    coming_boxes_.clear();
    if (!coming_boxes_.resize(count)) return false;
    for (std::size_t i = 0, next = 0; next < count; ++i)
        if (edits[i].present && edits[i].boxed) coming_boxes_.set(next++, staging.boxes_after()[i]);
    coming_.boxes = coming_boxes_.view();
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
