// The work spaces that parallel blocks use: plain buffers, pooled (see pool.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// For sorting the records of a row.
struct SortSpace {
    explicit SortSpace(MemoryResource* memory) noexcept : bytes(memory) {}
    Buffer<std::byte> bytes;
    SortSpace* next = nullptr;
};

// For the pairs of some rows: the agents that reach into later rows, what sorts the agents of cells that are
// too full, and what was found.
struct PairSpace {
    explicit PairSpace(MemoryResource* memory) noexcept : edge(memory), sweep(memory), pairs(memory) {}
    Buffer<std::uint32_t> edge;
    Buffer<std::byte> sweep;
    Buffer<Pair> pairs;
    PairSpace* next = nullptr;
};

// Which spaces the blocks of one search for pairs have taken.
struct PairTable {
    explicit PairTable(MemoryResource* memory) noexcept : spaces(memory) {}
    Buffer<PairSpace*> spaces;
    PairTable* next = nullptr;
};

// For a batch of queries: the queries themselves where the host's do not lie as the kernels want them,
// and what sorts them into packets.
struct BatchSpace {
    explicit BatchSpace(MemoryResource* memory) noexcept
        : queries(memory),
          row_of(memory),
          counts(memory),
          starts(memory),
          records(memory),
          cursors(memory),
          answers(memory),
          blocks(memory) {}
    Buffer<simd::Query> queries;
    Buffer<std::uint16_t> row_of;
    Buffer<std::uint32_t> counts;
    Buffer<std::uint32_t> starts;
    Buffer<simd::Record> records;
    Buffer<simd::Record*> cursors;
    Buffer<std::uint32_t> answers;       // of another frame to the same queries
    Buffer<struct AnswerSpace*> blocks;  // the spaces of the blocks at work
    BatchSpace* next = nullptr;
};

// For the answers of one block of a batch.
struct AnswerSpace {
    static constexpr std::size_t max_streams = 64;

    // Where the answers to a query are, and how many.
    struct Place {
        const AgentId* ids;
        std::uint64_t count;
    };

    explicit AnswerSpace(MemoryResource* memory) noexcept
        : records(memory), group_of(memory), ends(memory), places(memory) {
        for (Buffer<AgentId>& stream : streams) stream = Buffer<AgentId>(memory);
    }
    Buffer<simd::Record> records;
    Buffer<std::uint8_t> group_of;
    Buffer<std::uint64_t> ends;
    Buffer<Place> places;
    Buffer<AgentId> streams[max_streams];
    AnswerSpace* next = nullptr;
};

// How much room to make for a need that varies a little from frame to frame: by a share where there are many,
// and by chance where there are few.
inline std::size_t amply(std::size_t count) noexcept { return count + count / 4 + 256; }

// Room for `count` values, and ample if more has to be made.
template <class T>
[[nodiscard]] bool reserve_amply(Buffer<T>& buffer, std::size_t count) noexcept {
    return count <= buffer.capacity() || buffer.reserve(amply(count));
}

// Sets the size of a buffer whose need varies from frame to frame, with ample room if it has to allocate.
template <class T, class... Value>
[[nodiscard]] bool resize_amply(Buffer<T>& buffer, std::size_t count, Value... value) noexcept {
    return reserve_amply(buffer, count) && buffer.resize(count, value...);
}

// The same for a table with an entry for each row, or for some multiple of them. How many rows there are
// changes a little whenever islands are planned anew; without islands it changes only with the grid.
template <class T, class... Value>
[[nodiscard]] bool resize_by_rows(bool rows_vary, Buffer<T>& buffer, std::size_t count,
                                  Value... value) noexcept {
    return (!rows_vary || reserve_amply(buffer, count)) && buffer.resize(count, value...);
}

// Gives a buffer's memory back, when its content is done with, if it is large and was made for many times as many
// agents as there are: a great population has left. Nothing that so many agents need comes near the bound, so
// a settled simulation never gets here, and one that shrinks slowly does rarely.
template <class T>
void release_excess(Buffer<T>& buffer, std::size_t agents) noexcept {
    constexpr std::size_t little = 256 * 1024, times = 8;
    if (buffer.bytes() > little && buffer.capacity() / times > agents) buffer.release();
}

// To be called when a result is complete: if it nearly fills its buffer, the buffer grows now, while the
// world is still settling. A lack of memory here is no failure.
template <class T>
void keep_ample(Buffer<T>& buffer, std::size_t used) noexcept {
    if (used + used / 8 + 64 > buffer.capacity()) (void)buffer.reserve(amply(used));
}

}  // namespace throng::detail
