// Tells a frame which of its agents are ghosts.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "engine/src/memory/ids.hpp"
#include "engine/src/writer/writer.hpp"

namespace throng::detail {

namespace {

using simd::GhostIds;

constexpr std::size_t ids_in_page = GhostIds::ids_in_a_page;

void give_range(Store& store, AgentId lowest, std::size_t count, FrameState& frame) noexcept {
    const auto bound = static_cast<AgentId>(lowest + count);
    store.set_ghosts(frame, nullptr, {nullptr, nullptr, lowest, bound}, count);
}

// Gives a frame some ids, which each_id(visit) visits, the same ones each time it is called. The first page
// of a table has none, and stands for all pages without ids.
template <class EachId>
bool make_ghosts(Store& store, const EachId& each_id, FrameState& frame) noexcept {
    std::size_t count = 0;
    AgentId lowest = no_agent, highest = 0;
    each_id([&](AgentId id) {
        ++count;
        lowest = std::min(lowest, id);
        highest = std::max(highest, id);
    });
    if (count == 0) return true;
    if (highest - lowest + std::size_t{1} == count) {
        give_range(store, lowest, count, frame);
        return true;
    }
    const bool in_pages = are_sparse(std::size_t{highest} + 1, frame.agents);
    const std::size_t pages = in_pages ? highest / ids_in_page + 1 : 0,
                      page_words = GhostIds::words_in_a_page * (1 + std::min(count, pages)),
                      words = in_pages ? page_words : highest / 32 + std::size_t{2};
    Block* const block = store.take((words + pages) * sizeof(std::uint32_t));
    if (block == nullptr) return false;
    auto* const first = reinterpret_cast<std::uint32_t*>(block->memory);
    std::uint32_t* const first_of = first + words;
    std::fill_n(first, words + pages, 0u);
    const GhostIds ghosts{first, in_pages ? first_of : nullptr, lowest, highest + 1};
    std::uint32_t used = GhostIds::words_in_a_page;
    each_id([&](AgentId id) {
        if (in_pages && first_of[id / ids_in_page] == 0)
            first_of[id / ids_in_page] = std::exchange(used, used + GhostIds::words_in_a_page);
        first[ghosts.word_of(id)] |= 1u << id % 32;
    });
    store.set_ghosts(frame, block, ghosts, count);
    return true;
}

bool is_among(std::span<const AgentId> ascending, AgentId id) noexcept {
    return std::binary_search(ascending.begin(), ascending.end(), id);
}
// Whether an edit takes a ghost away: it leaves, or another agent gets its id.
bool ends_ghost(const FrameState& before, const Edit& edit) noexcept {
    return (!edit.present || edit.inserted) && before.ghosts.has(edit.id);
}

}  // namespace

bool give_ghosts(Store& store, const GhostsGiven& given, FrameState& frame) noexcept {
    if (given.ids == nullptr && given.left_out.empty() && given.owned < given.count) {
        give_range(store, static_cast<AgentId>(given.owned), given.count - given.owned, frame);
        return true;
    }
    return make_ghosts(
        store,
        [&](const auto& visit) {
            for (std::size_t i = given.owned; i < given.count; ++i) {
                const AgentId id = given.ids == nullptr ? static_cast<AgentId>(i) : given.ids[i];
                if (!is_among(given.left_out, id)) visit(id);
            }
        },
        frame);
}

void keep_ghosts(Store& store, const FrameState& before, FrameState& frame) noexcept {
    store.set_ghosts(frame, before.ghost_block, before.ghosts, before.ghost_count);
}

bool renumber_ghosts(Store& store, const FrameState& before, std::span<const AgentId> order,
                     FrameState& frame) noexcept {
    if (before.ghost_count == 0) return true;
    return make_ghosts(
        store,
        [&](const auto& visit) {
            for (std::size_t k = 0; k < order.size(); ++k)
                if (before.ghosts.has(order[k])) visit(static_cast<AgentId>(k));
        },
        frame);
}

bool edit_ghosts(Store& store, const FrameState& before, const Staging& staging, FrameState& frame) noexcept {
    std::size_t ended = 0;
    for (const Edit& edit : staging.edits()) ended += ends_ghost(before, edit);
    if (ended == before.ghost_count) return true;  // none is left
    if (ended == 0) {
        keep_ghosts(store, before, frame);
        return true;
    }
    if (before.ghosts.is_range())
        return make_ghosts(
            store,
            [&](const auto& visit) {
                for (AgentId id = before.ghosts.lowest; id < before.ghosts.bound; ++id) {
                    const Edit* const edit = staging.edit_of_agent(id);
                    if (edit == nullptr || !ends_ghost(before, *edit)) visit(id);
                }
            },
            frame);
    const Block& old = *before.ghost_block;
    Block* const block = store.take(old.bytes);
    if (block == nullptr) return false;
    std::memcpy(block->memory, old.memory, old.bytes);
    const auto moved = [&]<class T>(const T* at) {
        return reinterpret_cast<T*>(block->memory + (reinterpret_cast<const std::byte*>(at) - old.memory));
    };
    GhostIds ghosts = before.ghosts;
    std::uint32_t* const words = moved(ghosts.words);
    for (const Edit& edit : staging.edits())
        if (ends_ghost(before, edit)) words[before.ghosts.word_of(edit.id)] &= ~(1u << edit.id % 32);
    if (ghosts.pages != nullptr) ghosts.pages = moved(ghosts.pages);
    ghosts.words = words;
    store.set_ghosts(frame, block, ghosts, before.ghost_count - ended);
    return true;
}

}  // namespace throng::detail
