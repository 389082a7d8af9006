// The work spaces of calls and their parallel blocks: plain buffers, each kind in a pool (see pool.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/src/frame/centres.hpp"
#include "engine/src/memory/agent_table.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/pool.hpp"
#include "engine/src/memory/traits.hpp"
#include "engine/src/store/torus_space.hpp"
#include "parallel/in_turn.hpp"
#include "simd/box_tree.hpp"
#include "simd/query_kernels.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/queries/casts.hpp"

namespace throng::detail {

// For sorting the records of a row.
struct SortSpace {
    explicit SortSpace(MemoryResource* memory) noexcept : bytes(memory) {}
    Buffer<std::byte> bytes;
    SortSpace* next = nullptr;
};

// For the pairs of some rows: the agents that reach into later rows, scratch for sorting overfull cells, and
// the results.
struct PairSpace {
    explicit PairSpace(MemoryResource* memory) noexcept : host(memory) {}
    MemoryResource* const host;
    Buffer<std::uint32_t> edge{host};
    Buffer<std::byte> sweep{host};
    Buffer<Pair> pairs{host};
    PairSpace* next = nullptr;
};

// The spaces taken by the blocks of one search for pairs.
struct PairTable {
    explicit PairTable(MemoryResource* memory) noexcept : spaces(memory), pieces(memory) {}
    Buffer<PairSpace*> spaces;
    Buffer<parallel::Piece> pieces;
    PartRoom pair_room;
    PairTable* next = nullptr;
};

// For pairs within a distance: a frame whose boxes have grown (pairs/grown_frame.hpp).
struct GrownSpace {
    explicit GrownSpace(MemoryResource* memory) noexcept : host(memory) {}
    MemoryResource* const host;
    Buffer<float> data{host};           // the arrays of all rows
    Buffer<std::uint32_t> cells{host};  // of all rows, if ghosts are left out
    Buffer<std::uint32_t> first{host};  // the slot of the first agent, by row and then by grove
    Buffer<Box> boxes{host};            // as before, by slot
    Buffer<AgentId> ids{host};
    Buffer<Traits> traits{host};  // if a filter looks at them
    Buffer<simd::Row> rows{host};
    Buffer<simd::RowReach> reach{host};
    Buffer<simd::Island> islands{host};
    Buffer<simd::View> layers{host};
    Buffer<simd::Islands> cuts{host};
    Buffer<simd::Node> nodes{host};
    Buffer<simd::Grove> groves{host};
    GrownSpace* next = nullptr;
};

// For a batch of queries: a copy of the queries if the host's layout does not suit the kernels, and scratch
// for sorting them into packets.
struct BatchSpace {
    explicit BatchSpace(MemoryResource* memory) noexcept : host(memory) {}
    MemoryResource* const host;
    Buffer<simd::Query> queries{host};  // boxes, or the bounds of shapes
    Buffer<Band> heights{host};         // of agents that look at their own heights
    Buffer<simd::ShapeQuery> shapes{host};
    Buffer<simd::PolygonEdge> edges{host};
    Buffer<std::uint16_t> row_of{host};
    Buffer<std::uint32_t> counts{host};
    Buffer<std::uint32_t> starts{host};
    Buffer<simd::Record> records{host};
    Buffer<simd::Record*> cursors{host};
    Buffer<std::uint32_t> answers{host};       // of another frame, to the same queries
    Buffer<parallel::Piece> pieces{host};      // of a result in the order of the search
    Buffer<struct AnswerSpace*> blocks{host};  // the spaces of the running blocks
    Buffer<struct AnswerSpace*> adding{host};  // and of those that add to lists of neighbours
    BatchSpace* next = nullptr;
};

// For the answers of one block of a batch.
struct AnswerSpace {
    static constexpr std::size_t max_streams = 64;

    // The offset and the number of a query's answers.
    struct Spot {
        const AgentId* ids;
        std::uint64_t count;
    };
    explicit AnswerSpace(MemoryResource* memory) noexcept : host(memory) {
        for (Buffer<AgentId>& stream : streams) stream = Buffer<AgentId>(memory);
        for (Buffer<float>& stream : distances) stream = Buffer<float>(memory);
    }
    MemoryResource* const host;
    Buffer<simd::Record> records{host};
    Buffer<std::uint8_t> group_of{host};
    Buffer<std::uint64_t> ends{host};
    Buffer<Spot> spots{host};
    // For lists of neighbours: their places in the streams, their distances, and how many are added from
    // other streams. Apart, since only the first are always needed, and fit into the cache beside streams.
    Buffer<const AgentId*> lists{host};
    Buffer<const float*> list_distances{host};
    Buffer<std::uint32_t> added{host};
    Buffer<AgentId> streams[max_streams];
    Buffer<float> distances[max_streams];  // of neighbours, each at the spot of its id
    PartRoom stream_room;                  // for lists of neighbours
    Buffer<AgentId> dropped{host};         // lists of ghosts, and their distances
    Buffer<float> dropped_distances{host};
    AnswerSpace* next = nullptr;
};

// A cast of a batch among the casts of its part of the world: its number and its bin, and then its spot in
// the order of the search.
struct CastEntry {
    std::uint32_t number, spot;
};
// For a batch of casts: their order, and answers in this order or the hits of one of its blocks.
struct CastSpace {
    explicit CastSpace(MemoryResource* memory) noexcept : host(memory) {}
    MemoryResource* const host;
    Buffer<Cast> casts{host};          // a copy, if they do not lie in one array
    Buffer<std::uint32_t> bins{host};  // of each cast, and then which is its entry
    Buffer<CastEntry> entries{host};
    Buffer<std::uint32_t> counts{host};
    Buffer<std::uint32_t> starts{host};
    Buffer<std::uint32_t> order{host};
    Buffer<parallel::Piece> pieces{host};
    Buffer<CastHit> hits{host};
    Buffer<std::uint8_t> found{host};
    Buffer<Box> boxes{host};  // of the hits, if wanted
    PartRoom hit_room;
    Buffer<CastHit>& answers(const CastHit*) noexcept { return hits; }
    Buffer<std::uint8_t>& answers(const std::uint8_t*) noexcept { return found; }
    Buffer<CastSpace*> blocks{host};  // the spaces of the blocks
    CastSpace* next = nullptr;
};

// All pools of a store.
struct Spaces {
    explicit Spaces(MemoryResource& memory) noexcept
        : sort(memory),
          pairs(memory),
          pair_tables(memory),
          grown(memory),
          batches(memory),
          answers(memory),
          casts(memory),
          torus(memory),
          agent_tables(memory),
          centre_tables(memory),
          centre_frames(memory) {}

    Pool<SortSpace> sort;
    Pool<PairSpace> pairs;
    std::atomic<std::size_t> sweep_bytes{0};  // the most that any of these needed for a sweep
    Pool<PairTable> pair_tables;
    Pool<GrownSpace> grown;
    Pool<BatchSpace> batches;
    Pool<AnswerSpace> answers;
    Pool<CastSpace> casts;
    Pool<TorusSpace> torus;
    Pool<AgentTable> agent_tables;
    Pool<CentreTable> centre_tables;
    Pool<CentreFrame> centre_frames;

    template <class Visit>
    void for_each_pool(Visit&& visit) noexcept {
        const auto each = [&](auto&... pools) { (visit(pools), ...); };
        each(sort, pairs, pair_tables, grown, batches, answers, casts, torus, agent_tables, centre_tables,
             centre_frames);
    }
    // Gives back what is in the pools.
    void release() noexcept {
        for_each_pool([](auto& pool) { pool.release(); });
        sweep_bytes.store(0, std::memory_order_relaxed);
    }
};

}  // namespace throng::detail
