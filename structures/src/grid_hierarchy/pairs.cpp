// All pairs of a GridHierarchy: those in its cells. Cells are sparse, so each row of sub-regions is cut into
// runs of neighbours, together with those of the row above. Two elements in different runs are too far apart
// to overlap. A run has eight rows of cells; each is packed, with the next one, for the kernel that finds the
// engine's own pairs.
//
//     sub-regions above        # #             # #
//     sub-regions          . # #         #         . # .
//     runs                 [     ]      [ ]    [       ]      the run of those above alone has no pairs here
#include <algorithm>
#include <bit>

#include "structures/src/grid_hierarchy/state.hpp"
#include "structures/src/rows/listed_elements.hpp"
#include "structures/src/rows/neighbour_rows.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// The room for the first packed row.
constexpr std::size_t first_room = 512;
// Of a row of a sub-region.
constexpr std::uint32_t cells_at_once = 8;

}  // namespace

// Lists the sub-regions of a row, of all regions, that have an occupied cell.
bool GridHierarchy::State::list_occupied(std::uint32_t row, Buffer<Occupied>& list) const noexcept {
    list.clear();
    const std::size_t room = list.capacity();
    if (row >= height_ * 8) return true;
    const std::size_t begin = std::size_t{row / 8} * width_;
    for (std::size_t at = occupied_.find_next(begin); at < begin + width_; at = occupied_.find_next(at + 1)) {
        const Region& region = regions_[world_[at]];
        for (Word bits = region.occupied >> (8 * (row % 8)) & 0xFF; bits != 0; bits &= bits - 1) {
            const auto k = static_cast<std::uint32_t>(std::countr_zero(bits));
            const auto column = static_cast<std::uint32_t>(at - begin) * 8 + k;
            if (!list.push_back({column, region.sub_regions[row % 8 * 8 + k]})) return false;
        }
    }
    if (list.capacity() != room)
        keep_room(list, std::min(with_headroom(sub_regions_.size()), std::size_t{8} * width_));
    return true;
}

// Packs one of the eight rows of a run, or the first row above it. Returns false if it has more elements than
// there is room for.
bool GridHierarchy::State::pack_row(const Run& run, unsigned row, NeighbourRows& rows) const noexcept {
    simd::Record* const to = rows.turn();
    ElementId* const lists = rows.list();
    std::uint32_t count = 0;
    const Occupied* const end = row < 8 ? run.end : run.above_end;
    for (const Occupied* at = row < 8 ? run.begin : run.above; at != end; ++at) {
        const SubRegion& sub_region = sub_regions_[at->sub_region];
        if (count + cells_at_once > rows.room()) return false;
        for (std::uint32_t k = row % 8 * 8; k < row % 8 * 8 + 8; ++k) {
            lists[count] = sub_region.lists[k];
            count += sub_region.lists[k] != none;
        }
    }
    const auto write = [to](const Element& element, ElementId id, std::uint32_t i) {
        const Box& box = element.box;
        to[i] = {box.min_x, box.min_y, box.max_x, box.max_y, id};
    };
    const std::uint32_t written = write_lists(elements_, lists, count, rows.room(), write);
    if (written == no_room) return false;
    rows.sort(written);
    return true;
}

// Returns false if there is no memory.
bool GridHierarchy::State::find_pairs_of_run(const Run& run, NeighbourRows& rows) noexcept {
    const std::uint32_t columns = run.columns * 8;
    rows.set_columns(columns_.origin() + 8 * columns_.side() * run.first_column, columns_.side(), columns);
    if (!rows.reserve(row_room_, columns)) return false;
    for (unsigned row = 0, ready = 0; row < 8 && !rows.stopped();) {
        // The number of elements in a row is not known before: one that is too long is packed again, with the
        // one below it.
        if (!pack_row(run, ready, rows)) {
            row_room_ = std::min(2 * row_room_, size() + cells_at_once);
            if (!rows.reserve(row_room_, columns)) return false;
            ready = row;
        } else if (++ready - row == 2) {
            rows.find();
            ++row;
        }
    }
    return true;
}

Status GridHierarchy::State::find_pairs_of_row(std::uint32_t row, NeighbourRows& rows) noexcept {
    if (!list_occupied(row, row_) || !list_occupied(row + 1, row_above_)) return {Code::out_of_memory};
    const Occupied *at = row_.begin(), *above = row_above_.begin();
    while (at != row_.end() && !rows.stopped()) {
        Run run{.begin = at, .above = above};
        const auto next = [&] {
            const std::uint32_t here = at != row_.end() ? at->column : none;
            return above != row_above_.end() ? std::min(here, above->column) : here;
        };
        run.first_column = next();
        std::uint32_t last = run.first_column;
        for (std::uint32_t column = last; column != none && column <= last + 1; column = next()) {
            last = column;
            at += at != row_.end() && at->column == column;
            above += above != row_above_.end() && above->column == column;
        }
        run.end = at;
        run.above_end = above;
        run.columns = last + 1 - run.first_column;
        if (run.begin != run.end && !find_pairs_of_run(run, rows)) return {Code::out_of_memory};
    }
    return {};
}

Status GridHierarchy::State::find_pairs_in_cells(PairAnswers& found) {
    if (sizes_[0] == 0) return {};
    row_room_ = std::max(row_room_, std::min(size() + cells_at_once, first_room));
    NeighbourRows rows(*kernels_, pair_space_, found);
    Status status;
    for (std::size_t at = occupied_.first(); at != occupied_.npos && status.ok();) {
        const auto y = static_cast<std::uint32_t>(at / width_);
        for (std::uint32_t row = y * 8; row < y * 8 + 8 && status.ok() && !rows.stopped(); ++row)
            status = find_pairs_of_row(row, rows);
        at = rows.stopped() ? occupied_.npos : occupied_.find_next(std::size_t{y + 1} * width_);
    }
    // The next frames need about as much.
    if (status.ok())
        row_room_ = std::max(row_room_, std::min(with_headroom(rows.longest()), size() + cells_at_once));
    rows.finish();
    return status;
}

Status GridHierarchy::State::find_pairs(PairAnswers& found) {
    if (elements_.empty()) return {};
    if (const Status status = find_pairs_in_cells(found); !status) return status;
    if (found.flush()) find_larger_pairs(found);
    return {};
}

}  // namespace throng::structures
