#include "structures/tests/witness.hpp"

#include "structures/tests/answer_sheet.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace {

// Infinite, if no float is that large.
float longer_side(const Box& box) { return std::max(box.max_x - box.min_x, box.max_y - box.min_y); }

}  // namespace

Code verdict_on(const Box& box) {
    for (const float value : {box.min_x, box.min_y, box.max_x, box.max_y})
        if (std::isnan(value) || std::isinf(value)) return Code::not_finite;
    return box.min_x > box.max_x || box.min_y > box.max_y ? Code::inverted : Code::ok;
}

Witness::Witness(std::unique_ptr<AnySpatialIndex> index, const Expected& expected, CountingResource& memory)
    : expected_(expected), memory_(memory), index_(std::move(index)), refusal_(index_->status().code) {}

std::vector<Box> Witness::living_boxes() const {
    std::vector<Box> boxes;
    for (const ElementId id : living_) boxes.push_back(given(id));
    return boxes;
}

// --- Edits -------------------------------------------------------------------------------------------------

Status Witness::assign(const Boxes& boxes) {
    const std::uint64_t failures = memory_.failures();
    const Status status = index_->assign(boxes);
    judge_assignment(boxes, status, failures);
    if (!status) return status;
    forget_all();
    for (std::size_t i = 0; i < boxes.size(); ++i) remember(static_cast<ElementId>(i), boxes[i]);
    return status;
}

ElementId Witness::insert(const Box& box) {
    const std::uint64_t failures = memory_.failures();
    ElementId id = no_element;
    const Status status = index_->insert(box, id);
    judge(status, verdict_on(box), box, failures, "insert");
    if (!status) return no_element;
    require(!knows(id), "insert ", box, " gave the id ", id, ", which ", "an element has");
    require(id <= max_at_once_ + 64, "insert gave the id ", id, " where there never were more than ",
            max_at_once_, " elements");
    remember(id, box);
    return id;
}

Status Witness::move(ElementId id, const Box& box) {
    const std::uint64_t failures = memory_.failures();
    const Status status = index_->move(id, box);
    if (!knows(id) && status.code == Code::unknown_id) return status;
    judge(status, knows(id) ? verdict_on(box) : Code::unknown_id, box, failures, "move");
    if (status) slots_[id].given = box;
    return status;
}

Status Witness::remove(ElementId id) {
    const std::uint64_t failures = memory_.failures();
    const Status status = index_->remove(id);
    judge(status, knows(id) ? Code::ok : Code::unknown_id, Box{}, failures, "remove");
    if (status) forget(id);
    return status;
}

void Witness::clean_up(std::size_t budget) {
    if (kind().spreads_clean_up)
        static_cast<void>(index_->clean_up(budget));
    else
        index_->clean_up();
}

void Witness::clear() {
    index_->clear();
    forget_all();
}

// --- What it says of itself --------------------------------------------------------------------------------

void Witness::look() const {
    require(index_->size() == size(), "it has ", index_->size(), " elements and was given ", size());
    const auto end = static_cast<ElementId>(slots_.size() + 70);
    for (ElementId id = 0; id < end; ++id)
        require(index_->contains(id) == knows(id), "contains(", id, ") is ", index_->contains(id));
    require(!index_->contains(no_element), "it contains no_element");
    for (const ElementId id : living_) look_at_the_box(id);
    AnswerSheet seen(slots_.size());
    index_->for_each_element([&](ElementId id) { return seen.take(id); });
    seen.judge([] { return "for_each_element"; }, [&](ElementId id) { return knows(id); }, living_,
               [](ElementId) { return true; });
    const IndexValidation state = index_->validate();
    require(state.sound() && state.faults == 0, "validate finds ", state.what, " at ", state.where, " and ",
            state.faults, " faults in all");
}

void Witness::look_at_the_box(ElementId id) const {
    const Box box = index_->box(id), given = slots_[id].given;
    if (!by_candidates()) return require(box == given, "box(", id, ") is ", box, " instead of ", given);
    require(verdict_on(box) == Code::ok && box.min_x <= given.min_x && box.min_y <= given.min_y &&
                given.max_x <= box.max_x && given.max_y <= box.max_y,
            "box(", id, ") is ", box, ", which does not enclose ", given);
}

// --- Queries -----------------------------------------------------------------------------------------------

std::vector<ElementId> Witness::ask(const Box& box, ElementId omitted) const {
    AnswerSheet sheet(slots_.size());
    const Status status = index_->for_each_overlap(
        box, [&](ElementId id) { return sheet.take(id); }, omitted);
    const auto words = [&] { return in_words("query ", box, " without ", omitted); };
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

std::size_t Witness::ask_pairs() {
    std::vector<Box> boxes;
    for (const ElementId id : living_) boxes.push_back(kept(id));
    PairSheet sheet(living_, std::move(boxes), slots_.size());
    const std::uint64_t failures = memory_.failures();
    const Status status = index_->for_each_pair([&](std::span<const Pair> some) { return sheet.take(some); });
    if (status.code == Code::out_of_memory && memory_.failures() != failures) return 0;
    require(status.code == refusal_, "pairs have the status ", status);
    sheet.judge();
    return sheet.size();
}

// --- Judgement ---------------------------------------------------------------------------------------------

bool Witness::may_be_too_large(const Box& box) const {
    return by_candidates() && !(longer_side(box) <= expected_.largest_size);
}

void Witness::judge(const Status& status, Code verdict, const Box& box, std::uint64_t failures,
                    const char* edit) const {
    if (!works())
        return require(status.code == refusal_, edit, " of a structure that said ", refusal_, " ends with ",
                       status);
    if (status.code == Code::out_of_memory && memory_.failures() != failures) return;
    if (status.code == Code::too_large && verdict == Code::ok && may_be_too_large(box)) return;
    require(status.code == verdict, edit, ' ', box, " ends with ", status, " instead of ", verdict);
}

void Witness::judge_assignment(const Boxes& boxes, const Status& status, std::uint64_t failures) const {
    if (!works() || status.code == Code::out_of_memory)
        return judge(status, Code::ok, Box{}, failures, "assign");
    std::size_t first = 0;
    if (boxes.fault() != Code::ok)
        return require(status.code == Code::null_view, "assign of a null view ends with ", status);
    while (first < boxes.size() && verdict_on(boxes[first]) == Code::ok) ++first;
    if (status.code == Code::too_large)
        return require(status.index < boxes.size() && may_be_too_large(boxes[status.index]), "assign of ",
                       boxes.size(), " ends with ", status);
    const Status verdict = first == boxes.size() ? Status{} : Status{verdict_on(boxes[first]), first};
    require(status == verdict, "assign of ", boxes.size(), " ends with ", status, " instead of ", verdict);
}

// --- The list ----------------------------------------------------------------------------------------------

void Witness::remember(ElementId id, const Box& box) {
    if (id >= slots_.size()) slots_.resize(id + std::size_t{1});
    slots_[id] = {box, living_.size()};
    living_.push_back(id);
    max_at_once_ = std::max(max_at_once_, living_.size());
}

void Witness::forget(ElementId id) {
    const std::size_t place = std::exchange(slots_[id].place, nowhere);
    living_[place] = living_.back();
    living_.pop_back();
    if (place < living_.size()) slots_[living_[place]].place = place;
}

void Witness::forget_all() {
    slots_.clear();
    living_.clear();
}

}  // namespace throng::structures::test
