// Older versions of a few very full rows, which no frame uses any more. A commit that edits such a row brings the older
// version up to date instead of copying all of the row: it writes what the commits since have changed, and its own edits.
//
//     frame    5      6      7      8
//     row 3    A  ->  B  ->  C             5 was dropped: A has all of B except where 6 edited it,
//                            A, again      so 7 writes that and its own edits into A, and B waits for 6 to be dropped
//
// Only rows that have a block to themselves, since a block of many rows is free when the last of them is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/src/memory/block_store.hpp"

namespace throng::detail {

// A few ranges of numbers, in order and apart. If they become too many, the two that are closest are made one.
class Ranges {
public:
    static constexpr std::uint32_t max_ranges = 8;
    struct Range {
        std::uint32_t begin, end;
    };

    const Range* begin() const noexcept { return ranges_; }
    const Range* end() const noexcept { return ranges_ + count_; }
    void add(std::uint32_t from, std::uint32_t to) noexcept {
        if (from >= to) return;
        Range *first = ranges_, *last = ranges_ + count_;
        while (first != last && first->end < from) ++first;
        Range* behind = first;
        for (; behind != last && behind->begin <= to; ++behind) {
            from = std::min(from, behind->begin);
            to = std::max(to, behind->end);
        }
        if (first == behind)
            std::copy_backward(first, last, last + 1);
        else
            std::copy(behind, last, first + 1);
        *first = {from, to};
        count_ = count_ + 1 - static_cast<std::uint32_t>(behind - first);
        if (count_ > max_ranges) join_closest();
    }
    void add(const Ranges& other) noexcept {
        for (const Range& range : other) add(range.begin, range.end);
    }

private:
    void join_closest() noexcept {
        Range* closest = ranges_;
        for (Range* at = ranges_; at != ranges_ + count_ - 1; ++at)
            if (at[1].begin - at->end < closest[1].begin - closest->end) closest = at;
        closest->end = closest[1].end;
        std::copy(closest + 2, ranges_ + count_, closest + 1);
        --count_;
    }

    Range ranges_[max_ranges + 1]{};
    std::uint32_t count_ = 0;
};

// Where two versions of a row differ, at most: its places, and the entries of its cells.
struct RowRanges {
    Ranges places, cells;

    void add(const RowRanges& other) noexcept {
        places.add(other.places);
        cells.add(other.cells);
    }
};

class SpareRows {
public:
    // Of one row as many as frames are in flight between a writer and its readers.
    static constexpr std::size_t max_rows = 12, max_of_a_row = 3;
    // Rows with fewer agents are copied: that costs little more than a commit does anyway.
    static constexpr std::size_t min_agents = 4096;

    // The newest spare of a row that no frame uses and that has this layout, and where the newest version differs from it;
    // null if there is none.
    Block* take(std::uint32_t row, std::uint32_t stride, std::size_t bytes, RowRanges& stale) noexcept {
        for (std::size_t i = count_; i-- > 0;) {
            Spare& spare = spares_[i];
            if (spare.row != row || !spare.is_free || spare.stride != stride || spare.block->bytes < bytes)
                continue;
            stale = spare.change;
            Block* block = spare.block;
            remove(spare);
            return block;
        }
        return nullptr;
    }
    // A commit replaced this version of a row by one that differs from it so.
    void note(std::uint32_t row, Block* block, std::uint32_t stride, const RowRanges& change,
              BlockStore& blocks) noexcept {
        std::size_t of_row = 0;
        for (std::size_t i = count_; i-- > 0;) {
            if (spares_[i].row != row) continue;
            spares_[i].change.add(change);
            if (++of_row == max_of_a_row || spares_[i].stride != stride) release(spares_[i], blocks);
        }
        if (count_ == max_rows) release(spares_[0], blocks);
        spares_[count_++] = {block, row, stride, false, change};
    }
    void forget(std::uint32_t row, BlockStore& blocks) noexcept {
        for (std::size_t i = count_; i-- > 0;)
            if (spares_[i].row == row) release(spares_[i], blocks);
    }
    // No frame uses this block any more. Returns whether it is kept here.
    bool keep(const Block* block) noexcept {
        for (std::size_t i = 0; i < count_; ++i)
            if (spares_[i].block == block) return spares_[i].is_free = true;
        return false;
    }
    void release_all(BlockStore& blocks) noexcept {
        while (count_ != 0) release(spares_[count_ - 1], blocks);
    }

    // Which full rows were edited by the last commits. What the writer decides by that does not depend on which frames
    // readers hold.
    void note_edited(std::uint32_t row) noexcept {
        auto* const end = edited_.data() + edited_count_;
        auto* at = std::find(edited_.data(), end, row);
        if (at == end && edited_count_ < max_rows) ++edited_count_;
        if (at == end && end == edited_.data() + max_rows) --at;
        std::copy_backward(edited_.data(), at, at + 1);
        edited_[0] = row;
    }
    bool was_edited(std::uint32_t row) const noexcept {
        const auto* const end = edited_.data() + edited_count_;
        return std::find(edited_.data(), end, row) != end;
    }
    // After a commit that wrote all rows.
    void start_again(BlockStore& blocks) noexcept {
        release_all(blocks);
        edited_count_ = 0;
    }

private:
    struct Spare {
        Block* block;
        std::uint32_t row, stride;
        bool is_free;
        RowRanges change;
    };

    // The oldest come first.
    void remove(Spare& spare) noexcept {
        std::copy(&spare + 1, spares_.data() + count_, &spare);
        --count_;
    }
    void release(Spare& spare, BlockStore& blocks) noexcept {
        if (spare.is_free) blocks.put_back(spare.block);
        remove(spare);
    }

    std::array<Spare, max_rows> spares_{};
    std::size_t count_ = 0;
    std::array<std::uint32_t, max_rows> edited_{};  // the latest first
    std::size_t edited_count_ = 0;
};

}  // namespace throng::detail
