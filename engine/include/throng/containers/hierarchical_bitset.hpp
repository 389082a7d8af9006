// HierarchicalBitset: a set of small integers, the indices [0, size), that is quick to walk however sparse it
// is. One bit an index, and above it levels that each have one bit for every 64-bit word of the level below,
// set where that word is not empty, up to a level of a single word:
//
//     level 2   1                                                one word
//               |
//     level 1   1 0 1 0 ... 0 1                                  a bit for each word of level 0
//               |   |         |
//     level 0   [01..0] [00..0] [10..1] [00..0] ... [00..1]      a bit for each index
//
// A search that finds the rest of a word empty climbs until it sees a bit and comes down to it, so it passes
// over 4,096 empty indices in the time of three words, and over 16 million in the time of five. Walking,
// emptying, comparing and combining sets costs what they hold, not their size. The levels above take 1/63 of
// the memory of level 0. The engine keeps the ids that are free in one.
//
//     throng::HierarchicalBitset dirty;
//     if (!dirty.resize(cells)) return out_of_memory;
//     dirty.set(cell);                                                          // O(1)
//     dirty.for_each([&](std::size_t cell) { rebuild(cell); });                 // by what it holds
//     dirty.for_each_run([&](std::size_t begin, std::size_t end) { ... });      // whole stretches
//     dirty.clear();                                                            // by what it holds
//
// Indices that are not below `size` are never in the set: asking for one is answered with no, and a change to
// one is not made and returns false. A range that ends beyond the set is cut off there; one that ends before
// it begins is empty. Sets of different sizes may be combined: each reads as if it went on with nothing.
//
// Threads: one may write, or any number may read. Nothing throws, but what a visitor throws itself; only
// `resize` and `assign` need memory, which comes from the given resource (null is the global heap), and where
// there is none they return false and have changed nothing.
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

#include "throng/containers/buffer.hpp"
#include "throng/export.hpp"
#include "throng/memory.hpp"

namespace throng {

// What is wrong inside of a set; nothing, unless its memory was written to by somebody else.
struct BitsetValidation {
    std::uint64_t faults = 0;
    // The first word that is not what it should be, and its level.
    unsigned level = 0;
    std::size_t word = 0;

    bool sound() const noexcept { return faults == 0; }
    explicit operator bool() const noexcept { return sound(); }
};

class THRONG_API HierarchicalBitset {
public:
    using Word = std::uint64_t;
    // The answer of a search that found nothing.
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);

    explicit HierarchicalBitset(MemoryResource* memory = nullptr) noexcept
        : memory_(memory), words_(memory) {}
    // What was moved from is empty, and goes on with the same resource.
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
    // What is below the new size stays; new indices are not in the set. Grows by at least half, so that
    // growing step by step is cheap; memory is given back only when the set ends.
    [[nodiscard]] bool resize(std::size_t size) noexcept;
    // Becomes equal to the other set, size and all.
    [[nodiscard]] bool assign(const HierarchicalBitset& other) noexcept;
    std::size_t bytes() const noexcept { return words_.bytes(); }

    // --- One index -----------------------------------------------------------------------------------------

    bool test(std::size_t i) const noexcept { return i < size_ && (word(0, i / 64) & bit(i)) != 0; }
    // Both return whether there is such an index.
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
    bool any_in(std::size_t begin, std::size_t end) const noexcept {
        return begin < end && find_next(begin) < end;
    }
    std::size_t count_in(std::size_t begin, std::size_t end) const noexcept;

    // --- The whole set -------------------------------------------------------------------------------------

    bool any() const noexcept { return levels_ != 0 && word(levels_ - 1, 0) != 0; }
    bool none() const noexcept { return !any(); }
    std::size_t count() const noexcept { return count_in(0, size_); }
    // Takes everything out of the set, which keeps its size.
    void clear() noexcept { reset_range(0, size_); }

    // --- Searches, which answer npos where there is nothing ------------------------------------------------

    // The first that is not below `begin`, and the last that is below `end`: starting points for
    //     for (i = s.find_next(0); i != s.npos; i = s.find_next(i + 1)) ...
    //     for (i = s.find_previous(s.size()); i != s.npos; i = s.find_previous(i)) ...
    std::size_t find_next(std::size_t begin) const noexcept { return next(0, begin); }
    std::size_t find_previous(std::size_t end) const noexcept;
    std::size_t first() const noexcept { return find_next(0); }
    std::size_t last() const noexcept { return find_previous(size_); }

    // --- Visits, in ascending order. A visitor that returns false ends the visit ---------------------------

    // A visitor may set and reset indices meanwhile. Whether it is shown a change among the 64 indices around
    // the one it was given is open; other changes ahead are seen. It must not resize the set.
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
    // Every stretch [begin, end) that is in the set as a whole and is as long as can be.
    template <std::invocable<std::size_t, std::size_t> Visitor>
    void for_each_run(Visitor&& visitor) const {
        for (std::size_t begin = first(), end; begin != npos; begin = find_next(end)) {
            end = end_of_run(begin);
            if (!goes_on(visitor, begin, end)) return;
        }
    }

    // --- Two sets ------------------------------------------------------------------------------------------

    // Whether anything is in both.
    bool intersects(const HierarchicalBitset& other) const noexcept;
    // Everything that is in both, in ascending order, without making a set of it. Neither may be changed
    // meanwhile; a visitor that returns false ends the visit.
    template <std::invocable<std::size_t> Visitor>
    void for_each_common(const HierarchicalBitset& other, Visitor&& visitor) const {
        for (std::size_t w = next_common_word(other, 0); w != npos; w = next_common_word(other, w + 1))
            for (Word bits = word(0, w) & other.word(0, w); bits != 0; bits &= bits - 1)
                if (!goes_on(visitor, w * 64 + lowest(bits))) return;
    }
    HierarchicalBitset& operator&=(const HierarchicalBitset& other) noexcept;
    // What the other holds beyond the size of this one is left out.
    HierarchicalBitset& operator|=(const HierarchicalBitset& other) noexcept;
    // Takes out what the other holds.
    void subtract(const HierarchicalBitset& other) noexcept;
    // The same size, and the same in it.
    friend bool operator==(const HierarchicalBitset& a, const HierarchicalBitset& b) noexcept {
        return a.equals(b);
    }

    // --- About the set -------------------------------------------------------------------------------------

    // How many levels there are: none before the first resize, and at least two then.
    unsigned levels() const noexcept { return levels_; }
    // The words of a level, those that are kept for growth included.
    std::span<const Word> words(unsigned level) const noexcept {
        if (level >= levels_) return {};
        return {words_.data() + begins_[level], words_in(level)};
    }
    // Every coarse bit against its word, and nothing beyond the size.
    BitsetValidation validate() const noexcept;

private:
    // As many levels as an index of 64 bits could ever need.
    static constexpr unsigned max_levels = (std::numeric_limits<std::size_t>::digits + 5) / 6;

    static constexpr Word bit(std::size_t i) noexcept { return Word{1} << (i % 64); }
    static constexpr std::size_t lowest(Word bits) noexcept {
        return static_cast<std::size_t>(std::countr_zero(bits));
    }
    static constexpr std::size_t highest(Word bits) noexcept {
        return 63 - static_cast<std::size_t>(std::countl_zero(bits));
    }
    // Of a word, the bits that belong to [begin, end); the word has some of them.
    static constexpr Word part(std::size_t w, std::size_t begin, std::size_t end) noexcept {
        Word bits = ~Word{0};
        if (begin > w * 64) bits <<= begin % 64;
        if (end - w * 64 < 64) bits &= bit(end) - 1;
        return bits;
    }

    Word& word(unsigned level, std::size_t w) noexcept { return words_[begins_[level] + w]; }
    Word word(unsigned level, std::size_t w) const noexcept { return words_[begins_[level] + w]; }
    Word word_or_none(unsigned level, std::size_t w) const noexcept {
        return w < words_in(level) ? word(level, w) : 0;
    }
    std::size_t words_in(unsigned level) const noexcept { return begins_[level + 1] - begins_[level]; }

    // Sets a bit, and those above it that are not set yet.
    void mark(unsigned level, std::size_t i) noexcept {
        for (; level < levels_; ++level, i /= 64) {
            const Word before = word(level, i / 64);
            word(level, i / 64) = before | bit(i);
            if (before != 0) return;
        }
    }
    // Takes a bit away, and those above it that stood for it alone.
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
    std::size_t next_common_word(const HierarchicalBitset& other, std::size_t from) const noexcept;
    std::size_t end_of_run(std::size_t begin) const noexcept;

    // Calls `visit(w, bits)` for each word of level 0 that has something in [begin, end), until it returns
    // false.
    template <class Visit>
    void for_each_word(std::size_t begin, std::size_t end, Visit visit) const {
        if (begin >= end) return;
        for (std::size_t w = next_word(0, begin / 64); w <= (end - 1) / 64; w = next_word(0, w + 1))
            if (!visit(w, word(0, w) & part(w, begin, end))) return;
    }
    template <class Visitor, class... Index>
    static bool goes_on(Visitor& visitor, Index... index) {
        if constexpr (std::is_void_v<std::invoke_result_t<Visitor&, Index...>>) {
            visitor(index...);
            return true;
        } else {
            return static_cast<bool>(visitor(index...));
        }
    }
    bool equals(const HierarchicalBitset& other) const noexcept;
    Word expected_word(unsigned level, std::size_t w) const noexcept;
    bool make_room(std::size_t size) noexcept;

    MemoryResource* memory_ = nullptr;
    detail::Buffer<Word> words_;
    // Where each level begins among the words; behind the last one, where it ends.
    std::array<std::size_t, max_levels + 1> begins_{};
    unsigned levels_ = 0;
    std::size_t size_ = 0;
};

}  // namespace throng
