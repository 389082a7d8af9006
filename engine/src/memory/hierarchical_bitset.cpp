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
    for_each_word(0, size_, [&](std::size_t w, Word bits) {
        larger.word(0, w) = bits;
        larger.mark(1, w);
        return true;
    });
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
