// A number for each of a few ids, in the order in which they came: a small hash table with open addressing.
// Most of its slots are empty, so one look at a slot turns down nearly every other id, and the table fits
// into the nearest cache. So a commit finds a few agents among all ids of a frame.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/memory/growth.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

class FewIds {
public:
    static constexpr std::size_t most = 1024;
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    explicit FewIds(ScratchList& scratch) noexcept : ids_(scratch), slots_(scratch, slots_for_an_id) {}

    std::size_t size() const noexcept { return ids_.size(); }
    std::size_t bytes() const noexcept { return ids_.bytes() + slots_.bytes(); }
    // Makes room for `count` ids in all, which is `most` or less. Returns false if there is no memory.
    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        unsigned bits = ids_.size() == 0 ? fewest_bits : bits_;
        while (std::size_t{1} << bits < slots_for_an_id * count) ++bits;
        if (!ids_.reserve(count) || !slots_.reserve(std::size_t{1} << bits)) return false;
        if (slots_.size() >> bits == 0) fill(bits);
        return true;
    }
    // For an id that has no number; needs reserved room.
    void add(AgentId id) noexcept {
        (void)ids_.push_back(id);
        put(ids_.size() - 1);
    }
    // `none` for an id that was not added.
    std::uint32_t number_of(AgentId id) const noexcept {
        if (ids_.size() == 0) return none;
        for (std::size_t slot = home(id); slots_[slot] != 0; slot = next(slot))
            if (ids_[slots_[slot] - 1u] == id) return slots_[slot] - 1u;
        return none;
    }
    // Only the first ones stay.
    void keep(std::size_t count) noexcept {
        if (count == ids_.size()) return;
        (void)ids_.resize(count);  // does not grow
        fill(count == 0 ? fewest_bits : bits_);
    }
    void clear() noexcept { keep(0); }

    // Calls found(number, i) for each i in [begin, end) where ids[i] has a number.
    template <class Found>
    void for_each_among(const AgentId* ids, std::size_t begin, std::size_t end,
                        Found&& found) const noexcept {
        const std::uint16_t* const slots = slots_.data();
        const unsigned shift = 32 - bits_;
        const auto slot = [&](std::size_t i) -> std::uint32_t { return slots[hash(ids[i]) >> shift]; };
        const auto look = [&](std::size_t i) {
            if (const std::uint32_t number = number_of(ids[i]); number != none) found(number, i);
        };
        for (; end - begin >= 8; begin += 8) {
            const std::uint32_t low = slot(begin) | slot(begin + 1) | slot(begin + 2) | slot(begin + 3),
                                high = slot(begin + 4) | slot(begin + 5) | slot(begin + 6) | slot(begin + 7);
            for (std::size_t k = 0; (low | high) != 0 && k < 8; ++k) look(begin + k);
        }
        for (; begin < end; ++begin) look(begin);
    }

private:
    static constexpr std::size_t slots_for_an_id = 64;
    static constexpr unsigned fewest_bits = 8;

    static std::uint32_t hash(AgentId id) noexcept { return id * 0x9E3779B1u; }
    std::size_t home(AgentId id) const noexcept { return hash(id) >> (32 - bits_); }
    std::size_t next(std::size_t slot) const noexcept { return (slot + 1) & ((std::size_t{1} << bits_) - 1); }
    void put(std::size_t number) noexcept {
        std::size_t slot = home(ids_[number]);
        while (slots_[slot] != 0) slot = next(slot);
        slots_[slot] = static_cast<std::uint16_t>(number + 1);
    }
    // There is room for the slots.
    void fill(unsigned bits) noexcept {
        slots_.clear();
        (void)slots_.resize(std::size_t{1} << bits, std::uint16_t{0});
        bits_ = bits;
        for (std::size_t number = 0; number < ids_.size(); ++number) put(number);
    }

    Scratch<AgentId> ids_;
    Scratch<std::uint16_t> slots_;  // a number plus one; 0 if there is none
    unsigned bits_ = fewest_bits;   // there are 2^bits_ slots, or none before the first call to reserve
};

}  // namespace throng::detail
