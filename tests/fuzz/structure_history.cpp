#include "fuzz/structure_history.hpp"

#include <cstdio>
#include <limits>

#include "fuzz/boxes.hpp"
#include "fuzz/bytes.hpp"

namespace throng::fuzz {
namespace {

constexpr std::size_t max_edits = 64;

constexpr Deed deeds[32] = {
    Deed::assign,         Deed::assign,        Deed::assign,        Deed::insert,
    Deed::insert,         Deed::insert,        Deed::insert,        Deed::insert,
    Deed::move,           Deed::move,          Deed::move,          Deed::move,
    Deed::move,           Deed::move_together, Deed::move_together, Deed::remove,
    Deed::remove,         Deed::remove,        Deed::remove,        Deed::remove_all_but,
    Deed::remove_all_but, Deed::unknown_id,    Deed::clean_up,      Deed::clean_up,
    Deed::clear,          Deed::ask,           Deed::ask,           Deed::ask,
    Deed::ask_beside,     Deed::ask_beside,    Deed::pairs,         Deed::relocate};

Box read_extents(Bytes& bytes) {
    constexpr float most = std::numeric_limits<float>::max();
    static constexpr Box usual[] = {{0, 0, 20, 20},        {0, 0, 4, 4},
                                    {0, 0, 60, 60},        {0, 0, 200, 200},
                                    {-40, -1, 1, 1},       {0, 0, 1e-37f, 1e-37f},
                                    {-1e30f, 0, 1e30f, 1}, {-most, -most, most, most},
                                    {5, 5, 6, 1000},       {1e6f, 1e6f, 2e6f, 2e6f},
                                    {0, 0, 1, 1},          {-60, -60, 60, 60}};
    const std::uint8_t which = bytes.byte();
    if (which < 240) return usual[which % std::size(usual)];
    return {bytes.any_float(), bytes.any_float(), bytes.any_float(), bytes.any_float()};
}

float read_size(Bytes& bytes) {
    static constexpr float usual[] = {1, 0.8f, 0.1f, 4, 20, 1000, 1e-3f, 1e30f, 1e-38f};
    const std::uint8_t which = bytes.byte();
    return which < 240 ? usual[which % std::size(usual)] : bytes.any_float();
}

StructureOperation read_operation(Bytes& bytes) {
    const std::uint8_t head = bytes.byte();
    StructureOperation operation{.deed = deeds[head % 32]};
    if (head >= 224) operation.allocations = bytes.byte() % 16;
    const auto boxes = [&](std::size_t count) { return as_a_host_has_it(bytes, read_boxes(bytes, count)); };
    switch (operation.deed) {
    case Deed::assign: operation.boxes = boxes(bytes.byte()); break;
    case Deed::insert: operation.boxes = boxes(1 + bytes.byte() % 64); break;
    case Deed::move:
        operation.number = bytes.byte();
        operation.boxes = boxes(1 + bytes.byte() % 64);
        break;
    case Deed::ask:
        operation.number = bytes.byte();
        operation.boxes = boxes(1 + bytes.byte() % 8);
        break;
    case Deed::move_together:
    case Deed::remove:
    case Deed::ask_beside:
        operation.number = bytes.byte();
        operation.count = bytes.byte();
        break;
    case Deed::remove_all_but: operation.count = bytes.byte() % 8; break;
    case Deed::unknown_id:
        operation.number = bytes.byte();
        if (operation.number >= 128) operation.number = bytes.four_bytes();
        break;
    case Deed::clean_up:
    case Deed::clear:
    case Deed::pairs:
    case Deed::relocate: break;
    }
    return operation;
}

std::string in_words(const structures::Expected& expected) {
    char line[200];
    std::snprintf(line, sizeof line,
                  "extents {%.9g, %.9g, %.9g, %.9g}, %zu elements of the sizes %.9g and %.9g\n",
                  static_cast<double>(expected.extents.min_x), static_cast<double>(expected.extents.min_y),
                  static_cast<double>(expected.extents.max_x), static_cast<double>(expected.extents.max_y),
                  expected.elements, static_cast<double>(expected.typical_size),
                  static_cast<double>(expected.largest_size));
    return line;
}

}  // namespace

const char* describe(Deed deed) {
    static constexpr const char* names[] = {
        "assign",   "insert", "move", "move_together", "remove", "remove_all_but", "unknown_id",
        "clean_up", "clear",  "ask",  "ask_beside",    "pairs",  "relocate"};
    return names[static_cast<std::size_t>(deed)];
}

StructureHistory decode_for_structures(std::span<const std::uint8_t> input) {
    Bytes bytes(input);
    StructureHistory history;
    history.expected.extents = read_extents(bytes);
    history.expected.elements = std::size_t{bytes.byte()} * 2;
    history.expected.typical_size = read_size(bytes);
    history.expected.largest_size = read_size(bytes);
    while (!bytes.empty() && history.operations.size() < max_edits)
        history.operations.push_back(read_operation(bytes));
    return history;
}

std::string describe(const StructureHistory& history, std::size_t last) {
    std::string text = in_words(history.expected);
    for (std::size_t i = 0; i <= last && i < history.operations.size(); ++i) {
        const StructureOperation& operation = history.operations[i];
        text += "    " + std::to_string(i) + ' ' + describe(operation.deed) + ", number " +
                std::to_string(operation.number) + ", count " + std::to_string(operation.count);
        if (operation.allocations != Operation::enough)
            text += ", with " + std::to_string(operation.allocations) + " allocations";
        text += '\n' + describe(operation.boxes);
    }
    return text;
}

}  // namespace throng::fuzz
