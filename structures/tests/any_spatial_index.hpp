// AnySpatialIndex: a spatial structure without its type, so that the common checks are compiled once and not
// once for each structure. Every call goes straight to the structure (index_adapter.hpp): nothing is caught,
// answered or remembered on the way.
//
//     const std::unique_ptr<AnySpatialIndex> index = kind.make(expected, &memory);
//     index->for_each_overlap(box, [&](ElementId id) { ... });
//
// IndexKind: which structure it is, and what is known of its kind. index_kinds.hpp lists them.
#pragma once

#include "structures/tests/any_visitor.hpp"
#include "structures/tests/test.hpp"
#include "throng/structures/leaf_order.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::structures::test {

class AnySpatialIndex;

struct IndexKind {
    const char* name;
    // What its type says, by the concepts of spatial_index.hpp.
    bool dynamic, spreads_clean_up, answers_are_candidates;
    bool has_extents;  // whether its configuration has any
    std::size_t own_size;
    std::unique_ptr<AnySpatialIndex> (*make_adapter)(const IndexKind&, const Expected&, const Box* extents,
                                                     MemoryResource*);
    // What it may take for each element, wherever the elements are.
    std::size_t max_bytes_per_element = 400;
    double max_bytes_in_a_crowd = 0;
    bool lists_parts = true;
    bool uses_the_resource = true;  // for all its memory
    bool refuses_after_a_move = true;

    std::unique_ptr<AnySpatialIndex> make(const Expected& expected, MemoryResource* memory) const {
        return make_adapter(*this, expected, nullptr, memory);
    }
    // With the configuration that suits `expected`, but for the extents.
    std::unique_ptr<AnySpatialIndex> make_with_extents(const Expected& expected, const Box& extents,
                                                       MemoryResource* memory) const {
        return make_adapter(*this, expected, &extents, memory);
    }
};

class AnySpatialIndex {
public:
    virtual ~AnySpatialIndex() = default;
    AnySpatialIndex(const AnySpatialIndex&) = delete;
    AnySpatialIndex& operator=(const AnySpatialIndex&) = delete;

    const IndexKind& kind() const { return *kind_; }

    virtual Status status() const = 0;
    virtual Status assign(const Boxes& boxes) = 0;
    virtual void clear() = 0;
    // For a dynamic structure only.
    virtual Status insert(const Box& box, ElementId& id) = 0;
    virtual Status move(ElementId id, const Box& box) = 0;
    virtual Status remove(ElementId id) = 0;
    virtual void clean_up() = 0;
    // For one that spreads its clean-up only.
    virtual bool clean_up(std::size_t budget) = 0;

    virtual std::size_t size() const = 0;
    virtual bool contains(ElementId id) const = 0;
    virtual Box box(ElementId id) const = 0;
    virtual std::size_t bytes() const = 0;
    virtual IndexValidation validate() const = 0;

    virtual Status for_each_overlap(const Box& box, IdVisitor visitor,
                                    ElementId omitted = no_element) const = 0;
    virtual Status for_each_pair(PairVisitor visitor) = 0;
    virtual void for_each_element(IdVisitor visitor) const = 0;
    virtual void for_each_part(PartVisitor visitor) const = 0;
    virtual bool update(LeafOrder& order) const = 0;

    // Another structure, made from this one by the move constructor; and the move assignment, from one of the
    // same kind.
    virtual std::unique_ptr<AnySpatialIndex> move_out() = 0;
    virtual void move_from(AnySpatialIndex& other) = 0;

    // From the C library: the global heap is counted, and only the structures use it.
    static void* operator new(std::size_t bytes) {
        if (void* memory = std::malloc(bytes)) return memory;
        throw std::bad_alloc();
    }
    static void operator delete(void* memory) { std::free(memory); }

protected:
    explicit AnySpatialIndex(const IndexKind& kind) : kind_(&kind) {}

private:
    const IndexKind* kind_;
};

}  // namespace throng::structures::test
