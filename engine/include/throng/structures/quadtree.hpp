// Quadtree: a square that is cut into four wherever too many elements meet, and those into four again. It is
// fine where elements are dense and coarse where there are none, so it needs to be told less than a grid:
// where the world is, and how far to divide it.
//
//     throng::Quadtree tree(throng::Quadtree::recommended({.extents = world, .typical_size = 1}));
//     status = tree.assign(boxes);                                 // a frame in which everything has moved
//     status = tree.for_each_pair([&](throng::Pair pair) { ... });
//     status = tree.move(id, box);                                 // or one by one,
//     tree.clean_up();                                             // and once a frame
//
//     nodes          [ root ][ four children ][ four children ] ...     8 bytes each: the first child, or the
//                        |        |                                     first element node and their number
//     element nodes  [ next, element ][ next, element ] ...             8 bytes each: one for every leaf that
//                                |                                      an element lies in
//     elements       [ box ][ box ][ box ] ...                          each once
//
// A node has no box. The world is a grid of 2^max_depth cells a side, a node is a square of these, and where
// it lies follows from the way down to it by a shift and an addition at each step. A box lies in the cells
// of its corners and all between, and in every leaf that has one of them. Boxes outside of the extents lie
// in the cells at the border. Whether two boxes overlap is decided by their floats alone.
//
// An element in several leaves is reported by one of them, without marks: a pair by the leaf with the cell
// where their common part begins, an answer by the leaf with the cell where what it shares with the query
// begins.
//
// Four children are made and given back together. A leaf is divided when it has more than `leaf_limit`
// elements, is not at `max_depth`, and something is won by it: the four together may hold half as many
// again, no more, and the elements may not all lie in the very same cells. A leaf that is not worth it is
// looked at again when it holds twice as many. So neither giants nor elements all in one place make the tree
// grow: `assign` makes at most four element nodes for an element, and if single edits have made more than
// eight (giants put into a fine tree), the tree is made anew by itself, which happens a logarithmic number
// of times. Every group of four nodes had more than leaf_limit elements when it was made.
//
// Costs: a query O(log n + what it finds); pairs O(n + pairs), but for crowds of which nothing can be
// divided: those are sorted, along the axis on which they begin further apart. `assign` O(n), and some 32
// bytes an element, with everything it needs while it works. The first `clean_up` after a move or a removal
// makes room for what moving leads to in the end, some 38 in a crowd; more than that, as in worlds of many
// large elements, grows by half when it is needed. `move` costs a few loads if the element stays in its
// leaves. Taking an element out of a leaf walks the leaf's list: as many steps as share it, at worst.
// `clean_up` looks at every branch once and makes an empty leaf of one that has four empty leaves, a level at
// each call: what was left a moment ago is often entered again. clean_up(budget) spreads that over several
// frames. Without memory to divide a leaf it stays as it is, and answers the same.
//
// Worst worlds (docs/choosing.md has figures): those where everything is in one of the smallest cells, since the
// extents are far too large (one element that lies light years away is within them) or lie elsewhere. Then a
// query looks at all elements, a crowd of 20,000 at a thousand times its time; pairs take 5 to 17 times. And
// combs of walls as long as the world, of which each lies in most leaves: pairs and queries take as many steps
// as there are walls. Leave strays out of the extents: those outside are found like any others.
//
// Threads, failures and the floating-point environment: see spatial_index.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/containers/buffer.hpp"
#include "throng/containers/free_list.hpp"
#include "throng/export.hpp"
#include "throng/memory.hpp"
#include "throng/structures/queries.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng {

namespace detail {

struct QuadNode {
    static constexpr std::int32_t branch = -1, unused = -2;

    std::uint32_t first;  // the first of four children, or the first element node
    std::int32_t count;   // of the elements in a leaf
};

struct QuadPlace;

struct QuadElementNode {
    std::uint32_t next, element;
};

// How a box becomes cells: see structures/quadtree_cells.hpp.
struct QuadGrid {
    float x = 0, y = 0;      // where the first cell begins
    float cells_a_unit = 1;  // how many cells one unit has
    float last_cell = 0;
    unsigned depth = 0;  // at which a node is a single cell

    friend bool operator==(const QuadGrid&, const QuadGrid&) = default;
};

}  // namespace detail

class THRONG_API Quadtree : public Queries<Quadtree> {
public:
    static constexpr unsigned deepest = 14;
    static constexpr std::size_t max_elements = 0x7FFFFFFF;  // as many as a leaf can count

    struct Config {
        Box extents{0, 0, 1024, 1024};  // the tree covers a square that begins at their lower corner
        unsigned max_depth = 9;         // at most `deepest`
        unsigned leaf_limit = 16;       // elements that a leaf has before it is divided, at least 1
    };
    static Config recommended(const Expected& expected) noexcept;

    explicit Quadtree(const Config& config, MemoryResource* memory = nullptr) noexcept;
    // What was moved from is empty, and goes on with the same resource.
    Quadtree(Quadtree&& other) noexcept;
    Quadtree& operator=(Quadtree&& other) noexcept;

    // Whether the configuration was a legal one. If not, every edit and query is refused with this.
    Status status() const noexcept { return status_; }
    const Config& config() const noexcept { return config_; }

    Status assign(const Boxes& boxes) noexcept;
    Status insert(const Box& box, ElementId& id) noexcept;
    Status move(ElementId id, const Box& box) noexcept;
    Status remove(ElementId id) noexcept;
    void clean_up() noexcept;
    // Looks at so many branches at most, and goes on from there at the next call. True when it has come
    // round.
    bool clean_up(std::size_t budget) noexcept;
    void clear() noexcept;

    std::size_t size() const noexcept { return elements_.size(); }
    bool contains(ElementId id) const noexcept { return elements_.contains(id); }
    Box box(ElementId id) const noexcept { return elements_[id]; }
    std::size_t bytes() const noexcept;
    IndexValidation validate() const noexcept;

private:
    friend class Queries<Quadtree>;
    friend struct IndexInspector<Quadtree>;
    struct Builder;
    struct Validator;
    struct Visitor {
        std::uint32_t near, far;  // its cells
        ElementId id;
        std::uint64_t cells() const noexcept { return near | std::uint64_t{far} << 32; }
    };
    using Index = std::uint32_t;
    static constexpr Index none = 0xFFFFFFFFu;

    Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found);
    void list_elements(detail::IdAnswers& list) const;
    void list_parts(detail::PartAnswers& list) const;

    bool find_in_leaf(const detail::QuadPlace& leaf, std::uint32_t query_before, const Box& box,
                      ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs_of_crowd(const detail::QuadPlace& leaf, detail::PairAnswers& found, bool& goes_on);
    Status check_edit(const Box& box) const noexcept;
    bool make_root() noexcept;
    bool reserve_element_nodes(std::size_t more) noexcept;
    Index take_element_node() noexcept;
    Index take_children() noexcept;
    bool too_many_element_nodes(std::size_t added) const noexcept;
    bool rebuild() noexcept;
    void link(const detail::QuadPlace& leaf, ElementId id, std::size_t still_needed) noexcept;
    void unlink(const detail::QuadPlace& leaf, ElementId id) noexcept;
    void divide(const detail::QuadPlace& leaf, std::size_t still_needed) noexcept;
    bool divide_once(const detail::QuadPlace& leaf, std::size_t still_needed) noexcept;
    void distribute(const detail::QuadPlace& leaf, Index children) noexcept;
    bool give_back_children(Index branch) noexcept;
    void make_room_for_moves() noexcept;
    void swap(Quadtree& other) noexcept;

    MemoryResource* memory_;
    Config config_;
    Status status_;
    detail::QuadGrid grid_;
    FreeList<Box> elements_;
    detail::Buffer<detail::QuadElementNode> element_nodes_;
    detail::Buffer<detail::QuadNode> nodes_;  // empty, or the root and groups of four
    Index free_element_node_ = none;          // a list through `next`
    Index free_children_ = none;              // a list through `first` of the first of four
    std::size_t used_element_nodes_ = 0;
    std::uint64_t clean_up_at_ = 0;  // the branch where clean_up(budget) goes on, as it counts them
    bool moved_ = false;             // whether an element left a leaf since the last clean-up
    std::size_t reserved_for_ = 0;   // how many elements may move about without asking for memory
    // What `assign` works with, and for_each_pair where many meet in a leaf.
    detail::Buffer<std::uint32_t> buckets_;
    detail::Buffer<Visitor> crossing_, visitors_;
    detail::Buffer<std::uint64_t> crowd_;
};

}  // namespace throng
