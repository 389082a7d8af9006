// Edits of one element, and the clean-up at the end of a frame.
#include <algorithm>
#include <cstring>

#include "structures/src/row_grid/cells.hpp"
#include "structures/src/rows/carver.hpp"
#include "throng/compiler.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// How many clean-ups in a row must find a row empty before its memory is freed. Rows at the edge of a crowd
// are empty in one frame and not in the next.
constexpr std::uint8_t idle_clean_ups = 8;

}  // namespace

Status RowGrid::State::insert_legal(const Box& box, ElementId& id) noexcept {
    const std::uint32_t r = row_of(box);
    if (!rows_[r].reserve(columns_of(r), std::size_t{rows_[r].size} + 1)) return {Code::out_of_memory};
    const ElementId made = where_.insert({r, 0});
    if (made == where_.none) return {Code::out_of_memory};
    where_[made].node = rows_[r].link(column_in(r, box), box, made);
    id = made;
    return {};
}

// Within its row, where there is always room.
void RowGrid::State::replace(ElementId id, const Box& box) noexcept {
    const Where at = where_[id];
    GridRow& row = rows_[at.row];
    GridRow::Node& node = row.nodes[at.node];
    const std::uint32_t from = column_in(at.row, node.box), to = column_in(at.row, box);
    if (from == to) {
        row.loose = true;
        node.box = box;
        row.grow(box);
        return;
    }
    take_out(at, node.box);
    where_[id].node = row.link(to, box, id);
}

void RowGrid::State::take_out(Where from, const Box& box) noexcept {
    const ElementId moved = rows_[from.row].unlink(column_in(from.row, box), from.node);
    if (moved != no_element) where_[moved].node = from.node;
}

Status RowGrid::State::move_legal(ElementId id, const Box& box) noexcept {
    // Nodes lie in the order of cells, but hosts move elements in that of ids: each would wait for memory.
    constexpr ElementId moves_ahead = 12;
    if (id < where_.range() - std::min(where_.range(), moves_ahead)) {
        // A free id has a link of the free list instead of a row.
        const Where later = where_[id + moves_ahead];
        if (later.row < rows_.size() && later.node < rows_[later.row].nodes.size()) {
            const GridRow::Node& node = rows_[later.row].nodes[later.node];
            THRONG_PREFETCH(&node, 1);
            THRONG_PREFETCH(&node.next, 1);
        }
    }
    const Where from = where_[id];
    const std::uint32_t to = row_of(box);
    if (from.row == to) {
        replace(id, box);
        return {};
    }
    if (!rows_[to].reserve(columns_of(to), std::size_t{rows_[to].size} + 1)) return {Code::out_of_memory};
    take_out(from, box_of(id));
    where_[id] = {to, rows_[to].link(column_in(to, box), box, id)};
    return {};
}

Status RowGrid::State::move_within_row(ElementId id, const Box& box) noexcept {
    if (const Status refused = refused_move(id, box); !refused) return refused;
    if (where_[id].row != row_of(box)) return {Code::other_row, 0};
    replace(id, box);
    return {};
}

Status RowGrid::State::remove_known(ElementId id) noexcept {
    take_out(where_[id], box_of(id));
    (void)where_.erase(id);
    return {};
}

void RowGrid::State::clean_up() noexcept {
    if (!is_placed_alike()) return;
    for (GridRow& row : rows_) row.tighten();
    sort_edited_rows();
    give_back();
}

// --- Memory ---

// Rows at the edge of a crowd are often empty for a while, so a few of them keep their memory. The spare room
// of other rows grows with the largest number of elements that a row ever had. So if all rows together have
// much more than they need, each of them is shrunk.
void RowGrid::State::give_back() noexcept {
    std::size_t room = 0, held = 0, idle = 0;
    for (GridRow& row : rows_) {
        room += row.nodes.capacity();
        held += row.bytes();
        if (row.size != 0 || row.bytes() == 0)
            row.idle = 0;
        else if (row.idle < idle_clean_ups)
            ++row.idle;
        if (row.idle == idle_clean_ups) idle += row.bytes();
    }
    for (GridRow& row : rows_) {
        if (row.idle != idle_clean_ups || idle <= held / 32) continue;
        row.heads.release();
        row.nodes.release();
        row.idle = 0;
    }
    if (room <= 2 * size() + 32 * rows_.size()) return;
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
        if (rows_[r].nodes.capacity() > 2 * with_headroom(rows_[r].size)) cut_down(r);
}

// Without memory for the smaller buffer, a row keeps the larger one.
void RowGrid::State::cut_down(std::uint32_t r) noexcept {
    GridRow& row = rows_[r];
    if (row.size == 0) return row.nodes.release();
    Buffer<GridRow::Node> nodes(memory_);
    if (!nodes.resize_exactly(with_headroom(row.size))) return;
    order(r, nodes.data());
    row.nodes.swap(nodes);
    (void)row.nodes.resize(row.size);
}

// Writes a row's nodes in the order of its cells, and sets its heads to match.
void RowGrid::State::order(std::uint32_t r, GridRow::Node* to) noexcept {
    GridRow& row = rows_[r];
    std::uint32_t count = 0;
    for (std::uint32_t c = 0; c < row.cells(); ++c) {
        const std::uint32_t begin = count;
        for (std::uint32_t n = row.first_in(c); n != GridRow::none; n = row.next_in(c, n)) {
            where_[row.nodes[n].id].node = count;
            to[count++] = row.nodes[n];
        }
        row.heads[c] = begin;
    }
    row.heads[row.cells()] = count;
    row.first_hole = GridRow::none;
    row.edits = 0;
    row.sorted = true;
}

// Queries and pairs read a sorted row much faster than lists. So a row with many edits is sorted again, if
// there is memory for it.
void RowGrid::State::sort_edited_rows() noexcept {
    std::size_t largest = 0;
    for (const GridRow& row : rows_)
        if (row.wants_order()) largest = std::max<std::size_t>(largest, row.size);
    GridRow::Node* nodes = nullptr;
    if (largest == 0 ||
        !carve(
            work_, [&](Carver& c) { nodes = c.take<GridRow::Node>(largest); },
            [&](Carver& c) { static_cast<void>(c.take<GridRow::Node>(with_headroom(largest))); }))
        return;
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
        GridRow& row = rows_[r];
        if (!row.wants_order()) continue;
        order(r, nodes);
        (void)row.nodes.resize(row.size);
        std::memcpy(row.nodes.data(), nodes, row.size * sizeof *nodes);
    }
}

}  // namespace throng::structures
