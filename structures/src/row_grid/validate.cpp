// Checks the whole grid. Nothing is trusted: an index out of range is a fault, and no list is followed for
// more steps than its row has nodes.

#include "structures/src/row_grid/cells.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr auto no_node = GridRow::none;

// Follows the list of holes and counts them.
std::size_t count_holes(const GridRow& row, std::size_t r, IndexValidation& state) noexcept {
    std::size_t holes = 0;
    for (std::uint32_t n = row.first_hole; n != no_node; n = row.nodes[n].next) {
        if (n >= row.nodes.size() || ++holes > row.nodes.size()) {
            state.note("a list of holes leaves its row or has no end", r);
            return holes;
        }
        if (row.nodes[n].id != no_element) state.note("an element is in the list of holes", r);
        if (row.nodes[n].box.min_x != GridRow::infinity || row.nodes[n].box.max_x != -GridRow::infinity)
            state.note("the box of a hole could be found", r);
    }
    return holes;
}

// Whether each run begins at the end of the one before, and the last one ends with the nodes.
bool runs_are_sound(const GridRow& row) noexcept {
    if (row.heads.size() == 0 || row.heads[0] != 0 || row.heads[row.cells()] != row.nodes.size())
        return false;
    for (std::uint32_t c = 0; c < row.cells(); ++c)
        if (row.heads[c] > row.heads[c + 1]) return false;
    return true;
}

}  // namespace

IndexValidation RowGrid::State::validate() const noexcept {
    IndexValidation state;
    if (!where_.validate()) state.note("the list of free ids is broken", 0);
    std::size_t elements = 0;
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
        const GridRow& row = rows_[r];
        elements += row.size;
        if (row.heads.size() == 0 && row.size != 0) state.note("a row has elements and no cells", r);
        if (row.heads.size() != 0 && row.cells() != columns_of(r))
            state.note("a row has another number of cells than the grid", r);
        validate_row(r, state);
        if (count_holes(row, r, state) + row.size != row.nodes.size())
            state.note("the elements and holes of a row are not its nodes", r);
    }
    if (elements != where_.size()) state.note("rows have another number of elements than there are ids", 0);
    return state;
}

void RowGrid::State::validate_row(std::uint32_t r, IndexValidation& state) const noexcept {
    const GridRow& row = rows_[r];
    if (row.sorted && !runs_are_sound(row)) return state.note("the cells of a sorted row are not runs", r);
    std::size_t seen = 0;
    for (std::uint32_t c = 0; c < row.cells(); ++c)
        for (std::uint32_t n = row.first_in(c); n != no_node; n = row.next_in(c, n)) {
            if (n >= row.nodes.size() || ++seen > row.nodes.size())
                return state.note("a cell's list leaves its row or has no end", r);
            validate_node(r, c, n, state);
        }
    if (seen != row.size) state.note("the cells of a row do not have all of its elements", r);
}

void RowGrid::State::validate_node(std::uint32_t r, std::uint32_t c, std::uint32_t n,
                                   IndexValidation& state) const noexcept {
    const GridRow& row = rows_[r];
    const GridRow::Node& node = row.nodes[n];
    if (!where_.contains(node.id)) return state.note("a node has an id that is not in use", r);
    if (where_[node.id].row != r || where_[node.id].node != n)
        state.note("an element is not where it is said to be", node.id);
    if (check(node.box) != Code::ok) return state.note("an element has a box that is not legal", node.id);
    if (row_of(node.box) != r) state.note("an element is in a wrong row", node.id);
    if (column_in(r, node.box) != c) state.note("an element is in a wrong cell", node.id);
    if (!(node.box.max_x - node.box.min_x <= row.width) || !(node.box.max_y <= row.top))
        state.note("an element reaches further than its row says", node.id);
}

}  // namespace throng::structures
