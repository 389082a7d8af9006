// Where the rows' memory comes from. A block holds one row, or all the rows of a frame that was built from
// nothing. It counts how many row tables refer to it, and goes back to the store when none does any more.
//
// Only the thread that writes touches the store and the counts: frames that readers dropped are first handed
// back to it (see store.hpp). So there is neither a lock nor an atomic number here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "throng/buffer.hpp"

namespace throng::detail {

struct Block {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
    std::size_t references = 0;
    std::uint64_t visit = 0;  // see bytes_of
};

class BlockStore {
public:
    explicit BlockStore(std::pmr::memory_resource& memory) noexcept : memory_(memory), free_(&memory) {}
    BlockStore(const BlockStore&) = delete;
    ~BlockStore();

    // A block of at least that size, with no references; null if there is no memory. One that was used before
    // is taken if it fits and is not much too large.
    Block* take(std::size_t bytes) noexcept;
    // Back to the store.
    void put_back(Block* block) noexcept;
    void add_reference(Block* block) noexcept { ++block->references; }
    void drop_reference(Block* block) noexcept {
        if (--block->references == 0) put_back(block);
    }
    // Gives free blocks back to the host, the largest first, when they hold much more than the frame that is
    // in use; not as soon as they hold more, since rows that come and go need a stock of all sizes.
    void trim(std::size_t in_use) noexcept;
    // What all blocks hold together, free ones included.
    std::size_t bytes() const noexcept { return bytes_; }
    // What those blocks hold together, each counted once. Null pointers are passed over.
    std::size_t bytes_of(const Buffer<Block*>& blocks) noexcept;

private:
    void release_largest() noexcept;

    std::pmr::memory_resource& memory_;
    Buffer<Block*> free_;  // always has room for every block there is
    std::size_t blocks_ = 0;
    std::size_t free_bytes_ = 0;
    std::size_t bytes_ = 0;
    std::uint64_t visits_ = 0;
};

}  // namespace throng::detail
