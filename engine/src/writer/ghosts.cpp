#include "engine/src/writer/ghosts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace throng::detail {

namespace {

using simd::GhostIds;

constexpr std::size_t ids_in_page = GhostIds::ids_in_a_page, words_in_page = GhostIds::words_in_a_page;

std::uint64_t ghost_bit(AgentId id) noexcept { return std::uint64_t{1} << id % 64; }

void give_range(Store& store, AgentId lowest, std::size_t count, FrameState& frame) noexcept {
    const auto bound = static_cast<AgentId>(lowest + count);
    store.set_ghosts(frame, nullptr, {nullptr, nullptr, lowest, bound}, count);
}

// Gives a frame some ids, which each_id(visit) visits, the same ones each time it is called. The first page
// of a table has none, and stands for all that have none.
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
    const std::size_t pages = highest / ids_in_page + 1, spread = pages - lowest / ids_in_page,
                      most_pages = 1 + std::min(count, spread);
    Block* const block =
        store.take(most_pages * words_in_page * sizeof(std::uint64_t) + pages * sizeof(std::uint32_t));
    if (block == nullptr) return false;
    auto* const words = reinterpret_cast<std::uint64_t*>(block->memory);
    auto* const first_word = reinterpret_cast<std::uint32_t*>(words + most_pages * words_in_page);
    const GhostIds ghosts{first_word, words, lowest, highest + 1};
    std::fill_n(words, most_pages * words_in_page, std::uint64_t{0});
    std::fill_n(first_word, pages, 0u);
    std::uint32_t used = words_in_page;
    each_id([&](AgentId id) {
        std::uint32_t& first = first_word[id / ids_in_page];
        if (first == 0) {
            first = used;
            used += words_in_page;
        }
        words[ghosts.word_of(id)] |= ghost_bit(id);
    });
    store.set_ghosts(frame, block, ghosts, count);
    return true;
}

bool is_among(std::span<const AgentId> ascending, AgentId id) noexcept {
    return std::binary_search(ascending.begin(), ascending.end(), id);
}
// Whether an edit takes a ghost away: it leaves, or another agent comes that has its id.
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
    if (before.ghost_count != 0)
        for (const Edit& edit : staging.edits()) ended += ends_ghost(before, edit);
    if (ended == before.ghost_count) return true;  // there were none, or none is left
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
    std::uint64_t* const words = moved(ghosts.words);
    for (const Edit& edit : staging.edits())
        if (ends_ghost(before, edit)) words[before.ghosts.word_of(edit.id)] &= ~ghost_bit(edit.id);
    ghosts.pages = moved(ghosts.pages);
    ghosts.words = words;
    store.set_ghosts(frame, block, ghosts, before.ghost_count - ended);
    return true;
}

}  // namespace throng::detail
