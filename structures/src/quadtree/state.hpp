// The private half of Quadtree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "structures/src/state.hpp"
#include "throng/memory.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/quadtree.hpp"

namespace throng::structures {

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

struct THRONG_INSIDE Quadtree::State final
    : detail::DynamicStateOf<State, std::min(Quadtree::max_elements, detail::max_agents)> {
    State(const Config& config, MemoryResource* memory, Status& status) noexcept;

    std::size_t size() const noexcept override { return elements_.size(); }
    bool contains(ElementId id) const noexcept override { return elements_.contains(id); }
    Box box_of(ElementId id) const noexcept override { return elements_[id]; }
    Status assign_all(const Boxes& boxes) noexcept;
    Status insert_legal(const Box& box, ElementId& id) noexcept;
    Status move_legal(ElementId id, const Box& box) noexcept;
    Status remove_known(ElementId id) noexcept;
    void clean_up() noexcept override;
    bool clean_up(std::size_t budget) noexcept;
    void clear() noexcept override;
    std::size_t bytes_held() const noexcept;
    IndexValidation validate() const noexcept override;

    Status find_overlaps(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found) override;
    void list_elements(detail::IdAnswers& list) const override;
    void list_parts(detail::PartAnswers& list) const override;

    struct Builder;
    struct Validator;
    struct Visitor {
        std::uint32_t near, far;  // its cells
        ElementId id;
        std::uint64_t cells() const noexcept { return near | std::uint64_t{far} << 32; }
    };
    using Index = std::uint32_t;
    static constexpr Index none = 0xFFFFFFFFu;

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
    FreeList<Box> elements_{memory_};
    detail::Buffer<detail::QuadElementNode> element_nodes_{memory_};
    detail::Buffer<detail::QuadNode> nodes_{memory_};  // empty, or the root and groups of four
    Index free_element_node_ = none;                   // a list through `next`
    Index free_children_ = none;                       // a list through `first` of the first of four
    std::size_t used_element_nodes_ = 0;
    std::uint64_t clean_up_at_ = 0;  // the branch where clean_up(budget) continues, as it counts them
    bool moved_ = false;             // whether an element left a leaf since the last clean-up
    std::size_t reserved_for_ = 0;   // how many elements may move without an allocation
    // Scratch for `assign`, and for for_each_pair where a leaf holds many elements.
    detail::Buffer<std::uint32_t> buckets_{memory_};
    detail::Buffer<Visitor> crossing_{memory_}, visitors_{memory_};
    detail::Buffer<std::uint64_t> crowd_{memory_};
};

}  // namespace throng::structures
