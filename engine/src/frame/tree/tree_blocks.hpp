// Where the tree over oversized agents gets its blocks: from the store, which has the tree, and which the tree does not know.
#pragma once

#include <cstddef>

#include "engine/src/frame/spare_rows.hpp"
#include "engine/src/memory/block_store.hpp"

namespace throng::detail {

class TreeBlocks {
public:
    // A block of at least that size; null if there is no memory.
    virtual Block* take(std::size_t bytes) noexcept = 0;
    virtual void put_back(Block* block) noexcept = 0;
    // An older crown with as many groves and of at least that size, and where it is not that of the frame before; null if
    // there is none.
    virtual Block* take_spare_crown(std::size_t groves, std::size_t bytes, RowRanges& stale) noexcept = 0;

protected:
    ~TreeBlocks() = default;
};

}  // namespace throng::detail
