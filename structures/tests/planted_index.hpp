// PlantedIndex: a plain structure that keeps every promise of the concept, by comparing everything with
// everything. Where a fault is planted it breaks just one promise. The common tests are tested with it: a
// test that cannot tell the broken one from the sound one tests nothing.
//
// It comes in two kinds: exact, and with answers that are candidates, which keeps boxes that are a little
// larger.
#pragma once

#include <concepts>

#include "structures/tests/faults.hpp"
#include "structures/tests/test.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures::test {

template <bool candidates>
class PlantedIndex : public Queries<PlantedIndex<candidates>> {
    using Base = Queries<PlantedIndex>;

public:
    static constexpr bool answers_are_candidates = candidates;

    struct Config {
        Box extents;
        float typical_size = 1, largest_size = 1;
    };
    static Config recommended(const Expected& expected) noexcept {
        return {expected.extents, expected.typical_size, expected.largest_size};
    }

    explicit PlantedIndex(const Config& config, MemoryResource* memory = nullptr) noexcept
        : config_(config),
          memory_(memory),
          slots_(memory),
          scratch_(memory),
          never_emptied_(memory),
          start_(is(Fault::order_differs_each_time) ? ++made : 0) {
        const bool divisible = config.extents.min_x != config.extents.max_x ||
                               config.extents.min_y != config.extents.max_y ||
                               is(Fault::takes_a_point_for_extents);
        if ((is_legal(config.extents) && divisible) || is(Fault::takes_any_extents)) return;
        refusal_ = {Code::bad_config};
        if (!is(Fault::answers_without_a_config)) Base::ready_ = refusal_;
    }
    PlantedIndex(PlantedIndex&& other) noexcept = default;
    PlantedIndex& operator=(PlantedIndex&& other) noexcept {
        Base::operator=(std::move(other));
        std::swap(config_, other.config_);
        std::swap(memory_, other.memory_);
        slots_.swap(other.slots_);
        scratch_.swap(other.scratch_);
        if (is(Fault::loses_all_when_moved)) slots_.clear();
        return *this;
    }

    Status status() const {
        const Status status = Base::status();
        if (status.code == Code::moved_from && is(Fault::forgets_that_it_was_moved)) return {};
        return status.ok() ? refusal_ : status;
    }
    Status assign(const Boxes& boxes);
    Status insert(const Box& box, ElementId& id);
    Status move(ElementId id, const Box& box);
    Status remove(ElementId id);
    void clean_up() noexcept;
    void clear() noexcept { slots_.clear(); }

    std::size_t size() const { return slots_.size(); }
    bool contains(ElementId id) const {
        if (is(Fault::contains_the_removed)) return id < slots_.range();
        return slots_.contains(id);
    }
    Box box(ElementId id) const {
        if (slots_.contains(id)) return slots_[id].box;
        return is(Fault::has_boxes_of_unknown_ids) ? Box{} : no_box;
    }
    std::size_t bytes() const {
        return slots_.bytes() + (is(Fault::counts_no_scratch) ? 0 : scratch_.bytes()) +
               (is(Fault::counts_too_much) ? 5000 : 0);
    }
    IndexValidation validate() const {
        IndexValidation state;
        if (!slots_.validate() || (is(Fault::finds_faults_in_nothing) && size() == 17))
            state.note("a fault", 0);
        return state;
    }

    // As in Queries, with the faults that cannot be made behind it.
    template <VisitorOf<ElementId> Visitor>
    Status for_each_overlap(const Box& box, Visitor&& visitor, ElementId omitted = no_element) const {
        if (!is(Fault::goes_on_when_told_to_stop)) try {
                return overlaps_by_form(box, omitted, visitor);
            } catch (...) {
                if (is(Fault::keeps_what_visitors_throw)) return {};
                throw;
            }
        std::vector<ElementId> all;
        const Status status = Base::for_each_overlap(
            box, [&](ElementId id) { all.push_back(id); }, omitted);
        for (const ElementId& id : all) detail::visit<ElementId>(visitor, &id, 1);
        return status;
    }

private:
    friend Base;

    struct Slot {
        Box box;
        Box asked;  // the same, but for faults
    };

    static bool is(Fault fault) { return planted == fault; }
    static bool is_legal(const Box& box) {
        return std::isfinite(box.min_x) && std::isfinite(box.min_y) && std::isfinite(box.max_x) &&
               std::isfinite(box.max_y) && box.min_x <= box.max_x && box.min_y <= box.max_y;
    }
    static bool chosen(ElementId id) { return id % 8 == 5; }

    // Some faults only show to visitors of one form.
    template <class Visitor>
    Status overlaps_by_form(const Box& box, ElementId omitted, Visitor& visitor) const {
        if constexpr (std::invocable<Visitor&, std::span<const ElementId>>) {
            if (is(Fault::cuts_spans_short))
                return Base::for_each_overlap(
                    box,
                    [&](std::span<const ElementId> some) {
                        return throng::detail::visit<ElementId>(visitor, some.data(), some.size() - 1);
                    },
                    omitted);
        } else if constexpr (std::is_void_v<std::invoke_result_t<Visitor&, ElementId>>) {
            if (is(Fault::takes_silence_for_enough))
                return Base::for_each_overlap(
                    box, [&](ElementId id) { return visitor(id), false; }, omitted);
        }
        return Base::for_each_overlap(box, visitor, omitted);
    }

    Code check(const Box& box) const;
    Box kept(const Box& box) const;
    bool hits_wrongly(const Box& a, const Box& b) const;
    bool hits(const Box& a, const Box& b) const {
        const bool rightly =
            planted < Fault::misses_touching_edges || planted > Fault::takes_subnormals_for_zero;
        return rightly ? a.overlaps(b) : hits_wrongly(a, b);
    }
    bool is_outside(const Box& box) const { return !box.overlaps(config_.extents); }
    // For edits: what is wrong with the structure itself.
    bool refuses() const { return !status().ok() && !is(Fault::edits_without_a_config); }
    void lose_memory();
    ElementId new_slot(const Slot& slot);
    void make_room_for_strips();

    Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found);
    bool put_pair(ElementId a, ElementId b, detail::PairAnswers& found) const;
    void list_elements(detail::IdAnswers& list) const;
    void list_parts(detail::PartAnswers& list) const;

    Config config_;
    MemoryResource* memory_;
    Status refusal_;
    FreeList<Slot> slots_;
    detail::Buffer<ElementId> scratch_, never_emptied_;
    std::size_t start_;
    mutable std::size_t asked_ = 0;
    std::size_t edits_ = 0;
    std::vector<ElementId> scratch_of_the_heap_;
    std::array<std::size_t, 8> max_yet_{};
};

static_assert(DynamicSpatialIndex<PlantedIndex<false>> && DynamicSpatialIndex<PlantedIndex<true>>);

}  // namespace throng::structures::test
