// Checks a loose grid. Nothing is trusted: every walk is bounded by the number of elements or links, and only
// indices in use are followed.
#include "base/box_math.hpp"
#include "structures/src/loose_grid/state.hpp"

namespace throng::structures {

using namespace detail;

IndexValidation LooseGrid::State::validate() const noexcept {
    IndexValidation report;
    if (!records_.validate()) report.note("the list of free records is broken", 0);
    if (!slots_.validate()) report.note("the list of free ids is broken", 0);
    if (!nodes_.validate()) report.note("the list of free links is broken", 0);
    if (!touched_.validate()) report.note("the set of touched cells is broken", 0);
    if (report.sound()) check_records(report);
    if (report.sound()) check_cells(report);
    if (report.sound()) check_links(report);
    return report;
}

void LooseGrid::State::check_records(IndexValidation& report) const noexcept {
    if (slots_.size() != records_.size()) report.note("there are not as many ids as records", slots_.size());
    slots_.for_each([&](ElementId id, std::uint32_t slot) {
        if (!records_.contains(slot) || records_[slot].id != id)
            report.note("an id leads to a record that is not its own", id);
        else if (const Box& b = records_[slot].box; !(b.min_x <= b.max_x && b.min_y <= b.max_y))
            report.note("an element's box is not legal", id);
    });
}

// Every element is in the list of its own cell. A list that runs into another one, or into itself, has
// elements of another cell, or too many.
void LooseGrid::State::check_cells(IndexValidation& report) const noexcept {
    std::size_t listed = 0;
    for (std::uint32_t row = 0, c = 0; row < config_.rows; ++row) {
        const std::size_t listed_before = listed;
        for (const std::uint32_t end = c + config_.columns; c < end; ++c) {
            const Cell& cell = cells_[c];
            Box bounds = no_box;
            for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next) {
                if (!records_.contains(slot)) return report.note("a list leads to no element", c);
                if (++listed > records_.size()) return report.note("an element is listed twice", c);
                if (cell_of(records_[slot].box) != c)
                    return report.note("an element is listed in another cell", c);
                bounds = bounds.united(records_[slot].box);
            }
            if (!is_empty(bounds) && !encloses(cell.bounds, bounds))
                report.note("a cell's bounds leave out an element", c);
            if (!touched_.test(c) && !(cell.bounds == bounds))
                report.note("a cell's bounds are not tight, and nothing was touched", c);
        }
        if (listed - listed_before != row_sizes_[row]) report.note("a row's elements are miscounted", row);
    }
    if (listed != records_.size()) report.note("an element is in no list", listed);
}

// Every cell that is not near is in all tight cells that its bounds overlap, or in the list of wide cells,
// once.
void LooseGrid::State::check_links(IndexValidation& report) const noexcept {
    std::uint64_t expected = 0, sum = 0;
    for (std::uint32_t c = 0; c < cells_.size() && !is_unlinked_; ++c) {
        const TightRange range = links_of(cells_[c].bounds);
        if (range.count() > max_tight_cells) {
            expected += membership(wide_list(), c);
            continue;
        }
        for (std::uint32_t y = range.y0; y <= range.y1; ++y)
            for (std::uint32_t x = range.x0; x <= range.x1; ++x) expected += membership(tight_at(x, y), c);
    }
    std::size_t links = 0;
    for (std::uint32_t list = 0; list < tight_.size(); ++list) {
        for (std::uint32_t node = tight_[list]; node != none; node = nodes_[node].next) {
            if (!nodes_.contains(node)) return report.note("a tight cell leads to no link", list);
            if (++links > nodes_.size()) return report.note("a link is listed twice", list);
            if (nodes_[node].cell >= cells_.size()) return report.note("a link leads to no cell", list);
            sum += membership(list, nodes_[node].cell);
        }
    }
    if (links != nodes_.size()) report.note("a link is in no list", links);
    if (sum != expected) report.note("cells are not linked where their bounds are", links);
}

}  // namespace throng::structures
