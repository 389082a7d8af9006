// The Store is what an engine and its frames share: the host's memory, the blocks of frames and rows, and the
// work spaces. It lives until the engine and the last frame are gone.
//
// Readers drop frames on any thread. The state that was dropped last is pushed onto a list without a lock,
// and the writing thread takes from that list when it makes the next frame. So everything behind that list
// needs no locks.
//
// Rows are shared by frames, and no frame counts them. A row is used by the frames from the one that brought
// it to the last before the one that replaced it. When it is replaced, its block goes to the list of that last
// frame. When a frame is dropped, the blocks in its list go to the next older frame that is still held, if that
// one is young enough to use them, and else they are free:
//
//     frames          4 . . . 5 . . . 6 . . . 7     6 is dropped: `a` was born with 4 and goes on to 5,
//     used last               b       a c           `c` was born with 6 and is free
//
// The tables of a frame hold an entry for each row and island. A commit does not copy them all: the youngest frame that
// was dropped is kept as a spare, and its tables are brought up to date by the rows that commits made anew since. Only
// where readers hold all frames, which costs their tables' memory in any case, are tables copied as a whole.
//
// So a commit costs what it changes, and dropping a frame what it alone kept. A history that is dropped at once
// is taken back in portions: each commit looks at no more blocks, and returns no more memory, than a fixed
// amount and a multiple of its own work (`Portion`). What is left at the end goes slab by slab.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/oversized_tree.hpp"
#include "engine/src/frame/recent_rows.hpp"
#include "engine/src/memory/block_store.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "engine/src/memory/pool.hpp"
#include "engine/src/memory/scratch.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// How much of what was dropped may be taken back at once.
struct Portion {
    std::size_t blocks;  // looked at
    std::size_t bytes;   // returned to the host

    // For a call that reads or writes so many boxes.
    static constexpr Portion of(std::size_t boxes) noexcept {
        return {1024 + 4 * boxes, 1024 * 1024 + 64 * boxes};
    }
    static constexpr Portion all() noexcept { return {SIZE_MAX, SIZE_MAX}; }
};

class Store {
public:
    // Null if there is no memory. The caller has the one reference.
    static Store* create(MemoryResource* host) noexcept;
    void add_reference() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
    void drop_reference() noexcept;

    // --- For the writing thread ---

    // Takes back what readers have dropped, as far as the portion goes.
    void collect(const Portion& portion) noexcept;
    // A block of at least that size; null if there is no memory, even with all that was dropped.
    Block* take(std::size_t bytes) noexcept;
    // A state with tables for a map, on which it stands, and one reference, the caller's. Its rows are empty.
    // Null if there is no memory.
    FrameState* take_frame(const WorldMap& map, bool labelled) noexcept;
    // The same for a commit that follows the newest frame. Where `up_to_date` comes back true, tables of rows are
    // those of that frame, and islands as they were before the recent rows became new.
    FrameState* take_frame_after(const FrameState& newest, bool& up_to_date) noexcept;
    std::span<const std::uint32_t> recent_rows() const noexcept { return recent_.rows(); }
    // Takes back a state that was never published, with the rows that it was given.
    void abandon(FrameState* frame) noexcept;
    // Puts a row into a frame's table.
    void set_row(FrameState& frame, std::size_t row, const simd::Row& data, Block* block) noexcept {
        frame.rows[row] = data;
        frame.blocks[row] = block;
    }
    // The frame stands on its own from now on: it is the newest one. `touched` are the rows that differ from the
    // one before; without it all rows do.
    void publish(FrameState& frame) noexcept;
    void publish(FrameState& frame, std::span<const std::uint32_t> touched) noexcept;
    void set_layer(FrameState& frame, FrameState* layer) noexcept;
    // Gives memory back to the host that the newest frame has no use for.
    void trim(const Portion& portion) noexcept { blocks.trim(row_bytes_ + table_bytes_, portion.bytes); }

    // How many tables were copied as a whole, ever: what tests count instead of time.
    std::uint64_t tables_copied() const noexcept { return tables_copied_; }
    // Bytes of the rows of the newest frame, and of all frames' tables.
    std::size_t row_bytes() const noexcept { return row_bytes_; }
    std::size_t table_bytes() const noexcept { return table_bytes_; }

    HostMemory& memory() noexcept { return memory_; }

private:
    HostMemory memory_;

public:
    BlockStore blocks{memory_};
    Pool<SortSpace> sort_spaces{memory_};
    Pool<PairSpace> pair_spaces{memory_};
    std::atomic<std::size_t> sweep_bytes{0};  // the most that any of these had to have for a sweep
    Pool<PairTable> pair_tables{memory_};
    Pool<BatchSpace> batch_spaces{memory_};
    Pool<AnswerSpace> answer_spaces{memory_};
    OversizedTree oversized_tree{&memory_};  // for the writing thread

private:
    friend void drop(FrameState* frame) noexcept;

    explicit Store(MemoryResource* host) noexcept : memory_(host) {}
    ~Store();
    bool take_back(FrameState& frame, std::size_t& left) noexcept;
    FrameState* place_frame(Block* block, const WorldMap& map, bool labelled) noexcept;
    void retire(FrameState& frame) noexcept;
    void release_spare() noexcept;
    void destroy_frame(FrameState& frame) noexcept;
    void leave(Block* block, FrameState& last) noexcept;
    void enter(Block* block, const FrameState& first) noexcept;
    void link(FrameState& frame) noexcept;

    std::atomic<std::uint32_t> references_{1};
    std::atomic<FrameState*> dropped_{nullptr};
    FrameState* waiting_ = nullptr;  // dropped, and taken from that list
    FrameState* newest_ = nullptr;
    FrameState* spare_ = nullptr;  // taken back, but for its tables
    RecentRows recent_;
    std::uint64_t tables_copied_ = 0;
    std::size_t row_bytes_ = 0;
    std::size_t table_bytes_ = 0;
    std::size_t layers_ = 0;  // frames that hold one
};

// Another reference to a frame that the caller has one to.
inline void share(FrameState* frame) noexcept {
    if (frame != nullptr) frame->references.fetch_add(1, std::memory_order_relaxed);
}
// One reference fewer; from any thread, in a few steps.
void drop(FrameState* frame) noexcept;

}  // namespace throng::detail
