#include "engine/src/block_store.hpp"

#include <algorithm>
#include <bit>

#include "engine/src/host_memory.hpp"

namespace throng::detail {

namespace {

constexpr std::size_t alignment = 64;

// Sizes come in steps of about an eighth, so that a row which gains or loses a few agents fits where it was.
std::size_t rounded(std::size_t bytes) noexcept {
    const std::size_t step = std::bit_floor(bytes) / 8;
    if (step < alignment) return (bytes + alignment - 1) / alignment * alignment;
    return (bytes + step - 1) / step * step;
}

}  // namespace

BlockStore::~BlockStore() {
    while (free_.size() != 0) release_largest();
}

Block* BlockStore::take(std::size_t bytes) noexcept {
    bytes = std::max(bytes, alignment);
    std::size_t best = free_.size();
    for (std::size_t i = 0; i < free_.size(); ++i) {
        if (free_[i]->bytes < bytes) continue;
        if (best == free_.size() || free_[i]->bytes < free_[best]->bytes) best = i;
    }
    // Up to a quarter too large is better than another trip to the host; small ones may always serve.
    if (best != free_.size() && free_[best]->bytes <= bytes + bytes / 4 + 4096) {
        Block* block = free_[best];
        free_[best] = free_[free_.size() - 1];
        (void)free_.resize(free_.size() - 1);
        free_bytes_ -= block->bytes;
        return block;
    }
    // Putting a block back must not fail, so its place in the list is made now.
    if (!free_.reserve(blocks_ + 1)) return nullptr;
    Block* block = make<Block>(memory_);
    if (block == nullptr) return nullptr;
    block->bytes = rounded(bytes);
    try {
        block->memory = static_cast<std::byte*>(memory_.allocate(block->bytes, alignment));
    } catch (...) {
        destroy(memory_, block);
        return nullptr;
    }
    ++blocks_;
    bytes_ += block->bytes;
    return block;
}

void BlockStore::put_back(Block* block) noexcept {
    (void)free_.push_back(block);
    free_bytes_ += block->bytes;
}

std::size_t BlockStore::bytes_of(const Buffer<Block*>& blocks) noexcept {
    ++visits_;
    std::size_t bytes = 0;
    for (Block* block : blocks) {
        if (block == nullptr || block->visit == visits_) continue;
        block->visit = visits_;
        bytes += block->bytes;
    }
    return bytes;
}

void BlockStore::trim(std::size_t in_use) noexcept {
    constexpr std::size_t little = 256 * 1024;
    if (free_bytes_ <= 2 * in_use + little) return;
    while (free_bytes_ > in_use) release_largest();
}

void BlockStore::release_largest() noexcept {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < free_.size(); ++i)
        if (free_[i]->bytes > free_[largest]->bytes) largest = i;
    Block* block = free_[largest];
    free_[largest] = free_[free_.size() - 1];
    (void)free_.resize(free_.size() - 1);
    free_bytes_ -= block->bytes;
    bytes_ -= block->bytes;
    --blocks_;
    memory_.deallocate(block->memory, block->bytes, alignment);
    destroy(memory_, block);
}

}  // namespace throng::detail
