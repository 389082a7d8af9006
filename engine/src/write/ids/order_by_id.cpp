#include "engine/src/write/ids/order_by_id.hpp"

#include <algorithm>
#include <cstring>

#include "engine/src/frame/row_layout.hpp"

namespace throng::detail {

namespace {

// Four coordinates and an id.
constexpr std::size_t arrays_before_labels = 5;

// A key has the id of an agent above its place in the row.
using Key = std::uint64_t;
constexpr Key key_of(AgentId id, std::size_t place) noexcept { return Key{id} << 32 | place; }
constexpr std::uint32_t place_in(Key key) noexcept { return static_cast<std::uint32_t>(key); }

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
    constexpr std::size_t few = 8;
    if (end - begin < 2) return;
    if (end - begin <= few)
        exchange_all(keys + begin, end - begin);
    else
        std::sort(keys + begin, keys + end);
}

}  // namespace

// Most cells have one to three agents, so a branch on whether they are in order would be foretold wrongly half of the time.
// So the keys of all are sorted, cell by cell, and then each array of the row is put in the order of the keys.
void order_by_id(const simd::Row& row, std::uint32_t columns, std::byte* scratch) noexcept {
    auto* words = reinterpret_cast<std::uint32_t*>(const_cast<float*>(row.data));
    const AgentId* ids = RowArrays(row).id;
    const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(scratch) % sizeof(Key);
    auto* keys = reinterpret_cast<Key*>(scratch + (misaligned == 0 ? 0 : sizeof(Key) - misaligned));
    const auto order = [&](std::size_t begin, std::size_t count, auto&& sort) {
        auto* values = reinterpret_cast<std::uint32_t*>(keys + count);
        for (std::size_t i = 0; i < count; ++i) keys[i] = key_of(ids[begin + i], i);
        sort();
        for (std::size_t k = 0; k < arrays_before_labels; ++k) {
            std::uint32_t* array = words + k * row.stride + begin;
            for (std::size_t i = 0; i < count; ++i) values[i] = array[place_in(keys[i])];
            std::memcpy(array, values, count * sizeof(std::uint32_t));
        }
    };
    if (row.count != 0)
        order(0, row.count, [&] {
            for (std::uint32_t c = 0; c < columns; ++c) sort_keys(keys, row.cells[c], row.cells[c + 1]);
        });
    if (row.oversized > 1)
        order(oversized_begin(row), row.oversized, [&] { sort_keys(keys, 0, row.oversized); });
}

}  // namespace throng::detail
