#include "structures/tests/planted_index.hpp"

#include <tuple>

#include "parallel/blocks.hpp"
#include "structures/tests/index_adapter.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {

template <bool candidates>
Code PlantedIndex<candidates>::check(const Box& box) const {
    for (const float value : {box.min_x, box.min_y, box.max_x, box.max_y})
        if (!std::isfinite(value) && !(is(Fault::takes_nan) && std::isnan(value))) return Code::not_finite;
    if (!is(Fault::takes_inverted_boxes) && (box.min_x > box.max_x || box.min_y > box.max_y))
        return Code::inverted;
    const float side = std::max(box.max_x - box.min_x, box.max_y - box.min_y);
    if (is(Fault::refuses_giants) && side > 20 * config_.typical_size) return Code::too_large;
    // It may be twice as large as it was made for.
    if (candidates && side > 2 * config_.largest_size) return Code::too_large;
    return Code::ok;
}

template <bool candidates>
Box PlantedIndex<candidates>::kept(const Box& box) const {
    if (!candidates) return box;
    static constexpr float largest = 3.4028235e38f;
    const auto finite = [](float value) { return std::clamp(value, -largest, largest); };
    float by = config_.typical_size * 0.25f;
    if (!(by >= 0 && by < 1e30f)) by = 0;
    if (is(Fault::keeps_too_small_boxes)) by = -0.01f * (box.max_x - box.min_x);
    return {finite(box.min_x - by), finite(box.min_y - by), finite(box.max_x + by), finite(box.max_y + by)};
}

template <bool candidates>
bool PlantedIndex<candidates>::hits_wrongly(const Box& a, const Box& b) const {
    if (is(Fault::misses_touching_edges))
        return a.min_x < b.max_x && b.min_x < a.max_x && a.min_y < b.max_y && b.min_y < a.max_y;
    if (is(Fault::misses_the_outside) && is_outside(a)) return false;
    if (is(Fault::compares_centres))
        return std::fabs((a.min_x + a.max_x) * 0.5f - (b.min_x + b.max_x) * 0.5f) <=
                   (a.max_x - a.min_x) * 0.5f + (b.max_x - b.min_x) * 0.5f &&
               a.min_y <= b.max_y && b.min_y <= a.max_y;
    if (is(Fault::takes_subnormals_for_zero)) {
        const auto flushed = [](float value) { return std::fabs(value) < 1.1754944e-38f ? 0.0f : value; };
        return flushed(a.min_x) <= flushed(b.max_x) && flushed(b.min_x) <= flushed(a.max_x) &&
               a.min_y <= b.max_y && b.min_y <= a.max_y;
    }
    return a.overlaps(b);
}

// It is never given back, but stays within reach, so a leak detector does not report it.
template <bool candidates>
void PlantedIndex<candidates>::lose_memory() {
    static std::vector<void*>& lost = *new std::vector<void*>;
    lost.push_back(throng::allocate(memory_, 64, 8));
}

template <bool candidates>
Status PlantedIndex<candidates>::assign(const Boxes& boxes) {
    if (refuses()) return status();
    if (boxes.fault() != Code::ok)
        return is(Fault::reads_null_views) ? Status{} : Status{Code::null_view, Status::no_index};
    Status status;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Code code = check(boxes[i]);
        if (code != Code::ok && (status.ok() || is(Fault::names_the_last_bad_box))) status = {code, i};
        if (is(Fault::changes_when_refused) && code == Code::ok && contains(static_cast<ElementId>(i)))
            slots_[static_cast<ElementId>(i)] = {kept(boxes[i]), kept(boxes[i])};
    }
    if (!status) return status;
    if (is(Fault::empties_before_it_asks_for_memory)) slots_.clear();
    if (is(Fault::takes_memory_in_every_frame)) slots_ = FreeList<Slot>(memory_);
    const bool keeps_old =
        is(Fault::keeps_old_elements) && boxes.size() < slots_.size() && slots_.size() == slots_.range();
    if (!keeps_old && !slots_.fill(boxes.size())) return {Code::out_of_memory, Status::no_index};
    if (is(Fault::gives_memory_back_never)) lose_memory();
    std::size_t piled = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        slots_[static_cast<ElementId>(i)] = {kept(boxes[i]), kept(boxes[i])};
        piled += boxes[i] == boxes[boxes.size() - 1];
    }
    if (is(Fault::takes_too_much_for_piles) && piled > boxes.size() / 2 && piled > 400)
        static_cast<void>(scratch_.resize(150 * boxes.size()));
    return {};
}

// Only as much as each strip of the world needs, if it never had as many elements before.
template <bool candidates>
void PlantedIndex<candidates>::make_room_for_strips() {
    constexpr std::size_t strips = std::tuple_size_v<decltype(max_yet_)>;
    std::array<std::size_t, strips> counts{};
    const float width = std::max(config_.extents.max_x - config_.extents.min_x, 1.0f);
    slots_.for_each([&](ElementId, const Slot& slot) {
        const float share = std::clamp((slot.box.min_x - config_.extents.min_x) / width, 0.0f, 0.999f);
        ++counts[static_cast<std::size_t>(share * static_cast<float>(strips))];
    });
    std::size_t room = 0;
    for (std::size_t k = 0; k < strips; ++k) room += max_yet_[k] = std::max(max_yet_[k], counts[k]);
    static_cast<void>(never_emptied_.resize_exactly(room));
}

template <bool candidates>
ElementId PlantedIndex<candidates>::new_slot(const Slot& slot) {
    if (is(Fault::gives_the_id_of_another) && ++edits_ % 20 == 0 && slots_.contains(3))
        return slots_[3] = slot, 3;
    if (!is(Fault::never_uses_an_id_again)) return slots_.insert(slot);
    std::vector<ElementId> holes;
    while (slots_.size() < slots_.range()) holes.push_back(slots_.insert(slot));
    const ElementId id = slots_.insert(slot);
    for (const ElementId hole : holes) slots_.erase(hole);
    return id;
}

template <bool candidates>
Status PlantedIndex<candidates>::insert(const Box& box, ElementId& id) {
    if (refuses()) return status();
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    const ElementId slot = new_slot({kept(box), kept(box)});
    if (slot == no_element) {
        if (is(Fault::throws_without_memory)) throw std::bad_alloc();
        if (is(Fault::takes_half_without_memory)) slots_.erase(0);
        return {Code::out_of_memory, Status::no_index};
    }
    id = slot;
    return {};
}

template <bool candidates>
Status PlantedIndex<candidates>::move(ElementId id, const Box& box) {
    if (refuses()) return status();
    if (!slots_.contains(id))
        return {is(Fault::moves_the_removed) && id < slots_.range() ? Code::ok : Code::unknown_id, 0};
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    slots_[id].box = kept(box);
    if (!is(Fault::moves_only_in_clean_up)) slots_[id].asked = kept(box);
    if (is(Fault::grows_with_every_move) && ++edits_ % 100 == 0)
        static_cast<void>(never_emptied_.push_back(id));
    return {};
}

template <bool candidates>
Status PlantedIndex<candidates>::remove(ElementId id) {
    if (refuses()) return status();
    if (!slots_.erase(id)) return {Code::unknown_id, 0};
    return {};
}

template <bool candidates>
void PlantedIndex<candidates>::clean_up() noexcept {
    for (ElementId id = 0; id < slots_.range(); ++id)
        if (slots_.contains(id)) slots_[id].asked = slots_[id].box;
    if (is(Fault::loses_one_in_clean_up) && slots_.size() == 100) slots_.erase(slots_.range() - 1);
}

template <bool candidates>
Status PlantedIndex<candidates>::find(const Box& box, ElementId omitted, detail::IdAnswers& found) const {
    if (const Code code = is_legal(box) ? Code::ok : check(box);
        code != Code::ok && !is(Fault::answers_bad_queries))
        return {code, 0};
    // Counted atomically: the planted fault is an order that changes, not a data race.
    const std::size_t range = slots_.range(),
                      from = is(Fault::order_follows_earlier_queries)
                                 ? parallel::atomically(asked_).fetch_add(1, std::memory_order_relaxed)
                                 : start_;
    std::size_t answers = 0;
    for (std::size_t i = 0; i < range; ++i) {
        const auto id = static_cast<ElementId>((i + from) % range);
        if (!slots_.contains(id)) {
            if (is(Fault::answers_with_the_removed) && chosen(id) && !found.put(id)) break;
            continue;
        }
        Box asked = slots_[id].asked;
        if (is(Fault::answers_by_given_boxes)) asked.max_x -= config_.typical_size * 0.25f;
        if (id == omitted && !is(Fault::answers_with_the_omitted)) continue;
        if (is(Fault::omits_more_than_one) && slots_.contains(omitted) && slots_[omitted].box == asked)
            continue;
        if (!hits(asked, box)) continue;
        if (!found.put(id)) break;
        if (is(Fault::answers_twice) && chosen(id) && box.min_x > asked.min_x && !found.put(id)) break;
        if (is(Fault::stops_after_a_thousand) && ++answers == 1000) break;
    }
    return {};
}

template <bool candidates>
Status PlantedIndex<candidates>::find_pairs(detail::PairAnswers& found) {
    if (is(Fault::has_room_for_the_most_yet)) make_room_for_strips();
    if (is(Fault::asks_the_global_heap)) scratch_of_the_heap_ = std::vector<ElementId>(size());
    const auto count = static_cast<ElementId>(slots_.size());
    if (!scratch_.reserve(count))
        return {is(Fault::leaves_pairs_out_without_memory) ? Code::ok : Code::out_of_memory};
    scratch_.clear();
    slots_.for_each([&](ElementId id, const Slot&) { static_cast<void>(scratch_.push_back(id)); });
    for (ElementId a = 0; a < count; ++a) {
        if (is(Fault::pairs_with_itself) && chosen(a) && !found.put({scratch_[a], scratch_[a]})) return {};
        for (ElementId b = a + 1; b < count; ++b)
            if (!put_pair(scratch_[a], scratch_[b], found)) return {};
    }
    return {};
}

template <bool candidates>
bool PlantedIndex<candidates>::put_pair(ElementId a, ElementId b, detail::PairAnswers& found) const {
    if (!hits(slots_[a].asked, slots_[b].asked)) return true;
    if (is(Fault::misses_pairs_of_the_last) && b + 1 == slots_.range() && b > 16) return true;
    if (is(Fault::pairs_twice) && chosen(b) && !found.put({a, b})) return false;
    if (is(Fault::pairs_both_ways) && chosen(b) && !found.put({b, a})) return false;
    return found.put({a, b});
}

template <bool candidates>
void PlantedIndex<candidates>::list_elements(detail::IdAnswers& list) const {
    for (ElementId id = 0; id < slots_.range(); ++id) {
        if (!slots_.contains(id)) continue;
        if (is(Fault::lists_one_too_few) && id == 100) continue;
        if (!list.put(id)) return;
        if (is(Fault::lists_an_element_twice) && id == 100 && !list.put(id)) return;
    }
}

template <bool candidates>
void PlantedIndex<candidates>::list_parts(detail::PartAnswers& list) const {
    if (size() == 0) return;
    Part part;
    bool first = true;
    slots_.for_each([&](ElementId, const Slot& slot) {
        const Box& box = slot.box;
        if (std::exchange(first, false)) part.box = box;
        part.box = {std::min(part.box.min_x, box.min_x), std::min(part.box.min_y, box.min_y),
                    std::max(part.box.max_x, box.max_x), std::max(part.box.max_y, box.max_y)};
    });
    part.elements = static_cast<std::uint32_t>(size() / (is(Fault::counts_half_in_parts) ? 2 : 1));
    static_cast<void>(list.put(part));
}

IndexKind planted_index() { return kind_of<PlantedIndex<false>>("exact"); }
IndexKind planted_index_of_candidates() { return kind_of<PlantedIndex<true>>("candidates"); }

}  // namespace throng::structures::test
