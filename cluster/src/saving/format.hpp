// A saved cluster: a header of 64 bytes, and then the agents of all ranks, column after column.
//
//     header | ids | boxes | labels, if there are any | heights, likewise | payloads
//
// Version 1 had no heights. Without heights a file is still of version 1, so that older libraries read it.
// Each agent has a row in all columns. A rank writes the rows of the agents that it owns, behind those of
// lower ranks; whoever reads may take any rows. The sum of all bytes shows whether a file has changed.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "cluster/src/messages/parcels.hpp"
#include "cluster/src/messages/summary.hpp"
#include "cluster/src/world/agent_table.hpp"
#include "throng/cluster/status.hpp"

namespace throng::cluster::detail {

struct SavedHeader {
    char kind[8] = {'t', 'h', 'r', 'o', 'n', 'g', ' ', 'c'};
    std::uint32_t version = 1;
    std::uint32_t byte_order = 0x01020304;
    std::uint64_t count = 0, payload_bytes = 0;
    std::uint64_t labels = 0;   // whether there are any: 0 or 1
    std::uint64_t sum = 0;      // of all rows
    std::uint64_t heights = 0;  // as labels
    std::uint64_t unused = 0;

    // Before it is written.
    void set_extras(const Extras& extras) noexcept {
        labels = extras.labels ? 1 : 0;
        heights = extras.heights ? 1 : 0;
        payload_bytes = extras.payload;
        version = extras.heights ? 2 : 1;
    }
    bool is_of_this_kind() const noexcept {
        const SavedHeader known;
        return std::memcmp(kind, known.kind, sizeof kind) == 0 && byte_order == known.byte_order &&
               labels <= 1 && heights <= 1 && version == 1 + heights && unused == 0;
    }
    Extras extras() const noexcept {
        return {.labels = labels != 0,
                .heights = heights != 0,
                .payload = static_cast<std::size_t>(payload_bytes)};
    }
    std::uint64_t row_bytes() const noexcept {
        std::uint64_t bytes = 0;
        AgentTable::for_each_column(extras(), [&](auto column, std::size_t values) {
            if (values != 0) bytes += AgentTable::bytes_of(column, values);
        });
        return bytes;
    }
    // Whether the file has exactly the bytes that it should. A payload is known to be small here.
    bool fits(std::uint64_t file_bytes) const noexcept {
        return count <= (std::numeric_limits<std::int64_t>::max() - sizeof *this) / row_bytes() &&
               file_bytes == sizeof *this + count * row_bytes();
    }
    // A number for the whole header, so that ranks can tell whether they have read the same one.
    std::uint64_t mixed() const noexcept {
        std::uint64_t words[8], all = 0;
        std::memcpy(words, this, sizeof words);
        for (const std::uint64_t word : words) all = Census::mix(all ^ word);
        return all;
    }
};
static_assert(sizeof(SavedHeader) == 64);

// Calls `call(at, data, bytes)` for the rows of a table in each column: where they are in the file, and here.
template <class Table, class Call>
void for_each_column(const SavedHeader& header, std::uint64_t first, std::uint64_t rows, Table& table,
                     const Call& call) noexcept {
    std::uint64_t begin = sizeof header;
    AgentTable::for_each_column(header.extras(), [&](auto column, std::size_t values) {
        if (values == 0) return;
        const std::uint64_t width = AgentTable::bytes_of(column, values);
        call(begin + first * width, (table.*column).data(), rows * width);
        begin += header.count * width;
    });
}

// The sum of these rows. It is a sum of numbers, so that ranks can share it out, and it depends on the place
// of every word.
inline std::uint64_t sum_of_rows(const SavedHeader& header, std::uint64_t first, std::uint64_t rows,
                                 const AgentTable& table) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        std::uint64_t place = Census::mix(first + i);
        AgentTable::for_each_column(header.extras(), [&](auto column, std::size_t values) {
            if (values == 0) return;
            const std::size_t bytes = AgentTable::bytes_of(column, values);
            const char* const from = reinterpret_cast<const char*>((table.*column).data() + i * values);
            for (std::size_t at = 0; at < bytes; at += sizeof(Word)) {
                std::uint64_t word = 0;
                std::memcpy(&word, from + at, std::min(sizeof(Word), bytes - at));
                sum += Census::mix(word ^ ++place);
            }
        });
    }
    return sum;
}

}  // namespace throng::cluster::detail
