// What the bytes of a fuzzer mean to the spatial structures: what a structure is to expect, and a history of
// edits and queries. Elements are chosen by their number among those that are there, so one history can be
// played on any structure, whatever ids it hands out.
//
//     header      extents, elements, sizes
//     operation   what to do, then what it needs: boxes, numbers
//     operation   ...
//
// A new operation takes a slot in the table of structure_history.cpp that another one has more than once, so
// that the kept inputs keep their meaning.
#pragma once

#include "fuzz/history.hpp"
#include "support/test.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::fuzz {

enum class Deed : std::uint8_t {
    assign,
    insert,          // every box
    move,            // the elements from `number` on, to the boxes
    move_together,   // the elements from `number` on, to where the next ones are
    remove,          // `count` elements from `number` on
    remove_all_but,  // `count`
    unknown_id,      // moves and removes `number` itself, which may be an id or not
    clean_up,
    clear,
    ask,         // every box, once with all, and once without element `number`
    ask_beside,  // element `number`: what touches it, and what misses it by the smallest step there is
    pairs,
    relocate,  // to another place in memory
};
const char* describe(Deed deed);

struct StructureOperation {
    Deed deed = Deed::clean_up;
    BoxList boxes;
    std::uint32_t number = 0;
    std::uint32_t count = 0;
    // How many allocations succeed while it is carried out, and no more.
    std::uint32_t allocations = Operation::enough;
};

struct StructureHistory {
    structures::Expected expected;
    std::vector<StructureOperation> operations;
};

StructureHistory decode_for_structures(std::span<const std::uint8_t> bytes);

// For people: the history up to and with one operation.
std::string describe(const StructureHistory& history, std::size_t last);

}  // namespace throng::fuzz
