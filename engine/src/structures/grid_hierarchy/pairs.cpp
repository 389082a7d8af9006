// All pairs of a GridHierarchy: those in its cells. Rows of cells are copied one after the other, each sorted
// by the left edges of its elements. So the partners of an element in its own row follow it directly, and
// those in the next row are a window that advances along the row (sort and sweep, Baraff 1992).
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "throng/structures/detail/headroom.hpp"
#include "throng/structures/grid_hierarchy.hpp"

namespace throng {

namespace {

// One element is compared with this many at once, in vectors.
constexpr std::size_t lanes = 4;

// Numbers in the order of the floats.
std::uint32_t ordered(float value) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return bits ^ ((bits >> 31) != 0 ? 0xFFFFFFFFu : 0x80000000u);
}

// Few are sorted by insertion.
void sort_keys(std::uint64_t* first, std::uint64_t* last) noexcept {
    if (last - first > 16) return std::sort(first, last);
    for (std::uint64_t* at = first + 1; at < last; ++at) {
        const std::uint64_t key = *at;
        std::uint64_t* to = at;
        for (; to != first && to[-1] > key; --to) *to = to[-1];
        *to = key;
    }
}

// Every element from `i` on that overlaps the box, until all are too far to the right.
template <class Row>
bool find_partners(const Box& box, ElementId id, const Row& row, std::size_t i, detail::PairAnswers& found) {
    do {
        Pair* const out = found.room(lanes);
        if (out == nullptr) return false;
        const float* const min_x = row.min_x.data() + i;
        const float* const min_y = row.min_y.data() + i;
        const float* const max_x = row.max_x.data() + i;
        const float* const max_y = row.max_y.data() + i;
        const ElementId* const ids = row.ids.data() + i;
        std::uint32_t hits[lanes];
        for (std::size_t k = 0; k < lanes; ++k)
            hits[k] = (min_x[k] <= box.max_x) & (box.min_x <= max_x[k]) & (min_y[k] <= box.max_y) &
                      (box.min_y <= max_y[k]);
        std::size_t count = 0;
        for (std::size_t k = 0; k < lanes; ++k) {
            out[count] = {id, ids[k]};
            count += hits[k];
        }
        found.wrote(count);
        i += lanes;
    } while (i < row.count && row.min_x[i] <= box.max_x);
    return true;
}

}  // namespace

bool GridHierarchy::Row::resize(std::size_t elements) noexcept {
    count = elements;
    elements += lanes;
    return min_x.resize(elements) && min_y.resize(elements) && max_x.resize(elements) &&
           max_y.resize(elements) && ids.resize(elements);
}

// Makes room for the largest rows. Rows grow and shrink a little in every frame, and short ones by a large
// share.
bool GridHierarchy::reserve_rows() noexcept {
    constexpr std::size_t few = 512;
    const std::size_t elements = std::min(size(), few);
    const auto reserve = [](detail::Buffer<Index>& list, std::size_t there_are, std::size_t places) {
        return list.capacity() >= std::min(there_are, places) ||
               list.reserve(std::min(detail::ample(there_are), places));
    };
    return keys_.reserve(elements) && row_.resize(elements) && row_above_.resize(elements) &&
           reserve(row_regions_, regions_.size(), width_) &&
           reserve(row_sub_regions_, sub_regions_.size(), std::size_t{8} * width_);
}

// Copies one of the eight rows of the current sub-regions. Elements are scattered in memory, so those of the
// next sub-regions are prefetched: of the farthest one the first of each list, then the second, then the
// third.
bool GridHierarchy::copy_row(unsigned row_of_cells, Row& to) noexcept {
    const ElementId some = elements_.range() - 1;
    const auto at = [&](ElementId id) -> const Element& { return elements_[std::min(id, some)]; };
    const auto lists = [&](std::size_t s) {
        return sub_regions_[row_sub_regions_[std::min(s, row_sub_regions_.size() - 1)]].lists +
               8 * row_of_cells;
    };
    keys_.clear();
    for (std::size_t s = 0; s < row_sub_regions_.size(); ++s) {
        const ElementId *const near = lists(s + 1), *const farther = lists(s + 2),
                               *const farthest = lists(s + 4);
        for (int k = 0; k < 8; ++k) {
            __builtin_prefetch(&at(farthest[k]));
            __builtin_prefetch(&at(at(farther[k]).next));
            __builtin_prefetch(&at(at(at(near[k]).next).next));
        }
        const SubRegion& sub_region = sub_regions_[row_sub_regions_[s]];
        for (Word bits = sub_region.occupied >> (8 * row_of_cells) & 0xFF; bits != 0; bits &= bits - 1) {
            const std::size_t first = keys_.size();
            const auto cell = row_of_cells * 8 + static_cast<unsigned>(std::countr_zero(bits));
            for (ElementId id = sub_region.lists[cell]; id != none; id = elements_[id].next)
                if (!keys_.push_back(std::uint64_t{ordered(elements_[id].box.min_x)} << 32 | id))
                    return false;
            sort_keys(keys_.data() + first, keys_.end());
        }
    }
    // Half as many again the first time, so later frames need no more memory.
    if (const std::size_t more = keys_.size() + keys_.size() / 2;
        to.min_x.capacity() < keys_.size() + lanes) {
        if (!to.resize(more)) return false;
        detail::keep_room(keys_, more);
    }
    if (!to.resize(keys_.size())) return false;
    for (std::size_t i = 0; i < to.count; ++i) {
        const auto id = static_cast<ElementId>(keys_[i]);
        const Box& box = elements_[id].box;
        to.min_x[i] = box.min_x;
        to.min_y[i] = box.min_y;
        to.max_x[i] = box.max_x;
        to.max_y[i] = box.max_y;
        to.ids[i] = id;
    }
    // Vectors read past the last element; the padding overlaps nothing.
    for (std::size_t i = to.count; i < to.count + lanes; ++i) {
        to.min_x[i] = to.min_y[i] = to.max_x[i] = to.max_y[i] = std::numeric_limits<float>::quiet_NaN();
        to.ids[i] = none;
    }
    return true;
}

bool GridHierarchy::find_pairs_in_row(detail::PairAnswers& found) const {
    const Row& row = row_above_;
    for (std::size_t i = 0; i + 1 < row.count; ++i) {
        const Box box{row.min_x[i], row.min_y[i], row.max_x[i], row.max_y[i]};
        if (!find_partners(box, row.ids[i], row, i + 1, found)) return false;
    }
    return true;
}

bool GridHierarchy::find_pairs_of_rows(std::uint32_t below, detail::PairAnswers& found) const {
    const double reach = reach_[0] * (1 + 0x1p-40);
    std::size_t from = 0;
    for (std::size_t i = 0; i < row_.count; ++i) {
        if (rows_.cell(row_.max_y[i]) == below) continue;
        const Box box{row_.min_x[i], row_.min_y[i], row_.max_x[i], row_.max_y[i]};
        while (from < row_above_.count && row_above_.min_x[from] < box.min_x - reach) ++from;
        if (from == row_above_.count) break;
        if (!find_partners(box, row_.ids[i], row_above_, from, found)) return false;
    }
    return true;
}

Status GridHierarchy::find_pairs_in_cells(detail::PairAnswers& found) {
    if (sizes_[0] == 0) return {};
    if (!reserve_rows()) return {Code::out_of_memory};
    std::uint32_t before = none;  // the row of cells that was copied last
    for (std::size_t at = occupied_.first(); at != occupied_.npos;) {
        const auto y = static_cast<std::uint32_t>(at / width_);
        const std::size_t end = std::size_t{y + 1} * width_;
        row_regions_.clear();
        for (; at < end; at = occupied_.find_next(at + 1))
            if (!row_regions_.push_back(world_[at])) return {Code::out_of_memory};
        for (unsigned rows = 0; rows < 8; ++rows) {
            row_sub_regions_.clear();
            for (const Index index : row_regions_) {
                const Region& region = regions_[index];
                for (Word bits = region.occupied >> (8 * rows) & 0xFF; bits != 0; bits &= bits - 1)
                    if (!row_sub_regions_.push_back(
                            region.sub_regions[rows * 8 + static_cast<unsigned>(std::countr_zero(bits))]))
                        return {Code::out_of_memory};
            }
            if (row_sub_regions_.size() == 0) continue;
            for (unsigned k = 0; k < 8; ++k) {
                if (!copy_row(k, row_above_)) return {Code::out_of_memory};
                const std::uint32_t row = y * 64 + rows * 8 + k;
                if (before != none && before + 1 == row && !find_pairs_of_rows(before, found)) return {};
                if (!find_pairs_in_row(found)) return {};
                std::swap(row_, row_above_);
                before = row;
            }
        }
    }
    return {};
}

Status GridHierarchy::find_pairs(detail::PairAnswers& found) {
    if (elements_.empty()) return ready_.status();
    if (const Status status = find_pairs_in_cells(found); !status) return status;
    if (found.flush()) find_larger_pairs(found);
    return {};
}

}  // namespace throng
