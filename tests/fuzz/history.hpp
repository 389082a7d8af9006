// What the bytes of a fuzzer mean: an engine's configuration, and a history of calls to it. Every input is a
// history. No history depends on what an engine answers, so it can be played on any number of worlds, and
// printed.
//
//     header      cell width, row height, executor, instruction set
//     operation   what to do, then what it needs: boxes, ids, numbers
//     operation   ...
//
// A new operation takes a slot in the table of decoder.cpp that another one has more than once. Or the upper
// bits of an operation's first byte say that it is there, and it reads no bytes of its own. So the kept
// inputs keep their meaning.
#pragma once

#include "oracle/around.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

// Boxes as a host might keep them.
struct BoxList {
    enum class Form : std::uint8_t { structures, corners, centres, points };

    Form form = Form::structures;
    std::vector<Box> boxes;                  // by structures
    std::vector<float> coordinates[4] = {};  // by anything else
    float radius = 0;

    std::size_t size() const { return form == Form::structures ? boxes.size() : coordinates[0].size(); }
    Boxes view() const;
};
// For people: the first of them.
std::string describe(const BoxList& list);

enum class Kind : std::uint8_t {
    update,
    update_by_ids,
    update_labelled,
    update_legal,         // with room for some of those that are left out
    update_legal_by_ids,  // the same
    renumber,
    insert_one,
    insert_many,
    move_one,
    move_many,
    remove_one,
    remove_many,
    relabel,
    rebase,
    commit,
    discard,
    ask_batch,   // every kind of query, many at once
    ask_singly,  // the same queries one by one
    ask_filtered,
    ask_layered,  // agents and walls together, radii of their own, neighbours in another frame
    build_walls,  // a static layer; none of no boxes
    handles,      // agents are inserted, moved, labelled and removed by handle, and older handles looked at
    ask_kept,     // neighbours that are kept with a skin
    ask_bounded,  // into outputs that may be too small
    pairs,
    order,     // all ids, into an output that may be too small
    hold,      // keeps the newest frame, and an answer of it
    drop,      // lets one of those go
    relocate,  // the engine moves to another place in memory
};
const char* describe(Kind kind);

struct Operation {
    static constexpr std::uint32_t enough = 0xFFFFFFFF;

    Kind kind = Kind::commit;
    BoxList boxes;
    std::vector<AgentId> ids;
    std::vector<Label> labels;
    std::vector<Band> heights;
    // One for all queries, or one for each.
    std::vector<Filter> filters;
    // With one filter: each query leaves out the agent of its number.
    bool each_without_itself = false;
    // The new origin.
    Point origin;
    // Of queries: which of the held frames to query, or the newest. Of `drop`: which to drop.
    std::size_t frame = 0;
    // How much fits into a bounded output. For `ask_layered`: in which other frame to look.
    std::size_t room = 0;
    // For `renumber`, whose ids depend on the world: which order, and what is wrong with it.
    std::uint8_t order = 0, fault = 0;
    // Whether the engine first gives back what memory it can.
    bool released = false;
    // How many allocations succeed while it is carried out, and no more.
    std::uint32_t allocations = enough;
};

struct History {
    float cell_width = 0, row_height = 0;
    // Numbers for one of several executors, and for one of the instruction sets that run here.
    unsigned executor = 0, instruction_set = 0;
    // How far it is around the world; zero where it has edges.
    oracle::Around period;
    std::vector<Operation> operations;
};

Filters filters_of(const Operation& operation);

History decode(std::span<const std::uint8_t> bytes);

// For people: the history up to and with one operation.
std::string describe(const History& history, std::size_t last);

}  // namespace throng::fuzz
