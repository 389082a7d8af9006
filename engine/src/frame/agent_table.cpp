#include "engine/src/frame/agent_table.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "engine/src/frame/row_labels.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/store.hpp"
#include "engine/src/memory/scratch.hpp"

namespace throng::detail {

namespace {

// Calls visit(row, place) for every agent of a frame until it returns false, in the order of the rows.
template <class Visit>
void for_each_place(const FrameState& frame, Visit&& visit) noexcept {
    for (const simd::Row& row : frame.rows) {
        const std::size_t oversized = oversized_begin(row);
        for (std::size_t i = 0; i < row.count; ++i)
            if (!visit(row, i)) return;
        for (std::size_t i = oversized; i < oversized + row.oversized; ++i)
            if (!visit(row, i)) return;
    }
}

// Calls found(row, place) for the agent with this id, if there is one.
template <class Found>
void find_agent(const FrameState& frame, AgentId id, Found&& found) noexcept {
    for_each_place(frame, [&](const simd::Row& row, std::size_t i) {
        if (RowArrays(row).id[i] != id) return true;
        found(row, i);
        return false;
    });
}

}  // namespace

// Numbers the pages that have agents, and returns how many they are.
std::uint32_t AgentTable::number_pages(const FrameState& frame) noexcept {
    std::uint32_t count = 0;
    if (frame.agents == frame.id_bound) {
        for (std::uint32_t& page : pages_) page = count++;
        return count;
    }
    std::fill(pages_.begin(), pages_.end(), none);
    for_each_place(frame, [&](const simd::Row& row, std::size_t i) {
        pages_[RowArrays(row).id[i] / ids_in_a_page] = 0;
        return true;
    });
    for (std::uint32_t& page : pages_)
        if (page != none) page = count++;
    return count;
}

bool AgentTable::build(const FrameState& frame) noexcept {
    if (!resize_amply(pages_, (frame.id_bound + ids_in_a_page - 1) / ids_in_a_page)) return false;
    const std::size_t places = number_pages(frame) * ids_in_a_page;
    release_excess(boxes_, places);
    release_excess(labels_, places);
    if (!resize_amply(boxes_, places) || !resize_amply(labels_, frame.labelled ? places : 0)) return false;
    // Where all ids are in use, only the last page has places without an agent.
    const bool all_in_use = frame.agents == frame.id_bound;
    const std::size_t kept = all_in_use && places != 0 ? places - ids_in_a_page : 0;
    std::fill(boxes_.begin() + kept, boxes_.end(), no_box);
    if (frame.labelled) std::fill(labels_.begin() + kept, labels_.end(), Label{});
    for (const simd::Row& row : frame.rows) {
        if (agents_in(row) == 0) continue;
        const RowArrays arrays(row);
        const auto copy = [&](std::size_t begin, std::size_t count) {
            for (std::size_t i = begin; i < begin + count; ++i) {
                const std::size_t at = place(arrays.id[i]);
                boxes_[at] = arrays.box(i);
                if (frame.labelled) labels_[at] = RowLabels(row).label(i);
            }
        };
        copy(0, row.count);
        copy(oversized_begin(row), row.oversized);
    }
    return true;
}

const AgentTable* agent_table(const FrameState& frame) noexcept {
    const AgentTable* known = frame.by_id.load(std::memory_order_acquire);
    if (known != nullptr) return known;
    Store& store = *frame.store;
    const std::lock_guard lock(store.making_agent_table);
    AgentTable* table = frame.by_id.load(std::memory_order_relaxed);
    if (table != nullptr) return table;
    table = store.agent_tables.take();
    if (table == nullptr) return nullptr;
    if (!table->build(frame)) {
        store.agent_tables.put_back(table);
        return nullptr;
    }
    frame.by_id.store(table, std::memory_order_release);
    return table;
}

Box find_box(const FrameState& frame, AgentId id) noexcept {
    Box box = no_box;
    find_agent(frame, id, [&](const simd::Row& row, std::size_t i) { box = RowArrays(row).box(i); });
    return box;
}

Label find_label(const FrameState& frame, AgentId id) noexcept {
    Label label;
    if (!frame.labelled) return label;
    find_agent(frame, id, [&](const simd::Row& row, std::size_t i) { label = RowLabels(row).label(i); });
    return label;
}

}  // namespace throng::detail
