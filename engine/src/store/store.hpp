// The Store is shared by an engine and its frames: the host's memory, the blocks of frames and rows, and the
// work spaces. It lives until the engine and the last frame are gone.
//
// Readers drop frames on any thread. The last dropped state is pushed onto a list without a lock, and the
// writing thread takes from that list when it makes the next frame. So nothing else needs a lock.
//
// Frames share rows without counting references to them. A row is used by a range of frames: from the frame
// that made it to the last one before the frame that replaced it. When it is replaced, its block goes to the
// list of that last frame. When a frame is dropped, the blocks in its list go to the next older live frame if
// that one uses them; otherwise they are free (as in the dead lists of ZFS, J. Bonwick, M. Ahrens):
//
//     frames          4 . . . 5 . . . 6 . . . 7     6 is dropped: `a` was born with 4 and goes on to 5,
//     used last               b       a c           `c` was born with 6 and is free
//
// docs/design.md tells of portions and of tables that are brought up to date. Tables are copied as a whole
// only if readers hold all frames, which costs their tables' memory anyway.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/memory/block_store.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "engine/src/store/spaces.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// How much of the dropped frames one call may reclaim. A long history gets more
// (Writer::next_portion).
struct Portion {
    std::size_t blocks;  // visited
    std::size_t bytes;   // returned to the host

    // For a call that reads or writes `boxes` boxes.
    static constexpr Portion of(std::size_t boxes) noexcept {
        return {1024 + 4 * boxes, 1024 * 1024 + 128 * boxes};
    }
    static constexpr Portion all() noexcept { return {SIZE_MAX, SIZE_MAX}; }
};

// The rows that the last few commits rebuilt, so the tables of a dropped frame can be updated instead of
// copied as a whole.
class RecentRows {
public:
    // If more rows are new, copying all tables costs no more than the commits did.
    static constexpr std::size_t most = 512;

    // All frames from this number on have the newest frame's map, and its rows except the recorded ones.
    std::uint64_t since() const noexcept { return since_; }
    std::span<const std::uint32_t> rows() const noexcept { return {rows_.data(), count_}; }

    // Starts again at a frame that shares nothing with the one before.
    void start_at(std::uint64_t frame) noexcept {
        since_ = frame;
        count_ = 0;
    }
    // Adds the rows in which a frame differs from the one before.
    void add(std::uint64_t frame, std::span<const std::uint32_t> rows) noexcept {
        if (rows.size() > most - count_) return start_at(frame);
        for (const std::uint32_t row : rows) {
            frames_[count_] = frame;
            rows_[count_++] = row;
        }
    }
    // Frames older than this one are no longer needed.
    void forget_before(std::uint64_t frame) noexcept {
        const auto kept = static_cast<std::size_t>(
            std::upper_bound(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(count_), frame) -
            frames_.begin());
        std::copy(frames_.begin() + static_cast<std::ptrdiff_t>(kept),
                  frames_.begin() + static_cast<std::ptrdiff_t>(count_), frames_.begin());
        std::copy(rows_.begin() + static_cast<std::ptrdiff_t>(kept),
                  rows_.begin() + static_cast<std::ptrdiff_t>(count_), rows_.begin());
        count_ -= kept;
        since_ = frame;
    }

private:
    std::uint64_t since_ = 0;
    std::size_t count_ = 0;
    std::array<std::uint32_t, most> rows_{};
    std::array<std::uint64_t, most> frames_{};  // the frame that made each row, ascending
};

class Store final : public TreeBlocks {
public:
    // Null if there is no memory. The caller gets the only reference.
    static Store* create(MemoryResource* host) noexcept;
    void add_reference() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
    void drop_reference() noexcept;

    // --- For the writing thread ---

    // Reclaims what readers have dropped, up to the portion.
    void collect(const Portion& portion) noexcept;
    // A block of at least that size; null if there is no memory even after reclaiming everything dropped.
    Block* take(std::size_t bytes) noexcept override;
    void put_back(Block* block) noexcept override { blocks.put_back(block); }
    // A state with tables for this map, empty rows, and one reference, the caller's. Null if there is no
    // memory.
    FrameState* take_frame(const WorldMap& map, simd::Extras extras) noexcept;
    // The same for a commit that follows the newest frame. If `up_to_date` comes back true, its tables of
    // rows are those of that frame, and its islands are as before the recent rows changed.
    FrameState* take_frame_after(const FrameState& newest, bool& up_to_date) noexcept;
    std::span<const std::uint32_t> recent_rows() const noexcept { return recent_.rows(); }
    // Frees a state that was never published, with its rows.
    void abandon(FrameState* frame) noexcept;
    // Hands on a frame that was made, or gives it back if that failed.
    Status hand_on(FrameState* made, const Status& status, FrameState*& frame) noexcept {
        if (status.ok())
            frame = made;
        else
            abandon(made);
        return status;
    }
    // Puts a row into a frame's table.
    void set_row(FrameState& frame, std::size_t row, const simd::Row& data, Block* block) noexcept {
        frame.rows[row] = data;
        frame.blocks[row] = block;
    }
    // Makes the frame the newest one. `touched` are the rows that differ from the frame before; without it
    // all rows do.
    void publish(FrameState& frame) noexcept;
    void publish(FrameState& frame, std::span<const std::uint32_t> touched) noexcept;
    void set_layer(FrameState& frame, FrameState* layer) noexcept;
    // Keeps no older versions of a row of the newest frame (spare_rows.hpp), or of all rows.
    void release_older(const FrameState& newest, std::size_t row) noexcept;
    void release_older() noexcept;
    void set_marks(FrameState& frame, Block* marks) noexcept override;
    // Gives a frame its ghosts, in a block that frames may share; null for none.
    void set_ghosts(FrameState& frame, Block* block, const simd::GhostIds& ghosts,
                    std::size_t count) noexcept;
    // Returns memory to the host that the newest frame does not need.
    void trim(const Portion& portion) noexcept;

    // Called before and after each frame with its number of agents. Below half of the most so far, the work
    // spaces of calls are retired; or far below it, if about as many had left before. Far below it, blocks
    // come from new slabs, too.
    void expect(std::size_t agents) noexcept;

    // How many tables were copied as a whole so far: tests count these instead of time.
    std::uint64_t tables_copied() const noexcept { return tables_copied_; }
    // The same for frames that were completed, published or not.
    std::uint64_t frames_built() const noexcept { return frames_built_; }
    void count_frame() noexcept { ++frames_built_; }
    // The same for the agents that edits of rows wrote, copied ones included.
    std::uint64_t agents_written() const noexcept { return agents_written_; }
    void count_agents_written(std::uint64_t agents) noexcept { agents_written_ += agents; }
    // Bytes of the rows of the newest frame, and of all frames' tables.
    std::size_t row_bytes() const noexcept { return row_bytes_; }
    std::size_t table_bytes() const noexcept { return table_bytes_; }

    HostMemory& memory() noexcept { return memory_; }

    // --- For readers and the writing thread ---

    // The next eight frames get the centres of their agents by id if they are built from scratch.
    void want_centres() noexcept { frames_with_centres_.store(8, std::memory_order_relaxed); }
    bool wants_centres() const noexcept { return frames_with_centres_.load(std::memory_order_relaxed) != 0; }
    // What is beside a frame that nothing reads any more: its centres, and tables made by readers.
    void give_back_tables(FrameState& frame) noexcept;

private:
    HostMemory memory_;

public:
    BlockStore blocks{memory_};
    Spaces spaces{memory_};
    std::mutex making_agent_table, making_shape_frame;  // held by the reader that makes one
    // For the writing thread.
    ScratchList scratch{&memory_};
    OversizedTree oversized_tree{scratch, *this};

private:
    friend void drop(FrameState* frame) noexcept;

    explicit Store(MemoryResource* host) noexcept : memory_(host) {}
    ~Store();
    void free_old_spaces(std::size_t count) noexcept;
    bool take_back(FrameState& frame, std::size_t& left) noexcept;
    FrameState* place_frame(Block* block, const WorldMap& map, simd::Extras extras) noexcept;
    void retire(FrameState& frame) noexcept;
    void release_spare() noexcept;
    void destroy_frame(FrameState& frame) noexcept;
    void exchange_trees(FrameState& frame) noexcept;
    void leave(Block* block, FrameState& last) noexcept;
    void enter(Block* block, const FrameState& first) noexcept;
    void link(FrameState& frame) noexcept;

    std::atomic<std::uint32_t> references_{1};
    std::atomic<FrameState*> dropped_{nullptr};
    std::atomic<std::uint32_t> frames_with_centres_{0};
    FrameState* waiting_ = nullptr;  // dropped, and taken from that list
    FrameState* newest_ = nullptr;
    FrameState* spare_ = nullptr;  // reclaimed, except for its tables
    RecentRows recent_;
    std::uint64_t tables_copied_ = 0, frames_built_ = 0, agents_written_ = 0;
    std::size_t row_bytes_ = 0;
    std::size_t table_bytes_ = 0;
    std::size_t layers_ = 0;                              // frames that hold one
    std::size_t most_agents_ = 0, most_in_spaces_ = 0;    // since that many times fewer were expected
    std::size_t had_left_ = ~std::size_t{0};              // agents that had work spaces before
    std::size_t old_spaces_ = 0, portion_of_spaces_ = 0;  // not used again, and how many a call frees
};

// Adds a reference to a frame; the caller already has one.
inline void share(FrameState* frame) noexcept {
    if (frame != nullptr) frame->references.fetch_add(1, std::memory_order_relaxed);
}
// Drops a reference; from any thread, in a few steps.
void drop(FrameState* frame) noexcept;

}  // namespace throng::detail
