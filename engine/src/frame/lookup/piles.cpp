#include "engine/src/frame/lookup/piles.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <utility>

#include "engine/src/frame/lookup/boxes_by_id.hpp"
#include "engine/src/frame/row_agents.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/store/store.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

using simd::least_pile;

// The box of a slot, bit by bit: -0 may be told from 0 by what is computed from it.
using BoxBits = std::array<std::uint32_t, 4>;

class CellOfPiles {
public:
    explicit CellOfPiles(const simd::Row& row) noexcept : row_(row), arrays_(row) {}

    // Adds the piles among these slots, unless boxes change so often that there are hardly any. Returns
    // false if there is no memory.
    bool add(std::uint32_t begin, std::uint32_t end, Buffer<simd::Pile>& piles) noexcept {
        first_ = begin;
        box_ = bits(begin);
        std::uint32_t changes = 0;
        for (std::uint32_t i = begin; i < end; i += together) {
            if (changes > many_changes + (i - begin) / 16) return true;
            const std::uint32_t some = std::min(end, i + together);
            if (some - i == together && are_all_one(i)) continue;
            for (std::uint32_t k = i; k < some; ++k)
                if (has_agent(row_, k) && bits(k) != box_ && (++changes, !begin_anew(k, piles))) return false;
        }
        return note(end, piles);
    }

private:
    static constexpr std::uint32_t together = 64, many_changes = 1024;

    BoxBits bits(std::uint32_t i) const noexcept { return bits_as<BoxBits>(arrays_.box(i)); }
    // Whether the next slots have the present box, or none. A plain loop, of which compilers make vectors.
    bool are_all_one(std::uint32_t i) const noexcept {
        std::uint32_t differ = 0;
        for (const auto& [edges, own] :
             {std::pair{arrays_.min_x + i, box_[0]}, std::pair{arrays_.min_y + i, box_[1]},
              std::pair{arrays_.max_x + i, box_[2]}, std::pair{arrays_.max_y + i, box_[3]}})
            differ |= row_.is_dense() ? differences(edges, own) : differences_of_boxes(edges, own);
        return differ == 0;
    }
    static std::uint32_t differences(const float* edges, std::uint32_t own) noexcept {
        std::uint32_t differ = 0;
        for (std::uint32_t k = 0; k < together; ++k) differ |= bits_as<std::uint32_t>(edges[k]) ^ own;
        return differ;
    }
    // All edges of a slot without an agent are NaN.
    static std::uint32_t differences_of_boxes(const float* edges, std::uint32_t own) noexcept {
        std::uint32_t differ = 0;
        for (std::uint32_t k = 0; k < together; ++k)
            differ |= edges[k] == edges[k] ? bits_as<std::uint32_t>(edges[k]) ^ own : 0;
        return differ;
    }
    bool begin_anew(std::uint32_t i, Buffer<simd::Pile>& piles) noexcept {
        const bool enough = note(i, piles);
        first_ = i;
        box_ = bits(i);
        return enough;
    }
    // The agents before this slot that have one box.
    bool note(std::uint32_t end, Buffer<simd::Pile>& piles) const noexcept {
        return end - first_ < least_pile || !has_agent(row_, first_) ||
               piles.push_back({arrays_.id + first_, arrays_.id + end});
    }

    std::uint32_t first_ = 0;
    BoxBits box_{};
    const simd::Row& row_;
    const RowArrays arrays_;
};

bool find_piles(const FrameState& frame, Buffer<simd::Pile>& piles) noexcept {
    piles.clear();
    for (std::size_t r = 0; r < frame.rows.size(); ++r) {
        const simd::Row& row = frame.rows[r];
        if (row.count < least_pile) continue;
        for (std::uint32_t c = 0; c < frame.map.columns(r); ++c)
            if (row.cells[c + 1] - row.cells[c] >= least_pile &&
                !CellOfPiles(row).add(row.cells[c], row.cells[c + 1], piles))
                return false;
    }
    std::sort(piles.begin(), piles.end(),
              [](const simd::Pile& a, const simd::Pile& b) { return std::less<>()(a.begin, b.begin); });
    return true;
}

const AgentTable* table_with_piles(const FrameState& frame) noexcept {
    const AgentTable* known = frame.by_id.load(std::memory_order_acquire);
    if (known != nullptr && known->has_piles.load(std::memory_order_acquire)) return known;
    const std::lock_guard lock(frame.store->making_agent_table);
    AgentTable* const table = table_to_fill(frame);
    if (table == nullptr) return nullptr;
    if (!table->has_piles.load(std::memory_order_relaxed)) {
        if (!find_piles(frame, table->piles)) table->piles.clear();
        table->has_piles.store(true, std::memory_order_release);
    }
    return table;
}

}  // namespace

const simd::Pile* next_pile(const simd::PileFinder& finder, const AgentId* slot) noexcept {
    const FrameState& frame = *static_cast<const FrameState*>(finder.frame);
    if (frame.sharing < std::uint64_t{least_pile} * (least_pile - 1) / 2) return nullptr;
    const AgentTable* table = table_with_piles(frame);
    if (table == nullptr) return nullptr;
    const simd::Pile* const behind = std::upper_bound(
        table->piles.begin(), table->piles.end(), slot,
        [](const AgentId* at, const simd::Pile& pile) { return std::less<>()(at, pile.end); });
    return behind != table->piles.end() ? behind : nullptr;
}

}  // namespace throng::detail
