// What a Frame points to. It is written once, by the builder, then published and never changed. A reader
// needs only `view`; the rest says who owns the memory, and describes.
//
// References are counted in two ways. `references` counts the Frame objects, on any thread; whoever drops the
// last one hands the state back to its store. The blocks of the rows are counted by the writing thread alone,
// when it takes the state back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/src/block_store.hpp"
#include "engine/src/world_map.hpp"
#include "simd/kernels.hpp"
#include "throng/buffer.hpp"
#include "throng/executor.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

class Store;

struct FrameState {
    explicit FrameState(std::pmr::memory_resource* memory) noexcept
        : rows(memory),
          reach(memory),
          blocks(memory),
          oversized(memory),
          nodes(memory),
          islands(memory),
          cuts(memory),
          bounds(memory),
          stretches(memory),
          hints(memory) {}

    // The pieces of `view`, one entry a row of the grid.
    Buffer<simd::Row> rows;
    Buffer<simd::RowReach> reach;
    Buffer<Block*> blocks;     // null for a row without agents
    Buffer<float> oversized;   // all rows' oversized agents in one packed row
    Buffer<simd::Node> nodes;  // the tree over them
    Buffer<simd::Island> islands;
    Buffer<simd::Islands> cuts;       // the world's own islands, and those of every island that is cut
    Buffer<simd::Bounds> bounds;      // of every row's common agents; only in a world with islands
    Buffer<std::uint32_t> stretches;  // which categories are where; only in a frame with labels
    Buffer<std::uint8_t> hints;       // of the same in short

    // Where in the rows a box belongs. Its tables are held like the blocks of the rows.
    WorldMap map;

    simd::View view{};
    const simd::Kernels* kernels = nullptr;
    Tuning tuning;
    std::size_t agents = 0;
    std::size_t id_bound = 0;  // one more than the largest id that was handed out
    std::uint64_t number = 0;
    std::size_t pairs_expected = 0;  // a guess, for making room
    std::uint64_t sharing = 0;       // pairs of common agents that share a cell
    bool labelled = false;           // rows have the arrays of labels

    // What never moves, if there is any: one reference to a frame of another store.
    FrameState* layer = nullptr;

    Store* store = nullptr;
    FrameState* next = nullptr;  // in one of the store's lists
    std::atomic<std::uint32_t> references{0};

    std::size_t table_bytes() const noexcept {
        return sizeof(*this) + rows.bytes() + reach.bytes() + blocks.bytes() + oversized.bytes() +
               nodes.bytes() + islands.bytes() + cuts.bytes() + bounds.bytes() + stretches.bytes() +
               hints.bytes();
    }
};

}  // namespace throng::detail
