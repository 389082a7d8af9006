// A saved cluster: a header of 64 bytes, and then the agents of all ranks, column after column.
//
//     header | ids | boxes | labels, if there are any | payloads
//
// Each agent has a row in all columns. A rank writes the rows of the agents that it owns, behind those of
// lower ranks; whoever reads may take any rows. The sum of all bytes shows whether a file has changed.
#pragma once

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
    std::uint64_t labels = 0;  // whether there are any: 0 or 1
    std::uint64_t sum = 0;     // of all rows
    std::uint64_t unused[2] = {};

    bool is_of_this_kind() const noexcept {
        const SavedHeader known;
        return std::memcmp(kind, known.kind, sizeof kind) == 0 && version == known.version &&
               byte_order == known.byte_order && labels <= 1;
    }
    Extras extras() const noexcept { return {labels != 0, false, static_cast<std::size_t>(payload_bytes)}; }
    std::uint64_t row_bytes() const noexcept {
        return sizeof(GlobalId) + sizeof(Box) + labels * sizeof(Label) + payload_bytes;
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
    const auto column = [&](auto& array, std::uint64_t width) {
        call(begin + first * width, array.data(), rows * width);
        begin += header.count * width;
    };
    column(table.ids, sizeof(GlobalId));
    column(table.boxes, sizeof(Box));
    if (header.labels != 0) column(table.labels, sizeof(Label));
    column(table.payload, header.payload_bytes);
}

// The sum of these rows. It is a sum of numbers, so that ranks can share it out, and it depends on the place
// of every word.
inline std::uint64_t sum_of_rows(const SavedHeader& header, std::uint64_t first, std::uint64_t rows,
                                 const AgentTable& table) noexcept {
    const std::size_t payload = static_cast<std::size_t>(header.payload_bytes);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        std::uint64_t place = Census::mix(first + i);
        const auto add = [&](const void* from, std::size_t bytes) {
            std::uint64_t word = 0;
            std::memcpy(&word, from, bytes);
            sum += Census::mix(word ^ ++place);
        };
        add(&table.ids[i], sizeof(GlobalId));
        add(&table.boxes[i].min_x, sizeof(Word));
        add(&table.boxes[i].max_x, sizeof(Word));
        if (header.labels != 0) add(&table.labels[i], sizeof(Label));
        const std::byte* const luggage = table.payload.data() + i * payload;
        for (std::size_t at = 0; at < payload; at += sizeof(Word))
            add(luggage + at, payload - at < sizeof(Word) ? payload - at : sizeof(Word));
    }
    return sum;
}

}  // namespace throng::cluster::detail
