#include "base/bits/hierarchical_bitset.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace throng {

// Levels are laid out for as many indices as there is room for. The first `size_` are used; everything behind
// them is always zero, so growing into it changes only `size_`.

void HierarchicalBitset::swap(HierarchicalBitset& other) noexcept {
    std::swap(memory_, other.memory_);
    words_.swap(other.words_);
    std::swap(begins_, other.begins_);
    std::swap(levels_, other.levels_);
    std::swap(size_, other.size_);
}

bool HierarchicalBitset::resize(std::size_t size) noexcept {
    if (size > size_ && !make_room(size)) return false;
    reset_range(size, size_);
    size_ = size;
    return true;
}

bool HierarchicalBitset::assign(const HierarchicalBitset& other) noexcept {
    if (this == &other) return true;
    if (!make_room(other.size_)) return false;
    clear();
    size_ = other.size_;
    *this |= other;
    return true;
}

bool HierarchicalBitset::make_room(std::size_t size) noexcept {
    const std::size_t room = levels_ == 0 ? 0 : words_in(0);
    const std::size_t needed = size / 64 + (size % 64 != 0 ? 1 : 0);
    if (needed <= room) return true;
    HierarchicalBitset larger(memory_);
    std::size_t in_level = std::max(needed, room + room / 2);
    // At least one level of coarse bits, so every walk can use them.
    do {
        larger.begins_[larger.levels_ + 1] = larger.begins_[larger.levels_] + in_level;
        in_level = in_level / 64 + (in_level % 64 != 0 ? 1 : 0);
        ++larger.levels_;
    } while (larger.levels_ < 2 || larger.words_in(larger.levels_ - 1) > 1);
    const std::size_t total = larger.begins_[larger.levels_];
    if (!larger.words_.resize_exactly(total)) return false;
    std::memset(larger.words_.data(), 0, total * sizeof(Word));
    larger.size_ = size_;
    larger |= *this;
    swap(larger);
    return true;
}

// --- Ranges ------------------------------------------------------------------------------------------------

bool HierarchicalBitset::set_range(std::size_t begin, std::size_t end) noexcept {
    const bool inside = end <= size_ || begin >= end;
    end = std::min(end, size_);
    if (begin >= end) return inside;
    for (unsigned level = 0; level < levels_; ++level) {
        const std::size_t first = begin / 64, last = (end - 1) / 64;
        for (std::size_t w = first; w <= last; ++w) word(level, w) |= part(w, begin, end);
        begin = first;
        end = last + 1;
    }
    return inside;
}

bool HierarchicalBitset::reset_range(std::size_t begin, std::size_t end) noexcept {
    const bool inside = end <= size_ || begin >= end;
    end = std::min(end, size_);
    // Level by level from below: the level above still shows which words are not empty. The coarse bits of
    // the first and the last word may have to stay.
    for (unsigned level = 0; level < levels_ && begin < end; ++level) {
        const std::size_t first = begin / 64, last = (end - 1) / 64;
        const bool top = level + 1 == levels_;
        for (std::size_t w = top ? first : next_word(level, first); w <= last;
             w = top ? w + 1 : next_word(level, w + 1))
            word(level, w) &= ~part(w, begin, end);
        begin = word(level, first) == 0 ? first : first + 1;
        end = word(level, last) == 0 ? last + 1 : last;
    }
    return inside;
}

std::size_t HierarchicalBitset::count_in(std::size_t begin, std::size_t end) const noexcept {
    std::size_t count = 0;
    for_each_word(begin, end, [&](std::size_t, Word bits) {
        count += static_cast<std::size_t>(std::popcount(bits));
        return true;
    });
    return count;
}

// --- Searches ----------------------------------------------------------------------------------------------

std::size_t HierarchicalBitset::find_previous(std::size_t end) const noexcept {
    std::size_t i = std::min(end, size_);
    for (unsigned level = 0; level < levels_ && i != 0; ++level) {
        const std::size_t w = (i - 1) / 64;
        const Word bits = word(level, w) & part(w, 0, i);
        if (bits == 0) {
            i = w;
            continue;
        }
        std::size_t found = w * 64 + highest(bits);
        while (level != 0) found = found * 64 + highest(word(--level, found));
        return found;
    }
    return npos;
}

std::size_t HierarchicalBitset::end_of_run(std::size_t begin) const noexcept {
    std::size_t w = begin / 64;
    for (Word missing = ~word(0, w) & (~Word{0} << (begin % 64));; missing = ~word(0, w)) {
        if (missing != 0) return w * 64 + lowest(missing);
        if (++w == words_in(0)) return size_;
    }
}

// Both sets may have a coarse bit without a common index below it. Then the search climbs again.
std::size_t HierarchicalBitset::next_common_word(const HierarchicalBitset& other,
                                                 std::size_t from) const noexcept {
    const unsigned levels = std::min(levels_, other.levels_);
    std::size_t i = from;
    for (unsigned level = 1; level < levels;) {
        const std::size_t w = i / 64;
        const Word both = word_or_none(level, w) & other.word_or_none(level, w);
        const Word bits = both & (~Word{0} << (i % 64));
        if (bits == 0) {
            i = w + 1;
            ++level;
            continue;
        }
        i = w * 64 + lowest(bits);
        if (level == 1) return i;
        --level;
        i *= 64;
    }
    return npos;
}

// --- Two sets ----------------------------------------------------------------------------------------------

bool HierarchicalBitset::intersects(const HierarchicalBitset& other) const noexcept {
    for (std::size_t w = next_common_word(other, 0); w != npos; w = next_common_word(other, w + 1))
        if ((word(0, w) & other.word(0, w)) != 0) return true;
    return false;
}

HierarchicalBitset& HierarchicalBitset::operator&=(const HierarchicalBitset& other) noexcept {
    for (std::size_t w = next_word(0, 0); w != npos; w = next_word(0, w + 1))
        if ((word(0, w) &= other.word_or_none(0, w)) == 0) unmark(1, w);
    return *this;
}

HierarchicalBitset& HierarchicalBitset::operator|=(const HierarchicalBitset& other) noexcept {
    other.for_each_word(0, size_, [this](std::size_t w, Word bits) {
        const Word before = word(0, w);
        word(0, w) = before | bits;
        if (before == 0 && bits != 0) mark(1, w);
        return true;
    });
    return *this;
}

void HierarchicalBitset::subtract(const HierarchicalBitset& other) noexcept {
    for (std::size_t w = next_common_word(other, 0); w != npos; w = next_common_word(other, w + 1))
        if ((word(0, w) &= ~other.word(0, w)) == 0) unmark(1, w);
}

bool HierarchicalBitset::equals(const HierarchicalBitset& other) const noexcept {
    if (size_ != other.size_) return false;
    std::size_t w = next_word(0, 0), others = other.next_word(0, 0);
    for (; w == others && w != npos; w = next_word(0, w + 1), others = other.next_word(0, others + 1))
        if (word(0, w) != other.word(0, w)) return false;
    return w == others;
}

// --- About the set -----------------------------------------------------------------------------------------

HierarchicalBitset::Word HierarchicalBitset::expected_word(unsigned level, std::size_t w) const noexcept {
    if (level == 0) return w * 64 < size_ ? word(0, w) & part(w, 0, size_) : 0;
    Word expected = 0;
    for (std::size_t below = w * 64; below < words_in(level - 1) && below < w * 64 + 64; ++below)
        if (word(level - 1, below) != 0) expected |= bit(below);
    return expected;
}

BitsetValidation HierarchicalBitset::validate() const noexcept {
    BitsetValidation result;
    for (unsigned level = 0; level < levels_; ++level)
        for (std::size_t w = 0; w < words_in(level); ++w)
            if (word(level, w) != expected_word(level, w) && result.faults++ == 0) {
                result.level = level;
                result.word = w;
            }
    return result;
}

}  // namespace throng
