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

// Where two versions of a row differ, at most: a range of its places, and one of the entries of its cells.
struct RowChange {
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    std::uint32_t begin = none, end = 0;
    std::uint32_t first_cell = none, end_cell = 0;

    void add_places(std::uint32_t from, std::uint32_t to) noexcept {
        begin = std::min(begin, from);
        end = std::max(end, to);
    }
    void add_cells(std::uint32_t from, std::uint32_t to) noexcept {
        first_cell = std::min(first_cell, from);
        end_cell = std::max(end_cell, to);
    }
    void add(const RowChange& other) noexcept {
        add_places(other.begin, other.end);
        add_cells(other.first_cell, other.end_cell);
    }
};

class SpareRows {
public:
    // Of one row as many as frames are in flight between a writer and its readers.
    static constexpr std::size_t most = 12, most_of_a_row = 3;
    // Rows with fewer agents are copied: that costs little more than a commit does anyway.
    static constexpr std::size_t fewest_agents = 4096;

    // The newest spare of a row that no frame uses and that has this layout, and where the newest version differs from it;
    // null if there is none.
    Block* take(std::uint32_t row, std::uint32_t stride, RowChange& stale) noexcept {
        for (std::size_t i = count_; i-- > 0;) {
            Spare& spare = spares_[i];
            if (spare.row != row || !spare.is_free || spare.stride != stride) continue;
            stale = spare.change;
            Block* block = spare.block;
            remove(spare);
            return block;
        }
        return nullptr;
    }
    // A commit replaced this version of a row by one that differs from it so.
    void note(std::uint32_t row, Block* block, std::uint32_t stride, const RowChange& change,
              BlockStore& blocks) noexcept {
        std::size_t of_row = 0;
        for (std::size_t i = count_; i-- > 0;) {
            if (spares_[i].row != row) continue;
            spares_[i].change.add(change);
            if (++of_row == most_of_a_row || spares_[i].stride != stride) release(spares_[i], blocks);
        }
        if (count_ == most) release(spares_[0], blocks);
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
    bool empty() const noexcept { return count_ == 0; }

private:
    struct Spare {
        Block* block;
        std::uint32_t row, stride;
        bool is_free;
        RowChange change;
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

    std::array<Spare, most> spares_{};
    std::size_t count_ = 0;
};

}  // namespace throng::detail
