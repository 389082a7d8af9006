// Quadtree: a square that is split into four wherever it holds too many elements, and so on recursively
// (after Dragon Energy, Stack Overflow 41946007). It is fine where elements are dense and coarse elsewhere,
// so it needs less configuration than a grid: the extents of the world and a maximum depth.
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
// A node stores no box. The world is a grid of 2^max_depth cells a side, and a node is a square of these. Its
// position follows from the path down to it, by a shift and an addition at each step. A box covers the cells
// of its corners and all between, and is in every leaf that has one of them. Boxes outside the extents lie in
// the cells at the border. Whether two boxes overlap is decided by their floats alone.
//
// An element in several leaves is reported by one of them, without marks (reference-point duplicate
// avoidance, Dittrich and Seeger 2000): a pair, or an answer to a query, by the leaf that holds the lower
// left corner of the intersection.
//
// Four children are allocated and freed together. A leaf is split when it has more than `leaf_limit`
// elements, is not at `max_depth`, and gains from it: the four children together may hold at most half as
// many elements again, and the elements must not all cover the same cells. A leaf that does not gain is
// reconsidered when it holds twice as many. So neither giants nor elements all in one place make the tree
// grow. `assign` makes at most four element nodes for an element. If single edits have made more than eight
// (giants put into a fine tree), the tree rebuilds itself, which happens a logarithmic number of times. Every
// group of four nodes had more than leaf_limit elements when it was made.
//
// Costs: a query is O(log n + answers); pairs are O(n + pairs), except in crowds that cannot be split: those
// are sorted along the axis on which their left or lower edges are spread wider, and swept. `assign` is O(n),
// and takes about 32 bytes an element, including its scratch. The first `clean_up` after a move or a removal
// reserves what moving needs in the long run, about 38 bytes in a crowd; where more is needed, as in worlds
// of many large elements, memory grows by half. `move` costs a few loads if the element stays in its leaves.
// Taking an element out of a leaf walks the leaf's list, at worst all elements of the leaf. `clean_up` visits
// every branch once and turns a branch with four empty leaves into an empty leaf, one level at each call,
// since an emptied leaf is often soon entered again. clean_up(budget) spreads that over several frames. A
// leaf that cannot be split for lack of memory stays as it is, and answers are the same.
//
// Worst worlds (docs/choosing.md has figures): those where everything is in one of the smallest cells, since
// the extents are far too large (stretched by one element light years away) or lie elsewhere. Then a query
// tests all elements: for a crowd of 20,000 it takes a thousand times as long, and pairs take 5 to 17 times
// as long. Also combs of walls as long as the world, each of which lies in most leaves: pairs and queries
// take as many steps as there are walls. Leave strays out of the extents: elements outside are found like any
// others.
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

// Maps a box to cells.
struct QuadGrid {
    float x = 0, y = 0;      // the start of the first cell
    float cells_a_unit = 1;  // cells to a unit of length
    float last_cell = 0;
    unsigned depth = 0;  // at which a node is a single cell

    friend bool operator==(const QuadGrid&, const QuadGrid&) = default;
};

}  // namespace detail

class THRONG_API Quadtree : public Queries<Quadtree> {
public:
    static constexpr unsigned depth_limit = 14;
    static constexpr std::size_t max_elements = 0x7FFFFFFF;  // the largest count of a leaf

    struct Config {
        Box extents;               // the tree covers a square that begins at their lower corner
        unsigned max_depth = 9;    // at most `depth_limit`
        unsigned leaf_limit = 16;  // a leaf with more elements is split; at least 1
    };
    static Config recommended(const Expected& expected) noexcept;

    explicit Quadtree(const Config& config, MemoryResource* memory = nullptr) noexcept;
    const Config& config() const noexcept { return config_; }

    Status assign(const Boxes& boxes) noexcept;
    Status insert(const Box& box, ElementId& id) noexcept;
    Status move(ElementId id, const Box& box) noexcept;
    Status remove(ElementId id) noexcept;
    void clean_up() noexcept;
    // Visits at most `budget` branches; the next call continues from there. Returns true once a full pass is
    // complete.
    bool clean_up(std::size_t budget) noexcept;
    void clear() noexcept;

    std::size_t size() const noexcept { return elements_.size(); }
    bool contains(ElementId id) const noexcept { return elements_.contains(id); }
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

    Box box_of(ElementId id) const noexcept { return elements_[id]; }
    Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found);
    void list_elements(detail::IdAnswers& list) const;
    void list_parts(detail::PartAnswers& list) const;

    bool find_in_leaf(const detail::QuadPlace& leaf, std::uint32_t query_before, const Box& box,
                      ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs_of_crowd(const detail::QuadPlace& leaf, detail::PairAnswers& found, bool& goes_on);
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

    Config config_;
    detail::QuadGrid grid_;
    FreeList<Box> elements_;
    detail::Buffer<detail::QuadElementNode> element_nodes_;
    detail::Buffer<detail::QuadNode> nodes_;  // empty, or the root and groups of four
    Index free_element_node_ = none;          // a list through `next`
    Index free_children_ = none;              // a list through `first` of the first of four
    std::size_t used_element_nodes_ = 0;
    std::uint64_t clean_up_at_ = 0;  // the branch where clean_up(budget) continues, as it counts them
    bool moved_ = false;             // whether an element left a leaf since the last clean-up
    std::size_t reserved_for_ = 0;   // how many elements may move without an allocation
    // Scratch for `assign`, and for for_each_pair where a leaf holds many elements.
    detail::Buffer<std::uint32_t> buckets_;
    detail::Buffer<Visitor> crossing_, visitors_;
    detail::Buffer<std::uint64_t> crowd_;
};

}  // namespace throng
