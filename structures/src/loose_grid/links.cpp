// Loose cells in tight cells. A near cell has no links. Any other is in every tight cell that its bounds
// overlap, or else in the list of wide cells. Bounds that changed without their links would hide elements. So
// code that grows bounds adds links at once, and code that shrinks them removes links.
#include <algorithm>
#include <utility>

#include "base/box_math.hpp"
#include "structures/src/loose_grid/state.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// A cell has up to sixteen links, which come and go together: so their number varies four times as much as if
// each came by itself.
std::size_t links_with_headroom(std::size_t count) noexcept {
    return count + std::max(count / 8, 4 * fluctuation(count)) + 64;
}

}  // namespace

// Makes room for the links that a cell needs for other bounds.
bool LooseGrid::State::reserve_links(const Box& old, const Box& bounds) noexcept {
    const std::uint32_t before = links_of(old).count(), after = links_of(bounds).count();
    const std::uint32_t needed = after > max_tight_cells ? 1 : after;
    return is_unlinked_ || needed <= before || nodes_.reserve(nodes_.size() + (needed - before));
}

// Needs a `reserve_links` before. A cell that is no longer wide stays in the list of these until
// `drop_narrow_cells`.
void LooseGrid::State::relink(std::uint32_t cell, const Box& bounds) noexcept {
    const Box old = std::exchange(cells_[cell].bounds, bounds);
    if (is_unlinked_) return;
    const TightRange none_at_all{1, 1, 0, 0};
    const bool was_wide = is_wide(old), wide = is_wide(bounds);
    const TightRange before = was_wide ? none_at_all : links_of(old);
    const TightRange range = wide ? none_at_all : links_of(bounds);
    if (range != before) {
        for (std::uint32_t y = before.y0; y <= before.y1; ++y)
            for (std::uint32_t x = before.x0; x <= before.x1; ++x)
                if (!range.has(x, y)) take_node(tight_at(x, y), cell);
        for (std::uint32_t y = range.y0; y <= range.y1; ++y)
            for (std::uint32_t x = range.x0; x <= range.x1; ++x)
                if (!before.has(x, y)) push_node(tight_at(x, y), cell);
    }
    if (wide && !was_wide) push_node(wide_list(), cell);
}

// Tightens a cell's bounds. Returns false and changes nothing if there is no memory for its links.
bool LooseGrid::State::shrink(std::uint32_t cell) noexcept {
    const Box old = cells_[cell].bounds, bounds = settled_bounds(cells_[cell]);
    if (is_near(old)) {
        cells_[cell].bounds = bounds;
        return true;
    }
    if (is_wide(old) && !is_wide(bounds) && !reserve_links(no_box, bounds)) return false;
    relink(cell, bounds);
    return true;
}

// The list of wide cells is scanned once for all that are no longer wide.
void LooseGrid::State::drop_narrow_cells() noexcept {
    std::uint32_t* link = &tight_[wide_list()];
    while (*link != none) {
        const std::uint32_t node = *link;
        if (is_wide(cells_[nodes_[node].cell].bounds)) {
            link = &nodes_[node].next;
        } else {
            *link = nodes_[node].next;
            nodes_.erase(node);
        }
    }
}

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

// Makes all links from the bounds, with the nodes of a tight cell side by side. Where there is no memory for
// them, there are none.
void LooseGrid::State::link_all() noexcept {
    std::fill(tight_.begin(), tight_.end(), 0u);
    nodes_.clear();
    const auto each_link = [&](auto&& use) {
        for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
            const TightRange range = links_of(cells_[cell].bounds);
            if (range.count() > max_tight_cells) {
                use(wide_list(), cell);
                continue;
            }
            for (std::uint32_t y = range.y0; y <= range.y1; ++y)
                for (std::uint32_t x = range.x0; x <= range.x1; ++x) use(tight_at(x, y), cell);
        }
    };
    std::size_t total = 0;
    each_link([&](std::uint32_t list, std::uint32_t) { ++tight_[list], ++total; });
    // With headroom: in the next frame other cells will have stretched.
    is_unlinked_ = (total > nodes_.capacity() && !nodes_.reserve_exactly(links_with_headroom(total))) ||
                   !nodes_.fill(total);
    if (is_unlinked_ || total == 0) return std::fill(tight_.begin(), tight_.end(), none);
    std::uint32_t begin = 0;
    for (std::uint32_t& head : tight_) begin += std::exchange(head, begin);
    each_link([&](std::uint32_t list, std::uint32_t cell) {
        const std::uint32_t node = tight_[list]++;
        nodes_[node] = {node + 1, cell};
    });
    begin = 0;
    for (std::uint32_t& head : tight_) {
        const std::uint32_t end = head;
        if (end != begin) nodes_[end - 1].next = none;
        head = end != begin ? begin : none;
        begin = end;
    }
}

// Cells stretch while elements move, and have more links before a clean-up than after it. So the first
// clean-up knows the need of later frames: the most nodes in use since the last one.
void LooseGrid::State::keep_room_for_moves() noexcept {
    if (size() <= reserved_for_ + reserved_for_ / 8) return;
    reserved_for_ = size();
    (void)nodes_.reserve_exactly(links_with_headroom(nodes_.range()));
}

}  // namespace throng::structures
