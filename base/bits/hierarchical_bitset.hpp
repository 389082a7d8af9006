// HierarchicalBitset: a set of indices in [0, size) that is fast to walk however sparse it is. Level 0 has
// one bit for each index. Each level above has one bit for every 64-bit word of the level below, set where
// that word is not empty. The top level is a single word:
//
//     level 2   1                                                one word
//               |
//     level 1   1 0 1 0 ... 0 1                                  a bit for each word of level 0
//               |   |         |
//     level 0   [01..0] [00..0] [10..1] [00..0] ... [00..1]      a bit for each index
//
// A search that finds the rest of a word empty climbs until it sees a bit, and descends to it. So it skips
// 4,096 empty indices by reading three words, and 16 million by reading five. Walking and clearing a set
// costs in proportion to what it holds, not to its size. The levels above take 1/63 of the memory of level 0.
// The engine keeps its free ids in one.
//
//     throng::HierarchicalBitset dirty;
//     if (!dirty.resize(cells)) return out_of_memory;
//     dirty.set(cell);                                                          // O(1)
//     dirty.for_each([&](std::size_t cell) { rebuild(cell); });                 // costs what it holds
//     dirty.clear();                                                            // costs what it holds
//
// Indices that are not below `size` are never in the set: tests return false, and changes do nothing and
// return false. A range that ends beyond the set is cut off there; one that ends before it begins is empty.
//
// Threads: one may write, or any number may read. Only a visitor may throw. Only `resize` allocates,
// from the given resource (null is the global heap); without memory it returns false and changes nothing.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "throng/export.hpp"
#include "throng/memory.hpp"

namespace throng {

// Result of validate(). A fault means that memory was corrupted from outside.
struct BitsetValidation {
    std::uint64_t faults = 0;
    // The first wrong word, and its level.
    unsigned level = 0;
    std::size_t word = 0;

    bool sound() const noexcept { return faults == 0; }
    explicit operator bool() const noexcept { return sound(); }
};

class THRONG_API HierarchicalBitset {
public:
    using Word = std::uint64_t;
    // Returned by a search that found nothing.
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);

    explicit HierarchicalBitset(MemoryResource* memory = nullptr) noexcept
        : memory_(memory), words_(memory) {}
    // A moved-from set is empty and keeps its memory resource.
    HierarchicalBitset(HierarchicalBitset&& other) noexcept : HierarchicalBitset(other.memory_) {
        swap(other);
    }
    HierarchicalBitset& operator=(HierarchicalBitset&& other) noexcept {
        HierarchicalBitset(std::move(other)).swap(*this);
        return *this;
    }
    void swap(HierarchicalBitset& other) noexcept;

    // --- Size ----------------------------------------------------------------------------------------------

    std::size_t size() const noexcept { return size_; }
    // Indices below the new size stay; new indices are not in the set. Grows by at least half, so growing
    // step by step is cheap. Memory is freed only by the destructor.
    [[nodiscard]] bool resize(std::size_t size) noexcept;
    std::size_t bytes() const noexcept { return words_.bytes(); }

    // --- One index -----------------------------------------------------------------------------------------

    bool test(std::size_t i) const noexcept { return i < size_ && (word(0, i / 64) & bit(i)) != 0; }
    // Both return whether the index is below the size.
    bool set(std::size_t i) noexcept {
        if (i >= size_) return false;
        mark(0, i);
        return true;
    }
    bool reset(std::size_t i) noexcept {
        if (i >= size_) return false;
        if ((word(0, i / 64) & bit(i)) != 0) unmark(0, i);
        return true;
    }

    // --- Ranges, [begin, end) ------------------------------------------------------------------------------

    // Both return whether the range ends within the set.
    bool set_range(std::size_t begin, std::size_t end) noexcept;
    bool reset_range(std::size_t begin, std::size_t end) noexcept;
    std::size_t count_in(std::size_t begin, std::size_t end) const noexcept;

    // --- The whole set -------------------------------------------------------------------------------------

    bool any() const noexcept { return levels_ != 0 && word(levels_ - 1, 0) != 0; }
    bool none() const noexcept { return !any(); }
    std::size_t count() const noexcept { return count_in(0, size_); }
    // Empties the set, which keeps its size.
    void clear() noexcept { reset_range(0, size_); }

    // --- Searches, which return npos where there is nothing ------------------------------------------------

    // The first that is at least `begin`, for loops:
    //     for (i = s.find_next(0); i != s.npos; i = s.find_next(i + 1)) ...
    std::size_t find_next(std::size_t begin) const noexcept { return next(0, begin); }
    std::size_t first() const noexcept { return find_next(0); }

    // --- Visits, in ascending order. A visitor that returns false ends the visit ---------------------------

    // The visitor may set and reset indices meanwhile. Changes among the 64 indices of the current word may
    // or may not be seen; other changes ahead are seen. It must not resize the set.
    template <std::invocable<std::size_t> Visitor>
    void for_each(Visitor&& visitor) const {
        for_each_in(0, size_, visitor);
    }
    template <std::invocable<std::size_t> Visitor>
    void for_each_in(std::size_t begin, std::size_t end, Visitor&& visitor) const {
        for_each_word(begin, end, [&](std::size_t w, Word bits) {
            for (; bits != 0; bits &= bits - 1)
                if (!goes_on(visitor, w * 64 + lowest(bits))) return false;
            return true;
        });
    }

    // --- About the set -------------------------------------------------------------------------------------

    // How many levels there are: none before the first resize, and at least two then.
    unsigned levels() const noexcept { return levels_; }
    // The words of a level, including those kept for growth.
    std::span<const Word> words(unsigned level) const noexcept {
        if (level >= levels_) return {};
        return {words_.data() + begins_[level], words_in(level)};
    }
    // Checks every coarse bit against its word, and that nothing is set beyond the size.
    BitsetValidation validate() const noexcept;

private:
    // The most levels that a 64-bit index needs.
    static constexpr unsigned max_levels = (std::numeric_limits<std::size_t>::digits + 5) / 6;

    static constexpr Word bit(std::size_t i) noexcept { return Word{1} << (i % 64); }
    static constexpr std::size_t lowest(Word bits) noexcept {
        return static_cast<std::size_t>(std::countr_zero(bits));
    }
    // The bits of word `w` that belong to [begin, end), which overlaps that word.
    static constexpr Word part(std::size_t w, std::size_t begin, std::size_t end) noexcept {
        Word bits = ~Word{0};
        if (begin > w * 64) bits <<= begin % 64;
        if (end - w * 64 < 64) bits &= bit(end) - 1;
        return bits;
    }

    Word& word(unsigned level, std::size_t w) noexcept { return words_[begins_[level] + w]; }
    Word word(unsigned level, std::size_t w) const noexcept { return words_[begins_[level] + w]; }
    std::size_t words_in(unsigned level) const noexcept { return begins_[level + 1] - begins_[level]; }

    // Sets a bit, and the bits above it that are not set yet.
    void mark(unsigned level, std::size_t i) noexcept {
        for (; level < levels_; ++level, i /= 64) {
            const Word before = word(level, i / 64);
            word(level, i / 64) = before | bit(i);
            if (before != 0) return;
        }
    }
    // Clears a bit, and the bits above it whose word is empty now.
    void unmark(unsigned level, std::size_t i) noexcept {
        for (; level < levels_; ++level, i /= 64)
            if ((word(level, i / 64) &= ~bit(i)) != 0) return;
    }

    // The first bit of a level that is set and not below `i`.
    std::size_t next(unsigned bottom, std::size_t i) const noexcept {
        for (unsigned level = bottom; level < levels_; ++level) {
            const std::size_t w = i / 64;
            if (w >= words_in(level)) return npos;
            const Word bits = word(level, w) & (~Word{0} << (i % 64));
            if (bits == 0) {
                i = w + 1;
                continue;
            }
            i = w * 64 + lowest(bits);
            while (level != bottom) i = i * 64 + lowest(word(--level, i));
            return i;
        }
        return npos;
    }
    // The first word of a level that is not empty and not below `w`.
    std::size_t next_word(unsigned level, std::size_t w) const noexcept { return next(level + 1, w); }

    // Calls `visit(w, bits)` for each word of level 0 that has something in [begin, end), until it returns
    // false.
    template <class Visit>
    void for_each_word(std::size_t begin, std::size_t end, Visit visit) const {
        if (begin >= end) return;
        for (std::size_t w = next_word(0, begin / 64); w <= (end - 1) / 64; w = next_word(0, w + 1))
            if (!visit(w, word(0, w) & part(w, begin, end))) return;
    }
    static bool goes_on(auto& visitor, std::size_t index) {
        if constexpr (std::is_void_v<decltype(visitor(index))>) {
            visitor(index);
            return true;
        } else {
            return static_cast<bool>(visitor(index));
        }
    }
    Word expected_word(unsigned level, std::size_t w) const noexcept;
    bool make_room(std::size_t size) noexcept;

    MemoryResource* memory_ = nullptr;
    detail::Buffer<Word> words_;
    // Where each level begins among the words, and after the last level where it ends.
    std::array<std::size_t, max_levels + 1> begins_{};
    unsigned levels_ = 0;
    std::size_t size_ = 0;
};

}  // namespace throng
