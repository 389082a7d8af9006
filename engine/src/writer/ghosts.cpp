#include "engine/src/writer/ghosts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace throng::detail {

namespace {

using simd::GhostIds;

constexpr std::size_t page_size = GhostIds::ids_in_a_page, page_words = GhostIds::words_in_a_page;

std::uint64_t bit_of(AgentId id) noexcept { return std::uint64_t{1} << id % 64; }

// Makes the table of some ids, which each_id(visit) visits, the same ones each time it is called. The first
// page has none, and stands for all that have none.
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
    const std::size_t pages = highest / page_size + 1, spread = pages - lowest / page_size,
                      most_pages = 1 + std::min(count, spread);
    Block* const block =
        store.take(most_pages * page_words * sizeof(std::uint64_t) + pages * sizeof(std::uint32_t));
    if (block == nullptr) return false;
    auto* const words = reinterpret_cast<std::uint64_t*>(block->memory);
    auto* const first_word = reinterpret_cast<std::uint32_t*>(words + most_pages * page_words);
    const GhostIds ghosts{first_word, words, lowest, highest + 1};
    std::fill_n(words, most_pages * page_words, std::uint64_t{0});
    std::fill_n(first_word, pages, 0u);
    std::uint32_t used = page_words;
    each_id([&](AgentId id) {
        std::uint32_t& first = first_word[id / page_size];
        if (first == 0) {
            first = used;
            used += page_words;
        }
        words[ghosts.word_of(id)] |= bit_of(id);
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
        if (ends_ghost(before, edit)) words[before.ghosts.word_of(edit.id)] &= ~bit_of(edit.id);
    ghosts.pages = moved(ghosts.pages);
    ghosts.words = words;
    store.set_ghosts(frame, block, ghosts, before.ghost_count - ended);
    return true;
}

}  // namespace throng::detail
