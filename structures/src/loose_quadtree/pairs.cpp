// All pairs, by one traversal of pairs of nodes (a self-join of the tree).
//
//     a group             its four nodes with themselves, and each two of them whose bounds meet
//     two groups          each node of the one with each of the other, as far as their bounds meet
//     a leaf, a group     the leaf with each of the four that meets it
//     two leaves          their elements
//
// Every step goes one level deeper in at least one of the two, so the stack holds at most 16 tasks for each
// level of the tree.
//
// Elements are compared sixteen at once: those of one leaf are packed coordinate by coordinate, and each of
// the other leaf's elements that overlaps their bounds is compared with all of them, branch-free. Most leaves
// are packed whole. A longer list is sorted by left edge, which does not change the tree, so the search for
// partners of sixteen stops past their right end (sort and sweep, Baraff 1992).
#include <algorithm>
#include <bit>

#include "structures/src/loose_quadtree/lanes.hpp"
#include "structures/src/loose_quadtree/nodes.hpp"
#include "structures/src/loose_quadtree/state.hpp"
#include "throng/compiler.hpp"

namespace throng::structures {

using namespace detail;

namespace {

using Elements = FreeList<LooseElement>;
constexpr std::uint32_t none = loose_none;
constexpr std::uint32_t packed_size = BoxLanes::size;

// Up to sixteen elements of a leaf, side by side. Unused lanes overlap nothing.
struct Packed {
    BoxLanes boxes;
    ElementId id[packed_size];
    std::uint32_t count = 0;

    // Returns the next element of the list.
    std::uint32_t take(const Elements& elements, std::uint32_t at) {
        constexpr std::uint32_t ahead = 80;  // elements lie nearly in the order of the walk
        std::uint32_t lane = 0;
        for (; at != none && lane < packed_size; ++lane) {
            const LooseElement& element = elements[at];
            THRONG_PREFETCH(&elements[std::min(at + ahead, elements.range())]);
            boxes.set(lane, element.box);
            id[lane] = element.id;
            at = element.next;
        }
        count = lane;
        for (; lane % 8 != 0; ++lane) boxes.set(lane, no_box);
        return at;
    }
    Box bounds() const {
        Box all = no_box;
        for (std::uint32_t lane = 0; lane < count; ++lane) all = all.united(boxes[lane]);
        return all;
    }
    std::uint32_t overlapping(const Box& box) const {
        return count <= 8 ? boxes.overlapping_of_8(box) : boxes.overlapping_of_16(box);
    }
};

// Sorts a list by min_x, with a bottom-up merge sort: lists of 1, 2, 4, ... elements are merged whenever
// there are two of the same length.
class ListSort {
public:
    explicit ListSort(Elements& elements) : elements_(elements) {}

    std::uint32_t operator()(std::uint32_t first) {
        if (is_sorted(first)) return first;
        std::uint32_t sorted[32];
        for (std::uint32_t& list : sorted) list = none;
        while (first != none) {
            std::uint32_t list = first;
            first = elements_[first].next;
            elements_[list].next = none;
            std::size_t size = 0;
            for (; sorted[size] != none; ++size) {
                list = merged(sorted[size], list);
                sorted[size] = none;
            }
            sorted[size] = list;
        }
        std::uint32_t all = none;
        for (const std::uint32_t list : sorted) all = merged(list, all);
        return all;
    }

private:
    float key(std::uint32_t at) const { return elements_[at].box.min_x; }
    bool is_sorted(std::uint32_t at) const {
        for (; at != none && elements_[at].next != none; at = elements_[at].next)
            if (key(elements_[at].next) < key(at)) return false;
        return true;
    }
    std::uint32_t merged(std::uint32_t a, std::uint32_t b) {
        std::uint32_t first = none;
        std::uint32_t* end = &first;
        while (a != none && b != none) {
            std::uint32_t& less = key(b) < key(a) ? b : a;
            *end = less;
            end = &elements_[less].next;
            less = *end;
        }
        *end = a != none ? a : b;
        return first;
    }

    Elements& elements_;
};

class PairWalk {
public:
    PairWalk(FreeList<LooseQuad>& quads, Elements& elements, PairAnswers& found)
        : quads_(quads), elements_(elements), found_(found) {}

    // Both stop when the visitor does.
    void run() {
        push(0, 0);
        while (!pending_.empty()) {
            const Task task = pending_.pop();
            const bool goes_on = task.lane != whole ? leaf_and_group(task)
                                 : task.a == task.b ? within_group(task.a)
                                                    : between_groups(task.a, task.b);
            if (!goes_on) return;
        }
    }

private:
    // Two groups, or a lane of the first, which is a leaf, and a group.
    struct Task {
        std::uint32_t a, b, lane;
    };
    static constexpr std::uint32_t whole = 4;

    void push(std::uint32_t a, std::uint32_t b, std::uint32_t lane = whole) { pending_.push({a, b, lane}); }

    // Groups with themselves go on top of the stack, and their nodes from the last to the first. So a leaf is
    // handled alone, and sorted if it is long, before it is paired with another; and it is still packed then.
    bool within_group(std::uint32_t group) {
        LooseQuad& quad = quads_[group];
        for (std::uint32_t lane = 4; lane-- > 0;) {
            const std::uint32_t later = 0xEu << lane & 0xF;
            if (quad.child[lane] < 0 && !within_leaf(quad, lane)) return false;
            if (later != 0 && !node_and_group(group, lane, group, later)) return false;
        }
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            if (is_branch(quad.child[lane]))
                push(static_cast<std::uint32_t>(quad.child[lane]),
                     static_cast<std::uint32_t>(quad.child[lane]));
        return true;
    }

    // The nodes of the one that meet the other's bounds: about two of four, since most groups are side by
    // side.
    bool between_groups(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t above = quads_[b].parent;
        std::uint32_t bits = meeting(quads_[a], bounds_of(quads_[above / 4], above % 4));
        for (; bits != 0; bits &= bits - 1)
            if (!node_and_group(a, static_cast<std::uint32_t>(std::countr_zero(bits)), b, 0xF)) return false;
        return true;
    }

    bool leaf_and_group(const Task& task) { return node_and_group(task.a, task.lane, task.b, 0xF); }

    // One node, and those of a group that it overlaps.
    bool node_and_group(std::uint32_t a, std::uint32_t lane, std::uint32_t b, std::uint32_t lanes) {
        const LooseQuad &quad = quads_[a], &others = quads_[b];
        const std::int32_t child = quad.child[lane];
        if (child == 0) return true;
        const Box bounds = bounds_of(quad, lane);
        for (std::uint32_t bits = meeting(others, bounds) & lanes; bits != 0; bits &= bits - 1) {
            const auto other_lane = static_cast<std::uint32_t>(std::countr_zero(bits));
            const std::int32_t other = others.child[other_lane];
            if (other == 0) continue;
            if (is_branch(child)) {
                if (is_branch(other))
                    push(static_cast<std::uint32_t>(child), static_cast<std::uint32_t>(other));
                else
                    push(b, static_cast<std::uint32_t>(child), other_lane);
            } else if (is_branch(other)) {
                push(a, static_cast<std::uint32_t>(other), lane);
            } else {
                pack(first_of(child));
                const Box common = common_part(bounds, bounds_of(others, other_lane));
                if (!between_leaves(first_of(other), common)) return false;
            }
        }
        return true;
    }

    // A list, unless all of it is packed already.
    void pack(std::uint32_t first) {
        if (first == whole_list_) return;
        rest_ = packed_.take(elements_, first);
        whole_list_ = rest_ == none ? first : none;
    }

    bool within_leaf(LooseQuad& quad, std::uint32_t lane) {
        pack(first_of(quad.child[lane]));
        if (rest_ != none) {
            const std::uint32_t first = ListSort(elements_)(first_of(quad.child[lane]));
            quad.child[lane] = leaf_with(first);
            pack(first);
        }
        for (;;) {
            if (!among_packed()) return false;
            if (rest_ == none) return true;
            if (!with_list(rest_, packed_.bounds())) return false;
            rest_ = packed_.take(elements_, rest_);
        }
    }

    // The packed leaf, whose list continues at `rest_`, and another one. All overlaps between them lie in the
    // intersection of their bounds.
    bool between_leaves(std::uint32_t other, const Box& common) {
        for (const bool whole_leaf = rest_ == none;;) {
            if (packed_.overlapping(common) != 0 &&
                !with_list(other, whole_leaf ? common : common_part(common, packed_.bounds())))
                return false;
            if (rest_ == none) return true;
            rest_ = packed_.take(elements_, rest_);
        }
    }

    bool among_packed() {
        std::uint64_t bits = packed_.boxes.pairs_of_8(0);
        const ElementId* id = packed_.id;
        if (packed_.count > 8) {
            for (std::uint32_t i = 0; i < 8; ++i, bits >>= 8)
                if (!put(id[i], static_cast<std::uint32_t>(bits & 0xFF) |
                                    packed_.boxes.overlapping_of_8(packed_.boxes[i], 8) << 8))
                    return false;
            bits = packed_.boxes.pairs_of_8(8);
            id += 8;
        }
        for (; bits != 0; bits &= bits - 1) {
            const int at = std::countr_zero(bits);
            if (!found_.put({id[at / 8], id[at % 8]})) return false;
        }
        return true;
    }

    // The packed elements, which overlap others only in `reach`, against a list, which is sorted after its
    // first sixteen elements.
    bool with_list(std::uint32_t at, const Box& reach) {
        while (at != none) {
            std::uint32_t near[packed_size], count = 0;
            for (std::uint32_t seen = 0; seen < packed_size && at != none; ++seen) {
                const LooseElement& element = elements_[at];
                near[count] = at;
                count += overlap(element.box, reach);
                at = element.next;
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                const LooseElement& element = elements_[near[i]];
                if (!put(element.id, packed_.overlapping(element.box))) return false;
            }
            if (at != none && elements_[at].box.min_x > reach.max_x) break;
        }
        return true;
    }

    bool put(ElementId id, std::uint32_t partners) {
        for (; partners != 0; partners &= partners - 1)
            if (!found_.put({id, packed_.id[std::countr_zero(partners)]})) return false;
        return true;
    }

    FreeList<LooseQuad>& quads_;
    Elements& elements_;
    PairAnswers& found_;
    Packed packed_;
    std::uint32_t rest_ = none;        // of the list of which some are packed
    std::uint32_t whole_list_ = none;  // the first element of the list of which all are packed
    FixedStack<Task, 16 * (loose_max_depth + 1)> pending_;
};

}  // namespace

Status LooseQuadtree::State::find_pairs(PairAnswers& found) {
    if (!quads_.empty()) PairWalk(quads_, elements_, found).run();
    return {};
}

}  // namespace throng::structures
