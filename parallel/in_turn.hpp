// Pieces of one long result, whose lengths are only known when they are found. Each is found in a slot, and
// goes to its place once all before it have their lengths. Mostly that is at once, by the worker that found
// it and still has it in its cache; its next piece is found in the same slot. A worker that is ahead waits
// for no other: it goes on in its next slot, as long as it has one. A piece without room in the result stays
// in its slot until the caller has made room. So only the calling thread asks the host for memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "parallel/blocks.hpp"
#include "throng/executor.hpp"

namespace throng::parallel {

struct Piece {
    static constexpr std::uint32_t is_found = 1, has_begin = 2, is_placed = 4;

    std::uint64_t begin, size;
    std::uint32_t slot, state;

    std::uint32_t load() noexcept { return atomically(state).load(std::memory_order_acquire); }
    // Returns the old state.
    std::uint32_t add(std::uint32_t flag) noexcept {
        return atomically(state).fetch_or(flag, std::memory_order_acq_rel);
    }
};

class InTurn {
public:
    using Place = Call<void(std::size_t piece, std::uint32_t slot, std::uint64_t begin)>;

    // The first piece begins there.
    InTurn(std::span<Piece> pieces, std::uint64_t begin) noexcept : pieces_(pieces) {
        std::fill(pieces.begin(), pieces.end(), Piece{});
        if (!pieces.empty()) pieces[0] = {.begin = begin, .size = 0, .slot = 0, .state = Piece::has_begin};
    }

    // Finds pieces: find(piece, slot, size) says how long one is, and returns false if no more are wanted.
    // place(piece, slot, begin) puts one at its place, if it ends within the room; the other found pieces
    // remain to be placed. Each share of the work has a copy of `find`, which may keep something between its
    // pieces. Returns what became of the step.
    template <class Finder>
    [[nodiscard]] Ran find(const Executor& executor, std::size_t slots, std::uint64_t room,
                           const Finder& find, Place place) noexcept {
        // More than workers, for one that comes after another has filled its slots.
        const std::size_t shares = std::min(2 * workers_of(executor), slots);
        full_.store(0, std::memory_order_relaxed);
        const Stop stop(executor);
        const Ran ran = for_blocks(executor, shares, [&](std::size_t s) {
            Finder mine = find;
            if (run(range_of(slots, shares, s, 1), shares, room, stop, mine, place))
                full_.fetch_add(1, std::memory_order_relaxed);
        });
        return stop.said() ? Ran{false, true} : ran;
    }
    [[nodiscard]] THRONG_NOINLINE Ran place_others(const Executor& executor, Place place) noexcept {
        // Mostly all are placed, and an empty step of the executor would cost microseconds.
        const auto is_placed = [&](std::size_t p) { return (pieces_[p].load() & Piece::is_placed) != 0; };
        std::size_t first = std::exchange(placed_, found());
        while (first != placed_ && is_placed(first)) ++first;
        return for_blocks(executor, placed_ - first, [&](std::size_t i) {
            if (!is_placed(first + i)) put(first + i, place);
        });
    }
    // How many were found, and where the last of them ends.
    std::size_t found() const noexcept {
        return std::min(next_.load(std::memory_order_relaxed), pieces_.size());
    }
    std::uint64_t end() const noexcept { return pieces_[found() - 1].begin + pieces_[found() - 1].size; }

    // Whether a piece was not found.
    bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

private:
    using Find = Call<bool(std::size_t piece, std::uint32_t slot, std::uint64_t& size)>;

    // Returns whether all of these slots have a waiting piece. It also ends once half of the shares do: they
    // wait for a long piece, and the rest is for all workers again.
    THRONG_NOINLINE bool run(const Range& slots, std::size_t shares, std::uint64_t room, const Stop& stop,
                             Find find, const Place& place) noexcept {
        // The first ones have a waiting piece.
        struct Slot {
            std::uint32_t number;
            std::size_t piece;
        };
        constexpr std::size_t most = 16;
        Slot mine[most];
        const std::size_t count = std::min(slots.size(), most);
        for (std::size_t i = 0; i < count; ++i) mine[i] = {static_cast<std::uint32_t>(slots.begin + i), 0};
        // A piece that was taken is looked at, whatever another worker found, so that the first fault of all
        // is seen.
        std::size_t waiting = 0;
        while (waiting != count && !stopped() && !stop.is_wanted() &&
               2 * full_.load(std::memory_order_relaxed) < shares) {
            const std::size_t p = next_.fetch_add(1, std::memory_order_relaxed);
            if (p >= pieces_.size()) return false;
            Slot& slot = mine[waiting++];
            slot.piece = p;
            pieces_[p].slot = slot.number;
            if (!find(p, slot.number, pieces_[p].size)) {
                stopped_.store(true, std::memory_order_relaxed);
                return false;
            }
            pass_on(p);
            std::size_t left = 0;
            for (std::size_t i = 0; i < waiting; ++i) {
                Piece& piece = pieces_[mine[i].piece];
                if ((piece.load() & Piece::has_begin) != 0 && piece.begin + piece.size <= room)
                    put(mine[i].piece, place);
                else
                    std::swap(mine[left++], mine[i]);
            }
            waiting = left;
        }
        return waiting == count;
    }
    void put(std::size_t p, const Place& place) noexcept {
        place(p, pieces_[p].slot, pieces_[p].begin);
        (void)pieces_[p].add(Piece::is_placed);
    }
    // Notes that a piece was found. If its begin is known, that of the next one is known now, and so on.
    void pass_on(std::size_t p) noexcept {
        if ((pieces_[p].add(Piece::is_found) & Piece::has_begin) == 0) return;
        while (++p < pieces_.size()) {
            pieces_[p].begin = pieces_[p - 1].begin + pieces_[p - 1].size;
            if ((pieces_[p].add(Piece::has_begin) & Piece::is_found) == 0) return;
        }
    }

    const std::span<Piece> pieces_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stopped_{false};
    std::atomic<std::size_t> full_{0};  // shares all of whose slots wait
    std::size_t placed_ = 0;
};

}  // namespace throng::parallel
