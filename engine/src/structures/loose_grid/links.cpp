// Loose cells in tight cells. A non-empty loose cell is in every tight cell that its bounds overlap, or else
// in the list of wide cells. Bounds that changed without their links would hide elements. So code that grows
// bounds adds links at once, and code that shrinks them removes links.
#include <algorithm>
#include <utility>

#include "engine/src/base/box_math.hpp"
#include "engine/src/structures/loose_grid/state.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng {

using namespace detail;

// Makes room for the links that a cell needs when a box is added.
bool LooseGrid::State::reserve_links(std::uint32_t cell, const Box& box) noexcept {
    const Box& old = cells_[cell].bounds;
    if (encloses(old, box) || wide_.test(cell)) return true;
    Box bounds = old;
    bounds = united(bounds, box);
    const std::uint32_t before = is_empty(old) ? 0 : tight_range(old).count();
    std::uint32_t after = tight_range(bounds).count();
    if (after > max_tight_cells) after = 1;
    return after <= before || nodes_.reserve(nodes_.size() + (after - before));
}

void LooseGrid::State::stretch(std::uint32_t cell, const Box& box) noexcept {
    const Box old = cells_[cell].bounds;
    if (encloses(old, box)) return;
    cells_[cell].bounds = united(cells_[cell].bounds, box);
    if (wide_.test(cell)) return;
    const TightRange range = tight_range(cells_[cell].bounds);
    const bool is_new = is_empty(old);
    const TightRange before = is_new ? TightRange{1, 1, 0, 0} : tight_range(old);
    if (range == before) return;
    if (range.count() > max_tight_cells) {
        for (std::uint32_t y = before.y0; !is_new && y <= before.y1; ++y)
            for (std::uint32_t x = before.x0; x <= before.x1; ++x) take_node(tight_at(x, y), cell);
        wide_.set(cell);
        push_node(wide_list(), cell);
        return;
    }
    for (std::uint32_t y = range.y0; y <= range.y1; ++y)
        for (std::uint32_t x = range.x0; x <= range.x1; ++x)
            if (!before.has(x, y)) push_node(tight_at(x, y), cell);
}

// Tightens a cell's bounds.
void LooseGrid::State::shrink(std::uint32_t cell) noexcept {
    const Box old = cells_[cell].bounds, bounds = settled_bounds(cells_[cell]);
    if (is_empty(old)) return;
    cells_[cell].bounds = bounds;
    const bool has_any = !is_empty(bounds);
    const TightRange range = has_any ? tight_range(bounds) : TightRange{1, 1, 0, 0};
    if (wide_.test(cell)) {
        if (has_any && range.count() > max_tight_cells) return;
        if (has_any && !nodes_.reserve(nodes_.size() + range.count())) {
            has_unlinked_cells_ = true;
            return;
        }
        // The list of wide cells is scanned once for all of them.
        wide_.reset(cell);
        for (std::uint32_t y = range.y0; y <= range.y1; ++y)
            for (std::uint32_t x = range.x0; x <= range.x1; ++x) push_node(tight_at(x, y), cell);
        return;
    }
    const TightRange before = tight_range(old);
    if (range == before) return;
    for (std::uint32_t y = before.y0; y <= before.y1; ++y)
        for (std::uint32_t x = before.x0; x <= before.x1; ++x)
            if (!range.has(x, y)) take_node(tight_at(x, y), cell);
}

void LooseGrid::State::drop_narrow_cells() noexcept {
    std::uint32_t* link = &tight_[wide_list()];
    while (*link != none) {
        const std::uint32_t node = *link;
        if (wide_.test(nodes_[node].cell)) {
            link = &nodes_[node].next;
        } else {
            *link = nodes_[node].next;
            nodes_.erase(node);
        }
    }
}

// Needs a `reserve_links` before.
void LooseGrid::State::push_node(std::uint32_t list, std::uint32_t cell) noexcept {
    tight_[list] = nodes_.insert({tight_[list], cell});
}

void LooseGrid::State::take_node(std::uint32_t list, std::uint32_t cell) noexcept {
    std::uint32_t* link = &tight_[list];
    while (nodes_[*link].cell != cell) link = &nodes_[*link].next;
    const std::uint32_t node = *link;
    *link = nodes_[node].next;
    nodes_.erase(node);
}

// Rebuilds all links from the bounds, with the nodes of a tight cell side by side. Cells that cover more than
// `most` tight cells become wide. Returns false, with no links at all, if there is no memory.
bool LooseGrid::State::link_all(std::uint32_t most) noexcept {
    std::fill(tight_.begin(), tight_.end(), 0u);
    wide_.clear();
    nodes_.clear();
    std::size_t total = 0;
    const auto each_list = [&](std::uint32_t cell, auto&& use) {
        if (wide_.test(cell)) return use(wide_list());
        const TightRange range = tight_range(cells_[cell].bounds);
        for (std::uint32_t y = range.y0; y <= range.y1; ++y)
            for (std::uint32_t x = range.x0; x <= range.x1; ++x) use(tight_at(x, y));
    };
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
        if (is_empty(cells_[cell].bounds)) continue;
        if (tight_range(cells_[cell].bounds).count() > most) wide_.set(cell);
        each_list(cell, [&](std::uint32_t list) { ++tight_[list], ++total; });
    }
    // With headroom: in the next frame other cells will have stretched.
    if (total > nodes_.capacity() && !nodes_.reserve_exactly(with_headroom(total))) return false;
    if (!nodes_.fill(total)) return false;
    std::uint32_t begin = 0;
    for (std::uint32_t& head : tight_) begin += std::exchange(head, begin);
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
        if (is_empty(cells_[cell].bounds)) continue;
        each_list(cell, [&](std::uint32_t list) {
            const std::uint32_t node = tight_[list]++;
            nodes_[node] = {node + 1, cell};
        });
    }
    begin = 0;
    for (std::uint32_t& head : tight_) {
        const std::uint32_t end = head;
        if (end != begin) nodes_[end - 1].next = none;
        head = end != begin ? begin : none;
        begin = end;
    }
    has_unlinked_cells_ = most < max_tight_cells;
    return true;
}

// Cells stretch while elements move, and have more links before a clean-up than after it. So the first
// clean-up knows the need of later frames: the most nodes in use since the last one.
void LooseGrid::State::keep_room_for_moves() noexcept {
    if (size() <= reserved_for_ + reserved_for_ / 8) return;
    reserved_for_ = size();
    (void)nodes_.reserve_exactly(with_headroom(nodes_.range()));
}

// One link for each cell always fits.
void LooseGrid::State::relink_all_or_widen() noexcept {
    if (!link_all(max_tight_cells)) (void)link_all(1);
}

}  // namespace throng
