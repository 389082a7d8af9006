#include "engine/src/build/order_by_id.hpp"

#include <algorithm>
#include <cstring>

#include "engine/src/frame/row_layout.hpp"

namespace throng::detail {

namespace {

// A key has the id of an agent above its slot in the row.
using Key = std::uint64_t;
constexpr Key key_of(AgentId id, std::size_t slot) noexcept { return Key{id} << 32 | slot; }
constexpr AgentId id_in(Key key) noexcept { return static_cast<AgentId>(key >> 32); }
constexpr std::uint32_t slot_in(Key key) noexcept { return static_cast<std::uint32_t>(key); }

// Sorts a few keys without a branch on what they are.
void exchange_all(Key* keys, std::size_t count) noexcept {
    for (std::size_t last = count - 1; last != 0; --last)
        for (std::size_t i = 0; i < last; ++i) {
            const Key a = keys[i], b = keys[i + 1];
            keys[i] = std::min(a, b);
            keys[i + 1] = std::max(a, b);
        }
}

void sort_keys(Key* keys, std::size_t begin, std::size_t end) noexcept {
    constexpr std::size_t max_exchanged = 8;
    if (end - begin < 2) return;
    if (end - begin <= max_exchanged)
        exchange_all(keys + begin, end - begin);
    else
        std::sort(keys + begin, keys + end);
}

// The keys of some agents of a row that follow each other, in scratch memory.
class Keys {
public:
    Keys(const simd::Row& row, std::size_t begin, std::size_t count, std::byte* scratch) noexcept
        : count_(count) {
        for (std::size_t k = 0; k < arrays; ++k)
            words_[k] =
                reinterpret_cast<std::uint32_t*>(const_cast<float*>(row.data)) + k * row.stride + begin;
        const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(scratch) % sizeof(Key);
        keys_ = reinterpret_cast<Key*>(scratch + (misaligned == 0 ? 0 : sizeof(Key) - misaligned));
        const std::uint32_t* ids = words_[arrays - 1];
        for (std::size_t i = 0; i < count; ++i) keys_[i] = key_of(ids[i], i);
    }
    void sort(std::size_t begin, std::size_t end) noexcept { sort_keys(keys_, begin, end); }
    // Puts the agents where their keys are.
    void apply() noexcept {
        std::uint32_t* values[arrays - 1];
        for (std::size_t k = 0; k < arrays - 1; ++k)
            values[k] = reinterpret_cast<std::uint32_t*>(keys_ + count_) + k * count_;
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint32_t slot = slot_in(keys_[i]);
            for (std::size_t k = 0; k < arrays - 1; ++k) values[k][i] = words_[k][slot];
        }
        for (std::size_t k = 0; k < arrays - 1; ++k)
            std::memcpy(words_[k], values[k], count_ * sizeof(std::uint32_t));
        for (std::size_t i = 0; i < count_; ++i) words_[arrays - 1][i] = id_in(keys_[i]);
    }

private:
    static constexpr std::size_t arrays = 5;  // four coordinates, and last the ids

    std::size_t count_;
    std::uint32_t* words_[arrays];
    Key* keys_;
};

}  // namespace

// Most cells have one to three agents, so a branch on their order would be predicted wrongly half of the
// time. So all keys are sorted, cell by cell, and then the row is put in the order of its keys.
void order_by_id(const simd::Row& row, std::uint32_t columns, std::byte* scratch) noexcept {
    if (row.count != 0) {
        Keys keys(row, 0, row.count, scratch);
        for (std::uint32_t c = 0; c < columns; ++c) keys.sort(row.cells[c], row.cells[c + 1]);
        keys.apply();
    }
    if (row.oversized > 1) {
        Keys keys(row, oversized_begin(row), row.oversized, scratch);
        keys.sort(0, row.oversized);
        keys.apply();
    }
}

}  // namespace throng::detail
