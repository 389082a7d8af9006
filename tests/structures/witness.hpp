// Witness: a structure, and a plain list of the elements that it was given. It passes edits and questions on
// to the structure, checks what comes back against the list by looking at every element, and ends with a
// Finding where something is wrong. It knows structures by their concept alone.
//
//     Witness<Quadtree> witness(expected, memory);
//     witness.insert(box);  witness.move(id, elsewhere);         // each status is judged
//     witness.look();                                            // size, ids, boxes, parts, validate
//     witness.ask(question);  witness.ask_pairs();               // everybody, once, and nobody else
//
// A structure whose answers are candidates has to answer by the boxes it says that it keeps, which have to
// enclose those it was given.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "structures/answer_sheet.hpp"
#include "structures/finding.hpp"
#include "support/counting_resource.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::test {

// What a structure has to say of a box, worked out in another way than it does.
inline Code verdict_on(const Box& box) {
    for (const float value : {box.min_x, box.min_y, box.max_x, box.max_y})
        if (std::isnan(value) || std::isinf(value)) return Code::not_finite;
    return box.min_x > box.max_x || box.min_y > box.max_y ? Code::inverted : Code::ok;
}

// Infinite, if no float is that large.
inline float longer_side(const Box& box) { return std::max(box.max_x - box.min_x, box.max_y - box.min_y); }

template <SpatialIndex Index>
class Witness {
public:
    static constexpr bool by_candidates = answers_are_candidates<Index>;

    Witness(const Expected& expected, CountingResource& memory)
        : Witness(Index::suited_to(expected), expected, memory) {}
    Witness(const typename Index::Config& config, const Expected& expected, CountingResource& memory)
        : expected_(expected), memory_(memory), index_(config, &memory), refusal_(index_.status().code) {}

    Index& index() { return index_; }
    const Index& index() const { return index_; }
    // Whether it took its configuration. If it did not, all edits and questions have to be
    // refused with the same words.
    bool works() const { return refusal_ == Code::ok; }
    const std::vector<ElementId>& living() const { return living_; }
    std::size_t size() const { return living_.size(); }
    const Box& given(ElementId id) const { return slots_[id].given; }
    bool knows(ElementId id) const { return id < slots_.size() && slots_[id].place != nowhere; }
    std::size_t most_at_once() const { return most_at_once_; }

    // --- Edits ---------------------------------------------------------------------------------------------

    Status assign(const std::vector<Box>& boxes) { return assign(Boxes::of(boxes)); }
    Status assign(const Boxes& boxes) {
        const std::uint64_t failures = memory_.failures();
        const Status status = index_.assign(boxes);
        judge_assignment(boxes, status, failures);
        if (!status) return status;
        forget_all();
        for (std::size_t i = 0; i < boxes.size(); ++i) remember(static_cast<ElementId>(i), boxes[i]);
        return status;
    }
    // `no_element`, if it was refused for a good reason.
    ElementId insert(const Box& box) requires DynamicSpatialIndex<Index> {
        const std::uint64_t failures = memory_.failures();
        ElementId id = no_element;
        const Status status = index_.insert(box, id);
        judge(status, verdict_on(box), box, failures, "insert");
        if (!status) return no_element;
        require(!knows(id), "insert ", box, " gave the id ", id, ", which ", "an element has");
        require(id <= most_at_once_ + 64, "insert gave the id ", id, " where there never were more than ",
                most_at_once_, " elements");
        remember(id, box);
        return id;
    }
    Status move(ElementId id, const Box& box) requires DynamicSpatialIndex<Index> {
        const std::uint64_t failures = memory_.failures();
        const Status status = index_.move(id, box);
        if (!knows(id) && status.code == Code::unknown_agent) return status;
        judge(status, knows(id) ? verdict_on(box) : Code::unknown_agent, box, failures, "move");
        if (status) slots_[id].given = box;
        return status;
    }
    Status remove(ElementId id) requires DynamicSpatialIndex<Index> {
        const std::uint64_t failures = memory_.failures();
        const Status status = index_.remove(id);
        judge(status, knows(id) ? Code::ok : Code::unknown_agent, Box{}, failures, "remove");
        if (status) forget(id);
        return status;
    }
    void clean_up() requires DynamicSpatialIndex<Index> { index_.clean_up(); }
    // A part of it, where it comes in parts.
    void clean_up(std::size_t budget) requires DynamicSpatialIndex<Index> {
        if constexpr (SpreadsCleanUp<Index>)
            static_cast<void>(index_.clean_up(budget));
        else
            index_.clean_up();
    }
    void clear() {
        index_.clear();
        forget_all();
    }

    // --- What it says of itself ----------------------------------------------------------------------------

    void look() const {
        require(index_.size() == size(), "it has ", index_.size(), " elements and was given ", size());
        const auto end = static_cast<ElementId>(slots_.size() + 70);
        for (ElementId id = 0; id < end; ++id)
            require(index_.contains(id) == knows(id), "contains(", id, ") is ", index_.contains(id));
        require(!index_.contains(no_element), "it contains no_element");
        for (const ElementId id : living_) look_at_the_box(id);
        AnswerSheet seen(slots_.size());
        index_.for_each_element([&](ElementId id) { return seen.take(id); });
        seen.judge([] { return "for_each_element"; }, [&](ElementId id) { return knows(id); }, living_,
                   [](ElementId) { return true; });
        const IndexValidation state = index_.validate();
        require(state.sound() && state.faults == 0, "validate finds ", state.what, " at ", state.where,
                " and ", state.faults, " faults in all");
    }

    // --- Questions -----------------------------------------------------------------------------------------

    // The answers in the order in which they came.
    std::vector<ElementId> ask(const Box& box, ElementId omitted = no_element) const {
        AnswerSheet sheet(slots_.size());
        const Status status = index_.overlaps(box, omitted, [&](ElementId id) { return sheet.take(id); });
        const auto words = [&] { return in_words("question ", box, " without ", omitted); };
        if (const Code verdict = verdict_on(box); verdict != Code::ok) {
            require(status.code == verdict || !works(), words(), " has the status ", status);
            require(sheet.ids().empty(), words(), " is refused and answered");
            return {};
        }
        if (status.code != refusal_) throw Finding(in_words(words(), " has the status ", status));
        sheet.judge(
            words, [&](ElementId id) { return knows(id); }, living_,
            [&](ElementId id) { return id != omitted && kept(id).overlaps(box); });
        return sheet.ids();
    }
    // Every two that overlap, once, and nobody else. Returns how many there are; none, where memory ran out.
    std::size_t ask_pairs() {
        PairSheet sheet(living_, slots_.size());
        const std::uint64_t failures = memory_.failures();
        const Status status = index_.for_each_pair([&](Pair pair) { return sheet.take(pair); });
        if (status.code == Code::out_of_memory && memory_.failures() != failures) return 0;
        require(status.code == refusal_, "pairs have the status ", status);
        std::vector<Box> boxes;
        for (const ElementId id : living_) boxes.push_back(kept(id));
        sheet.judge(boxes);
        return sheet.size();
    }

    // The box by which it has to answer.
    Box kept(ElementId id) const {
        if constexpr (by_candidates) return index_.box(id);
        return given(id);
    }
    // A structure for elements up to a size may refuse this one.
    bool may_be_too_large(const Box& box) const {
        return by_candidates && !(longer_side(box) <= expected_.largest_size);
    }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    struct Slot {
        Box given;
        std::size_t place = nowhere;  // in `living_`
    };

    void judge(const Status& status, Code verdict, const Box& box, std::uint64_t failures,
               const char* edit) const {
        if (!works())
            return require(status.code == refusal_, edit, " of a structure that said ", refusal_,
                           " ends with ", status);
        if (status.code == Code::out_of_memory && memory_.failures() != failures) return;
        if (status.code == Code::too_large && verdict == Code::ok && may_be_too_large(box)) return;
        require(status.code == verdict, edit, ' ', box, " ends with ", status, " instead of ", verdict);
    }
    void judge_assignment(const Boxes& boxes, const Status& status, std::uint64_t failures) const {
        if (!works() || status.code == Code::out_of_memory)
            return judge(status, Code::ok, Box{}, failures, "assign");
        std::size_t first = 0;
        if (boxes.null())
            return require(status.code == Code::null_view, "assign of a null view ends with ", status);
        while (first < boxes.size() && verdict_on(boxes[first]) == Code::ok) ++first;
        if (status.code == Code::too_large)
            return require(status.index < boxes.size() && may_be_too_large(boxes[status.index]), "assign of ",
                           boxes.size(), " ends with ", status);
        const Status verdict = first == boxes.size() ? Status{} : Status{verdict_on(boxes[first]), first};
        require(status == verdict, "assign of ", boxes.size(), " ends with ", status, " instead of ",
                verdict);
    }
    void look_at_the_box(ElementId id) const {
        const Box box = index_.box(id), given = slots_[id].given;
        if (!by_candidates) return require(box == given, "box(", id, ") is ", box, " instead of ", given);
        require(verdict_on(box) == Code::ok && box.min_x <= given.min_x && box.min_y <= given.min_y &&
                    given.max_x <= box.max_x && given.max_y <= box.max_y,
                "box(", id, ") is ", box, ", which does not enclose ", given);
    }

    void remember(ElementId id, const Box& box) {
        if (id >= slots_.size()) slots_.resize(id + std::size_t{1});
        slots_[id] = {box, living_.size()};
        living_.push_back(id);
        most_at_once_ = std::max(most_at_once_, living_.size());
    }
    void forget(ElementId id) {
        const std::size_t place = std::exchange(slots_[id].place, nowhere);
        living_[place] = living_.back();
        living_.pop_back();
        if (place < living_.size()) slots_[living_[place]].place = place;
    }
    void forget_all() {
        slots_.clear();
        living_.clear();
    }

    Expected expected_;
    CountingResource& memory_;
    Index index_;
    Code refusal_;
    std::vector<Slot> slots_;
    std::vector<ElementId> living_;
    std::size_t most_at_once_ = 0;
};

}  // namespace throng::test
