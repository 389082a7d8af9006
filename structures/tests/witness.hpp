// Witness: a structure, and a plain list of the elements that it was given. It passes edits and queries on to
// the structure, and checks what comes back against the list by a look at every element. If something is
// wrong, it ends with a Finding. It knows structures by their common interface alone (any_spatial_index.hpp).
//
//     Witness witness(kind, expected, memory);
//     witness.insert(box);  witness.move(id, elsewhere);         // each status is judged
//     witness.look();                                            // size, ids, boxes, parts, validate
//     witness.ask(box);  witness.ask_pairs();                    // every answer, once, and no other
//
// A structure whose answers are candidates must answer by the boxes that it says it keeps. These must enclose
// the boxes that it was given.
#pragma once

#include "structures/tests/any_spatial_index.hpp"
#include "structures/tests/finding.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {

// What a structure must say of a box, found in another way than in the structure.
Code verdict_on(const Box& box);

class Witness {
public:
    Witness(const IndexKind& kind, const Expected& expected, CountingResource& memory)
        : Witness(kind.make(expected, &memory), expected, memory) {}
    Witness(std::unique_ptr<AnySpatialIndex> index, const Expected& expected, CountingResource& memory);

    AnySpatialIndex& index() { return *index_; }
    const AnySpatialIndex& index() const { return *index_; }
    const IndexKind& kind() const { return index_->kind(); }
    // Whether it took its configuration. If not, it must refuse all edits and queries with the same words.
    bool works() const { return refusal_ == Code::ok; }
    const std::vector<ElementId>& living() const { return living_; }
    std::size_t size() const { return living_.size(); }
    const Box& given(ElementId id) const { return slots_[id].given; }
    std::vector<Box> living_boxes() const;
    bool knows(ElementId id) const { return id < slots_.size() && slots_[id].place != nowhere; }
    std::size_t max_at_once() const { return max_at_once_; }

    // --- Edits: but for `assign` and `clear`, of dynamic structures only -----------------------------------

    Status assign(const std::vector<Box>& boxes) { return assign(Boxes::of(boxes)); }
    Status assign(const Boxes& boxes);
    // `no_element`, if it was refused for a good reason.
    ElementId insert(const Box& box);
    Status move(ElementId id, const Box& box);
    Status remove(ElementId id);
    void clean_up() { index_->clean_up(); }
    // A part of it, if it comes in parts.
    void clean_up(std::size_t budget);
    void clear();

    // --- What it says of itself ----------------------------------------------------------------------------

    void look() const;

    // --- Queries -------------------------------------------------------------------------------------------

    // The answers in the order in which they came.
    std::vector<ElementId> ask(const Box& box, ElementId omitted = no_element) const;
    // Every two that overlap, once, and no others. Returns how many there are; none if memory ran out.
    std::size_t ask_pairs();

    // The box by which it has to answer.
    Box kept(ElementId id) const { return by_candidates() ? index_->box(id) : given(id); }
    // A structure for elements up to a size may refuse this one.
    bool may_be_too_large(const Box& box) const;

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    struct Slot {
        Box given;
        std::size_t place = nowhere;  // in `living_`
    };

    bool by_candidates() const { return kind().answers_are_candidates; }
    void judge(const Status& status, Code verdict, const Box& box, std::uint64_t failures,
               const char* edit) const;
    void judge_assignment(const Boxes& boxes, const Status& status, std::uint64_t failures) const;
    void look_at_the_box(ElementId id) const;

    void remember(ElementId id, const Box& box);
    void forget(ElementId id);
    void forget_all();

    Expected expected_;
    CountingResource& memory_;
    std::unique_ptr<AnySpatialIndex> index_;
    Code refusal_;
    std::vector<Slot> slots_;
    std::vector<ElementId> living_;
    std::size_t max_at_once_ = 0;
};

}  // namespace throng::structures::test
