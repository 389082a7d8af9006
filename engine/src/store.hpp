// The Store is what an engine and its frames share: the host's memory, the rows' blocks, the frames' states,
// and the work spaces. It lives until the engine and the last frame are gone.
//
// Readers drop frames on any thread. The state that was dropped last is pushed onto a list without a lock,
// and the writing thread takes the whole list when it makes the next frame. So everything behind that list
// needs no locks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>

#include "engine/src/block_store.hpp"
#include "engine/src/frame_state.hpp"
#include "engine/src/host_memory.hpp"
#include "engine/src/oversized_tree.hpp"
#include "engine/src/pool.hpp"
#include "engine/src/work_spaces.hpp"

namespace throng::detail {

class Store {
public:
    // Null if there is no memory. The caller has the one reference.
    static Store* create(std::pmr::memory_resource* host) noexcept;
    void add_reference() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
    void drop_reference() noexcept;

    // --- For the writing thread ---

    // Takes back what readers have dropped.
    void collect() noexcept;
    // A state with empty tables and one reference, the caller's; null if there is no memory.
    FrameState* take_frame() noexcept;
    // Empties a state that was never published.
    void drop_rows(FrameState& frame) noexcept;
    // Takes back a state that was never published.
    void put_back(FrameState* frame) noexcept;
    // Makes a frame stand on a map, and counts the reference to the map's tables.
    void set_map(FrameState& frame, const WorldMap& map) noexcept {
        frame.map = map;
        if (map.has_islands()) blocks.add_reference(map.tables().block);
    }
    // Puts a row into a frame's table, and counts the reference to its block.
    void set_row(FrameState& frame, std::size_t row, const simd::Row& data, const simd::RowReach& reach,
                 Block* block) noexcept {
        frame.rows[row] = data;
        frame.reach[row] = reach;
        frame.blocks[row] = block;
        if (block != nullptr) blocks.add_reference(block);
    }

    // Bytes of the blocks that a frame refers to, and of the tables of all frames there are.
    std::size_t blocks_in(const FrameState& frame) noexcept { return blocks.bytes_of(frame.blocks); }
    std::size_t table_bytes() const noexcept;

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

    explicit Store(std::pmr::memory_resource* host) noexcept : memory_(host) {}
    ~Store();
    void recycle(FrameState* frame) noexcept;

    std::atomic<std::uint32_t> references_{1};
    std::atomic<FrameState*> dropped_{nullptr};
    Buffer<FrameState*> frames_{&memory_};  // all there are
    FrameState* free_frames_ = nullptr;
    std::size_t free_frame_count_ = 0;
};

// Another reference to a frame that the caller has one to.
inline void share(FrameState* frame) noexcept {
    if (frame != nullptr) frame->references.fetch_add(1, std::memory_order_relaxed);
}
// One reference fewer; from any thread.
void drop(FrameState* frame) noexcept;

}  // namespace throng::detail
