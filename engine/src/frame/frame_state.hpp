// What a Frame points to. It is written once, by the builder, then published and never changed. A reader
// needs only `view`; the rest says who owns the memory, and describes.
//
// `references` counts the Frame objects, on any thread; whoever drops the last one hands the state back to its
// store. What else is counted or linked here belongs to the writing thread (see store.hpp).
//
// The state and its tables are one block of the store, so a frame is made and dropped as a whole, and no frame
// has anything to destroy:
//
//     [ FrameState | rows | reach | bounds | blocks | islands | stretches | hints ]
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/src/memory/block_store.hpp"
#include "engine/src/plan/world_map.hpp"
#include "simd/kernels.hpp"
#include "throng/executor.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

class Store;

// An array in a frame's block.
template <class T>
class Table {
public:
    Table() = default;
    Table(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
    T* data() noexcept { return data_; }
    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    T* begin() noexcept { return data_; }
    T* end() noexcept { return data_ + size_; }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + size_; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// What the writing thread knows of a grove (oversized_tree.hpp): the ranks in its quadrant, which are places on the
// curve followed by ids, are those that are the same as its first agent's when shifted.
struct GroveNote {
    simd::Node root;  // of its nodes, kept here since the crown wants the roots of all
    Block* block;
    std::uint64_t first_rank;
    std::uint8_t shift;
};

// What all islands of a cut are within: the largest common agents on them, and what encloses all.
struct CutExtremes {
    simd::RowReach reach;  // negative while it is not known
    simd::Bounds bounds;
};

struct FrameState {
    // The pieces of `view`, one entry a row of the grid.
    Table<simd::Row> rows;
    Table<simd::RowReach> reach;
    Table<simd::Bounds> bounds;  // of every row's common agents; only in a world with islands
    Table<Block*> blocks;        // null for a row without agents
    Table<simd::Island> islands;
    Table<simd::Islands> cuts;  // the world's own islands, and those of every island that is cut
    Table<CutExtremes> cut_extremes;
    Table<std::uint32_t> stretches;  // which categories are where; only in a frame with labels
    Table<std::uint8_t> hints;       // of the same in short
    // The tree over the oversized agents, in the block `giants`: all of it, or its crown and where its groves are.
    Table<simd::Node> nodes;
    Table<simd::Grove> groves;
    Table<GroveNote> grove_notes;

    // Where in the rows a box belongs. Its tables are shared by all frames that stand on it.
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
    Block* self = nullptr;    // where all this is
    Block* giants = nullptr;  // shared by frames that have the same oversized agents

    // For the writing thread: the frames that are held, by age, and the rows that this one used last.
    FrameState *older = nullptr, *newer = nullptr;
    Block* used_last = nullptr;

    FrameState* next = nullptr;  // in the list of those that were dropped
    std::atomic<std::uint32_t> references{0};
};

}  // namespace throng::detail
