#include "fuzz/history.hpp"

#include <algorithm>
#include <cstdio>

namespace throng::fuzz {

std::string describe(const BoxList& list) {
    std::string text;
    constexpr std::size_t shown = 12;
    const Boxes boxes = list.view();
    char line[160];
    for (std::size_t i = 0; i < std::min(list.size(), shown); ++i) {
        const Box box = boxes[i];
        std::snprintf(line, sizeof line, "        {%.9g, %.9g, %.9g, %.9g}\n", static_cast<double>(box.min_x),
                      static_cast<double>(box.min_y), static_cast<double>(box.max_x),
                      static_cast<double>(box.max_y));
        text += line;
    }
    if (list.size() > shown) text += "        and " + std::to_string(list.size() - shown) + " more\n";
    return text;
}

Boxes BoxList::view() const {
    const std::vector<float>(&c)[4] = coordinates;
    switch (form) {
    case Form::structures: break;
    case Form::corners: return Boxes::min_max(c[0].data(), c[1].data(), c[2].data(), c[3].data(), size());
    case Form::centres: return Boxes::centre_half(c[0].data(), c[1].data(), c[2].data(), c[3].data(), size());
    case Form::points: return Boxes::points(c[0].data(), c[1].data(), radius, size());
    }
    return Boxes::of(boxes);
}

const char* describe(Kind kind) {
    static constexpr const char* names[] = {"update",
                                            "update_by_ids",
                                            "update_labelled",
                                            "update_legal",
                                            "update_legal_by_ids",
                                            "renumber",
                                            "insert_one",
                                            "insert_many",
                                            "move_one",
                                            "move_many",
                                            "remove_one",
                                            "remove_many",
                                            "relabel",
                                            "rebase",
                                            "commit",
                                            "discard",
                                            "ask_batch",
                                            "ask_singly",
                                            "ask_filtered",
                                            "ask_layered",
                                            "build_walls",
                                            "handles",
                                            "ask_kept",
                                            "ask_bounded",
                                            "pairs",
                                            "order",
                                            "hold",
                                            "drop",
                                            "relocate"};
    return names[static_cast<std::size_t>(kind)];
}

Filters filters_of(const Operation& operation) {
    if (operation.filters.size() != 1) return Filters::of(operation.filters);
    const Filter& one = operation.filters.front();
    return operation.each_without_itself ? Filters::each_without_itself(one) : Filters(one);
}

std::string describe(const History& history, std::size_t last) {
    std::string text = "cells of " + std::to_string(history.cell_width) + " by " +
                       std::to_string(history.row_height) + ", executor " + std::to_string(history.executor) +
                       '\n';
    if (history.period.wraps()) {
        char line[80];
        std::snprintf(line, sizeof line, "around after %.9g and %.9g\n", double{history.period.x},
                      double{history.period.y});
        text += line;
    }
    for (std::size_t i = 0; i <= last && i < history.operations.size(); ++i) {
        const Operation& operation = history.operations[i];
        text += "    " + std::to_string(i) + ' ' + describe(operation.kind);
        if (operation.allocations != Operation::enough)
            text += ", with " + std::to_string(operation.allocations) + " allocations";
        if (operation.released) text += ", after a release of memory";
        if (operation.frame != 0) text += ", frame " + std::to_string(operation.frame);
        if (operation.room != 0) text += ", room for " + std::to_string(operation.room);
        if (operation.kind == Kind::renumber)
            text +=
                ", order " + std::to_string(operation.order) + ", fault " + std::to_string(operation.fault);
        if (operation.kind == Kind::rebase)
            text += " by " + std::to_string(operation.origin.x) + ", " + std::to_string(operation.origin.y);
        for (const AgentId id : operation.ids) text += ' ' + std::to_string(id);
        for (const Label& label : operation.labels)
            text += " {" + std::to_string(label.categories) + ", " + std::to_string(label.group) + '}';
        const auto describe_band = [&](const Band& band) {
            text += " (" + std::to_string(band.min_z) + ", " + std::to_string(band.max_z) + ')';
        };
        for (const Band& band : operation.heights) describe_band(band);
        for (const Filter& filter : operation.filters) {
            text += " [" + std::to_string(filter.categories) + ", " + std::to_string(filter.self) + ", " +
                    std::to_string(filter.not_in_group) + ']';
            describe_band(filter.heights);
        }
        text += '\n';
        text += describe(operation.boxes);
    }
    return text;
}

}  // namespace throng::fuzz
