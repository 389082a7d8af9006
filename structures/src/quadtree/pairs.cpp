// All pairs, leaf by leaf. The boxes of several leaves are first packed side by side, in a loop of
// independent loads; then each is compared with those after it in its leaf, eight at a time.
#include <algorithm>
#include <bit>

#include "base/sample.hpp"
#include "structures/src/quadtree/cells.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr std::size_t block = 8;
constexpr std::uint32_t bit_of[block] = {1, 2, 4, 8, 16, 32, 64, 128};

struct PackedLeaf {
    static constexpr std::size_t max_count = 512;

    float min_x[max_count + block], min_y[max_count + block], max_x[max_count + block],
        max_y[max_count + block];
    ElementId id[max_count + block];
    // First the position of the leaf; then whether the box begins before it.
    std::uint32_t before[max_count + block];
    std::size_t count = 0;

    void add(ElementId element, std::uint32_t leaf_corner) noexcept {
        id[count] = element;
        before[count++] = leaf_corner;
    }
    void load(const FreeList<Box>& boxes, const QuadGrid& grid) noexcept {
        for (std::size_t k = 0; k < count; ++k) {
            const Box& box = boxes[id[k]];
            min_x[k] = box.min_x;
            min_y[k] = box.min_y;
            max_x[k] = box.max_x;
            max_y[k] = box.max_y;
        }
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint32_t corner = quad_cell(min_x[k], grid.x, grid) | quad_cell(min_y[k], grid.y, grid)
                                                                                 << 16;
            before[k] = quad_begins_before(corner, before[k]);
        }
        // The last block is read as a whole.
        for (std::size_t k = count; k < count + block; ++k)
            min_x[k] = min_y[k] = max_x[k] = max_y[k] = 0, before[k] = 0;
    }
};

// Compares one box of `a` with some of `b`. Pairs whose intersection begins in another leaf are skipped
// (reference point, Dittrich and Seeger 2000).
bool compare(const PackedLeaf& a, std::size_t i, const PackedLeaf& b, std::size_t begin, std::size_t end,
             PairAnswers& found) {
    const float min_x = a.min_x[i], min_y = a.min_y[i], max_x = a.max_x[i], max_y = a.max_y[i];
    const std::uint32_t before = a.before[i];
    for (std::size_t from = begin; from < end; from += block) {
        std::uint32_t hit[block];
        for (std::size_t k = 0; k < block; ++k) {
            hit[k] = bit_of[k];
            hit[k] = min_x <= b.max_x[from + k] ? hit[k] : 0;
            hit[k] = b.min_x[from + k] <= max_x ? hit[k] : 0;
            hit[k] = min_y <= b.max_y[from + k] ? hit[k] : 0;
            hit[k] = b.min_y[from + k] <= max_y ? hit[k] : 0;
            hit[k] = (before & b.before[from + k]) == 0 ? hit[k] : 0;
        }
        std::uint32_t hits = 0;
        for (std::size_t k = 0; k < block; ++k) hits |= hit[k];
        if (end - from < block) hits &= (1u << (end - from)) - 1;
        for (; hits != 0; hits &= hits - 1)
            if (!found.put({a.id[i], b.id[from + static_cast<std::size_t>(std::countr_zero(hits))]}))
                return false;
    }
    return true;
}

bool compare_all(const PackedLeaf& packed, std::size_t begin, std::size_t end, PairAnswers& found) {
    for (std::size_t i = begin; i + 1 < end; ++i)
        if (!compare(packed, i, packed, i + 1, end, found)) return false;
    return true;
}

// Some leaves whose boxes are packed together.
struct Leaves {
    PackedLeaf packed;
    std::size_t ends[PackedLeaf::max_count];
    std::size_t count = 0;

    bool compare_each(const FreeList<Box>& boxes, const QuadGrid& grid, PairAnswers& found) {
        packed.load(boxes, grid);
        std::size_t begin = 0;
        for (std::size_t k = 0; k < count; begin = ends[k++])
            if (!compare_all(packed, begin, ends[k], found)) return false;
        packed.count = count = 0;
        return true;
    }
};

// Whether the lower left corners of a list are spread wider along y than along x.
bool is_upright(const FreeList<Box>& boxes, const Buffer<QuadElementNode>& nodes,
                std::uint32_t first) noexcept {
    Box begin = boxes[nodes[first].element];  // the least and the greatest minima
    begin.max_x = begin.min_x, begin.max_y = begin.min_y;
    for (std::uint32_t i = first; i != FreeList<Box>::none; i = nodes[i].next) {
        const Box& box = boxes[nodes[i].element];
        begin = {std::min(begin.min_x, box.min_x), std::min(begin.min_y, box.min_y),
                 std::max(begin.max_x, box.min_x), std::max(begin.max_y, box.min_y)};
    }
    return double{begin.max_y} - begin.min_y > double{begin.max_x} - begin.min_x;
}

}  // namespace

Status Quadtree::State::find_pairs(PairAnswers& found) {
    Leaves leaves;
    Status status;
    const bool all = for_each_leaf_in(nodes_, grid_, quad_everything(grid_), [&](const QuadPlace& leaf) {
        const QuadNode node = nodes_[leaf.node];
        const auto count = static_cast<std::size_t>(node.count);
        if (count < 2) return true;
        if (count > PackedLeaf::max_count) {
            bool goes_on = true;
            status = find_pairs_of_crowd(leaf, found, goes_on);
            return goes_on && status.ok();
        }
        if (leaves.packed.count + count > PackedLeaf::max_count &&
            !leaves.compare_each(elements_, grid_, found))
            return false;
        for (Index i = node.first; i != none; i = element_nodes_[i].next)
            leaves.packed.add(element_nodes_[i].element, leaf.corner);
        leaves.ends[leaves.count++] = leaves.packed.count;
        return true;
    });
    if (all) leaves.compare_each(elements_, grid_, found);
    return status;
}

// A crowd that cannot be split, such as one in a single cell: sort and sweep (Baraff 1992), part by part.
Status Quadtree::State::find_pairs_of_crowd(const QuadPlace& leaf, PairAnswers& found, bool& goes_on) {
    constexpr std::size_t part = 64;
    const Index first = nodes_[leaf.node].first;
    const auto count = static_cast<std::size_t>(nodes_[leaf.node].count);
    if (!reserve_with_headroom(crowd_, count) || !crowd_.resize(count))
        return {Code::out_of_memory, Status::no_index};
    const bool upright = is_upright(elements_, element_nodes_, first);
    const auto begin_of = [&](ElementId id) { return upright ? elements_[id].min_y : elements_[id].min_x; };
    std::size_t listed = 0;
    for (Index i = first; i != none; i = element_nodes_[i].next) {
        const ElementId id = element_nodes_[i].element;
        crowd_[listed++] = std::uint64_t{ordered_bits(begin_of(id))} << 32 | id;
    }
    std::sort(crowd_.begin(), crowd_.end());
    const auto pack = [&](std::size_t from, PackedLeaf& packed) {
        packed.count = 0;
        for (std::size_t k = from; k < std::min(from + part, count); ++k)
            packed.add(static_cast<ElementId>(crowd_[k]), leaf.corner);
        packed.load(elements_, grid_);
    };
    PackedLeaf some, others;
    for (std::size_t from = 0; goes_on && from < count; from += part) {
        pack(from, some);
        goes_on = compare_all(some, 0, some.count, found);
        const float* const ends = upright ? some.max_y : some.max_x;
        const float reach = *std::max_element(ends, ends + some.count);
        for (std::size_t to = from + part; goes_on && to < count; to += part) {
            if (begin_of(static_cast<ElementId>(crowd_[to])) > reach) break;
            pack(to, others);
            for (std::size_t i = 0; goes_on && i < some.count; ++i)
                goes_on = compare(some, i, others, 0, others.count, found);
        }
    }
    return {};
}

}  // namespace throng::structures
