// LooseQuadtree: a loose quadtree (Ulrich, Game Programming Gems, 2000) whose node bounds adapt to their
// content. Elements are placed by their centres: each is in exactly one leaf, whatever its size, and a giant
// takes no more memory than the smallest element. Each node keeps the bounds of all boxes below it. These may
// overlap the bounds of its neighbours, and a search descends into every node whose bounds it overlaps.
//
//      . . . . . . . . . . .          cells are split evenly, by the centres (o)
//      .         .         .
//      .   o   +-----+     .          bounds (the frame) follow the boxes: the upper right leaf
//      .       | . o |     .          reaches into its neighbour, and leaves empty space out
//      . . . . +-----+ . . .
//
//     throng::LooseQuadtree tree({.extents = world});      // or LooseQuadtree::recommended({...})
//     status = tree.insert(box, id);
//     status = tree.for_each_overlap(sight, [&](throng::ElementId other) { ... });
//
// Good for worlds where sizes vary wildly, and wherever one index has to serve for everything. `insert`,
// `move` and `remove` go down one path and widen bounds on the way. Bounds that are too large and groups of
// nearly empty leaves stay until `clean_up`. It tightens everything in one pass, or over several frames with
// a budget, and merges four leaves whose elements would fill half of one. A move within a leaf costs only the
// walk down its path.
//
// Memory: groups of four nodes (80 bytes), 28 bytes an element, and a table that `assign` sorts with: about
// 34 bytes an element in an even crowd. A leaf is only split when it holds more than `leaf_elements`, so
// after a clean-up there are at most max_depth groups for every `leaf_elements / 2` elements; edits without
// clean-ups may leave more. The first clean-up that has something to do reserves as many groups as an even
// crowd needs in the long run while it moves, about 37 bytes an element in all. Moving and removing never
// fail for lack of memory: a leaf that cannot be split stays long until the next insertion into it.
//
// A leaf at max_depth holds any number of elements: thousands of coincident ones, or those far outside the
// extents, which belong to the border cells. A query that reaches such a leaf tests all of them. Pairs within
// it are found by a sort and sweep, which is slow only where many boxes overlap along the x axis; pairs
// between two such leaves side by side take one comparison for each sixteen elements of one leaf and each
// element of the other. Removing an element walks the list: at worst as many steps as there are elements in
// its leaf.
//
// Worst worlds (docs/choosing.md has figures): those where everything is in one leaf at max_depth, since the
// extents are far too large (stretched by one element light years away) or lie elsewhere. Then a query tests
// all elements: for a crowd of 20,000 it takes five thousand times as long. Pairs are sorted, and take three
// to six times as long. Leave strays out of the extents: elements outside are found like any others.
//
// At most 2,147,483,646 elements. Threads,
// failures, memory and the floating-point environment: see spatial_index.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/boxes.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/containers/free_list.hpp"
#include "throng/export.hpp"
#include "throng/memory.hpp"
#include "throng/structures/queries.hpp"

namespace throng {

namespace detail {

// Four nodes with one parent, allocated and freed together.
struct LooseQuad {
    float min_x[4], min_y[4], max_x[4], max_y[4];
    // Positive: the group of a branch's children. Zero: an empty leaf. Negative: the complement of a leaf's
    // first element.
    std::int32_t child[4];
};

struct LooseElement {
    Box box;
    ElementId id;
    std::uint32_t next;  // in the same leaf
};

}  // namespace detail

class THRONG_API LooseQuadtree : public Queries<LooseQuadtree> {
public:
    struct Config {
        // The tree divides the square over the extents, so elements outside are found more slowly.
        Box extents;
        std::uint32_t max_depth = 16;      // 1 to 24
        std::uint32_t leaf_elements = 16;  // a leaf with more is split; 1 to 1024
    };
    static Config recommended(const Expected& expected) noexcept;

    explicit LooseQuadtree(const Config& config, MemoryResource* memory = nullptr) noexcept;

    Status assign(const Boxes& boxes) noexcept;
    Status insert(const Box& box, ElementId& id) noexcept;
    Status move(ElementId id, const Box& box) noexcept;
    Status remove(ElementId id) noexcept;
    void clean_up() noexcept;
    // Visits at most `budget` groups of four nodes; the next call continues from there. Returns true once a
    // full pass is complete: then all bounds are tight, except where elements moved or were removed during
    // the pass.
    bool clean_up(std::size_t budget) noexcept;
    void clear() noexcept;

    std::size_t size() const noexcept { return elements_.size(); }
    bool contains(ElementId id) const noexcept { return slot_of_.contains(id); }
    // A box around all elements: the smallest one, unless something was moved or removed since `clean_up`.
    // Meaningless without elements.
    Box bounds() const noexcept;
    std::size_t bytes() const noexcept;
    IndexValidation validate() const noexcept;

private:
    friend class Queries<LooseQuadtree>;
    friend struct IndexInspector<LooseQuadtree>;

    using Index = std::uint32_t;
    static constexpr std::size_t max_elements = 0x7FFFFFFEu;
    // The position of a centre, in cells of the finest level.
    struct Cell {
        std::uint32_t x, y;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    // One of the four nodes of a group. The root is the first node of group 0; the other three stay empty.
    struct Node {
        Index quad;
        std::uint32_t lane;
        std::uint32_t depth;
    };

    Box box_of(ElementId id) const noexcept { return elements_[slot_of_[id]].box; }
    Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found);
    void list_elements(detail::IdAnswers& list) const;
    void list_parts(detail::PartAnswers& list) const;

    Cell cell_of(const Box& box) const noexcept;
    std::uint32_t lane_at(Cell cell, std::uint32_t depth) const noexcept;
    bool same_node(Cell a, Cell b, std::uint32_t depth) const noexcept;

    bool make_root() noexcept;
    Index new_group() noexcept;
    Node leaf_of(Cell cell) const noexcept;
    Node widened_leaf_of(Cell cell, const Box& box) noexcept;
    void put(Node leaf, Index slot) noexcept;
    void take(Index slot) noexcept;
    bool unlink(Node leaf, Index slot) noexcept;
    void unlink_by_bounds(Index slot) noexcept;
    bool crowded(Node leaf) const noexcept;
    void split(Node leaf) noexcept;
    void make_room_for_moves() noexcept;
    bool split_once(Node leaf) noexcept;

    struct Fit;
    std::uint32_t table_depth(std::size_t count) const noexcept;
    bool make_room(std::size_t count, std::uint32_t depth) noexcept;
    void sort_into_slots(const Boxes& boxes, std::uint32_t depth) noexcept;
    void build(std::uint32_t depth) noexcept;
    void link(Node leaf, Index begin, Index end) noexcept;
    bool fit(std::size_t budget) noexcept;
    std::uint32_t held_by_leaves(const detail::LooseQuad& quad) const noexcept;
    void fit_leaf(Fit& group) noexcept;
    void fit_parent(const Fit& group, Fit& parent) noexcept;
    Index joined(const detail::LooseQuad& quad) noexcept;

    struct Check;
    bool has_cells_of_config() const noexcept;
    void check_leaf(Check& check, Node leaf, Cell low) const noexcept;
    void check_branch(Check& check, Node branch, Cell low) const noexcept;
    void check_bounds(Check& check, Node node, const Box& all) const noexcept;

    FreeList<detail::LooseQuad> quads_;
    FreeList<detail::LooseElement> elements_;  // by slot: in the order of the leaves after `assign`
    FreeList<Index> slot_of_;                  // by id
    detail::Buffer<Index> table_;              // where each cell of a level begins, for `assign`
    MemoryResource* memory_;
    Config config_;
    // Half the lower left corner of the root's square, and the number of finest cells in half a unit.
    float half_left_ = 0, half_low_ = 0, scale_ = 0;
    bool loose_ = false;             // whether there may be something to clean up
    bool loosened_ = false;          // whether it became so since the current pass began
    std::uint64_t clean_up_at_ = 0;  // the group where clean_up(budget) continues, as it counts them
    std::size_t reserved_for_ = 0;   // how many elements may move without an allocation
};

}  // namespace throng
