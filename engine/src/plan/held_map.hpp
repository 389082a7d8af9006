// Holds a WorldMap's tables for its lifetime (RAII). For the writing thread.
#pragma once

#include <utility>

#include "engine/src/memory/block_store.hpp"
#include "engine/src/plan/world_map.hpp"

namespace throng::detail {

class HeldMap {
public:
    HeldMap(BlockStore& blocks, const WorldMap& map) noexcept : blocks_(&blocks), map_(map) {
        if (map_.has_islands()) blocks_->add_reference(map_.tables().block);
    }
    HeldMap(const HeldMap& other) noexcept : HeldMap(*other.blocks_, other.map_) {}
    HeldMap& operator=(HeldMap other) noexcept {
        std::swap(blocks_, other.blocks_);
        std::swap(map_, other.map_);
        return *this;
    }
    ~HeldMap() {
        if (map_.has_islands()) blocks_->drop_reference(map_.tables().block);
    }
    const WorldMap& operator*() const noexcept { return map_; }
    const WorldMap* operator->() const noexcept { return &map_; }

private:
    BlockStore* blocks_;
    WorldMap map_;
};

}  // namespace throng::detail
