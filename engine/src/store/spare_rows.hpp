// Older versions of rows with holes (row_layout.hpp), which no frame uses any more. A commit that edits such
// a row brings the older version up to date instead of copying the whole row: it writes the changes of the
// commits since, and its own edits.
//
//     frame    5      6      7      8
//     row 3    A  ->  B  ->  C             5 was dropped: A has all of B except where 6 edited it,
//                            A, again      so 7 writes that and its own edits into A, and B waits until 6 is
//                                          dropped
//
// Behind a row is noted which version it replaced, and where it differs from that. So the versions of a row
// are a list that begins with the newest one. They have one layout. Only the writing thread looks at it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/memory/block_store.hpp"

namespace throng::detail {

// A few ranges of numbers, in order and apart. If they become too many, the two closest are joined.
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

// Where two versions of a row may differ: its slots, and the entries of its cells.
struct RowRanges {
    Ranges slots, cells;

    void add(const RowRanges& other) noexcept {
        slots.add(other.slots);
        cells.add(other.cells);
    }
};

// The note behind a row with holes.
struct RowVersion {
    Block* before;     // null if there is none
    RowRanges change;  // where the row differs from it
};

// The list of one row's versions, by the block of the newest one.
class SpareRow {
public:
    // Rows with fewer agents are copied: that costs little more than a commit does anyway.
    static constexpr std::size_t min_agents = 512;

    static std::size_t bytes(const PatchLayout& layout) noexcept {
        return (layout.bytes + sizeof(RowVersion) + 63) / 64 * 64;
    }
    SpareRow(Block* newest, const PatchLayout& layout) noexcept : newest_(newest), at_(layout.bytes) {}

    // The newest version that no frame uses, and where the newest of all differs from it; null if there is
    // none.
    Block* take(RowRanges& stale) noexcept {
        RowRanges since;
        for (Block* newer = newest_; newer != nullptr; newer = version(newer).before) {
            since.add(version(newer).change);
            Block* const older = version(newer).before;
            if (older == nullptr || !older->idle) continue;
            take_out(newer);
            older->idle = false;
            stale = since;
            return older;
        }
        return nullptr;
    }
    // The newest one replaced this one. It keeps as many older ones as frames are in flight between a writer
    // and its readers, and one that no frame uses.
    void replaces(Block* before, const RowRanges& change, BlockStore& blocks) noexcept {
        version(newest_) = {before, change};
        before->spare = true;
        bool one_is_idle = false;
        std::size_t kept = 0;
        for (Block* newer = newest_; version(newer).before != nullptr;) {
            Block* const older = version(newer).before;
            if ((older->idle && one_is_idle) || kept == most) {
                release(newer, blocks);
                continue;
            }
            one_is_idle |= older->idle;
            ++kept;
            newer = older;
        }
    }
    void replaces_none() noexcept { version(newest_) = {nullptr, {}}; }
    // Keeps only the newest.
    void release_older(BlockStore& blocks) noexcept {
        while (version(newest_).before != nullptr) release(newest_, blocks);
    }

private:
    static constexpr std::size_t most = 4;

    RowVersion& version(Block* block) const noexcept {
        return *reinterpret_cast<RowVersion*>(block->memory + at_);
    }
    // The one behind `newer` leaves the list.
    Block* take_out(Block* newer) noexcept {
        Block* const older = version(newer).before;
        version(newer).change.add(version(older).change);
        version(newer).before = version(older).before;
        older->spare = false;
        return older;
    }
    void release(Block* newer, BlockStore& blocks) noexcept {
        Block* const older = take_out(newer);
        if (older->idle) blocks.put_back(older);
        older->idle = false;
    }

    Block* newest_;
    std::size_t at_;
};

}  // namespace throng::detail
