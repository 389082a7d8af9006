// The private half of LooseQuadtree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "structures/src/state.hpp"
#include "throng/memory.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/loose_quadtree.hpp"

namespace throng::structures {

namespace detail {

// Four nodes with one parent, allocated and freed together.
struct LooseQuad {
    float min_x[4], min_y[4], max_x[4], max_y[4];
    // Positive: the group of a branch's children. Zero: an empty leaf. Negative: the complement of a leaf's
    // first element.
    std::int32_t child[4];
    std::uint32_t parent;     // the group of the branch above, four times, and its place there
    std::uint32_t x : 24;     // the first of the finest cells that the four divide
    std::uint32_t depth : 8;  // of the four
    std::uint32_t y;
    // How many elements a leaf takes at least before it is split.
    std::uint8_t room[4];
};

struct LooseElement {
    Box box;
    ElementId id;
    std::uint32_t next;  // in the same leaf
};

// Where an element is: its slot, and its leaf, as a group's parent is given. After `assign` and where the
// leaf was split since, a node above the leaf.
struct LooseWhere {
    std::uint32_t slot, leaf;
};

}  // namespace detail

struct THRONG_INSIDE LooseQuadtree::State final : detail::DynamicStateOf<State, 0x7FFFFFFEu> {
    State(const Config& config, MemoryResource* memory, Status& status) noexcept;

    std::size_t size() const noexcept override { return elements_.size(); }
    bool contains(ElementId id) const noexcept override { return where_.contains(id); }
    Box box_of(ElementId id) const noexcept override { return elements_[where_[id].slot].box; }
    Status assign_all(const Boxes& boxes) noexcept;
    Status insert_legal(const Box& box, ElementId& id) noexcept;
    Status move_legal(ElementId id, const Box& box) noexcept;
    Status remove_known(ElementId id) noexcept;
    void clean_up() noexcept override;
    bool clean_up(std::size_t budget) noexcept;
    void clear() noexcept override;
    Box bounds() const noexcept;
    std::size_t bytes_held() const noexcept;
    IndexValidation validate() const noexcept override;

    Status find_overlaps(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found) override;
    void list_elements(detail::IdAnswers& list) const override;
    void list_parts(detail::PartAnswers& list) const override;

    using Index = std::uint32_t;
    static constexpr std::size_t max_groups = 0x3FFFFFFFu;
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

    Cell cell_of(const Box& box) const noexcept;
    std::uint32_t lane_at(Cell cell, std::uint32_t depth) const noexcept;
    Cell first_cell(Node node) const noexcept;
    bool divides(const detail::LooseQuad& quad, Cell cell) const noexcept;
    bool holds(Index node, Cell cell) const noexcept;

    bool make_root() noexcept;
    Index new_group(Node parent) noexcept;
    Node leaf_of(Cell cell, Index near) const noexcept;
    Node leaf_with_element(Index slot, Index near) const noexcept;
    void move_away(ElementId id, const Box& box, Cell cell) noexcept;
    void widen_from(Index node, const Box& box) noexcept;
    void widen_above(Index node, const Box& box) noexcept;
    void put(Node leaf, Index slot) noexcept;
    void take(Node leaf, Index slot) noexcept;
    bool crowded(Node leaf) noexcept;
    std::uint8_t room_beside(std::uint32_t elements) const noexcept;
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
    Index joined(const detail::LooseQuad& quad, Index leaf) noexcept;

    struct Check;
    bool has_cells_of_config() const noexcept;
    void check_leaf(Check& check, Node leaf) const noexcept;
    void check_branch(Check& check, Node branch) const noexcept;
    void check_bounds(Check& check, Node node, const Box& all) const noexcept;
    bool leads_to(Index near, Node leaf) const noexcept;

    FreeList<detail::LooseQuad> quads_;
    FreeList<detail::LooseElement> elements_;  // by slot: in the order of the leaves after `assign`
    FreeList<detail::LooseWhere> where_;       // by id
    detail::Buffer<Index> table_;              // for `assign`: where each cell of one level begins
    Config config_;
    // Half the lower left corner of the root's square, and the number of finest cells in half a unit.
    float half_left_ = 0, half_low_ = 0, scale_ = 0;
    bool loose_ = false;             // whether there may be something to clean up
    bool loosened_ = false;          // whether it became so since the current pass began
    std::uint64_t clean_up_at_ = 0;  // the group where clean_up(budget) continues, as it counts them
    std::size_t reserved_for_ = 0;   // how many elements may move without an allocation
};

}  // namespace throng::structures
