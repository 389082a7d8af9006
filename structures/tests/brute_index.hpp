// BruteIndex: the structures' concept by comparing everything with everything. It is the oracle of all
// structures, and shows how little the concept asks for. It chooses ids as an indexed free list does, the
// last hole first; a structure may choose others.
//
// Costs: a query O(n), pairs O(n^2). Memory is the global heap, and running out of it throws, as in any plain
// program.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "oracle/brute_force.hpp"
#include "throng/memory.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures::test {

class BruteIndex : public Queries<BruteIndex> {
public:
    struct Config {};
    static Config recommended(const Expected&) noexcept { return {}; }

    BruteIndex() = default;
    explicit BruteIndex(const Config&, MemoryResource* = nullptr) {}

    Status assign(const Boxes& boxes) {
        if (const Code bad = boxes.fault(); bad != Code::ok) return {bad};
        for (std::size_t i = 0; i < boxes.size(); ++i)
            if (const Code code = oracle::check(boxes[i]); code != Code::ok) return {code, i};
        clear();
        for (std::size_t i = 0; i < boxes.size(); ++i) slots_.push_back(boxes[i]);
        size_ = boxes.size();
        return {};
    }
    Status insert(const Box& box, ElementId& id) {
        if (const Code code = oracle::check(box); code != Code::ok) return {code, 0};
        if (holes_.empty()) {
            holes_.push_back(static_cast<ElementId>(slots_.size()));
            slots_.emplace_back();
        }
        id = holes_.back();
        holes_.pop_back();
        slots_[id] = box;
        ++size_;
        return {};
    }
    Status move(ElementId id, const Box& box) {
        if (!contains(id)) return {Code::unknown_id, 0};
        if (const Code code = oracle::check(box); code != Code::ok) return {code, 0};
        slots_[id] = box;
        return {};
    }
    Status remove(ElementId id) {
        if (!contains(id)) return {Code::unknown_id, 0};
        slots_[id].reset();
        holes_.push_back(id);
        --size_;
        return {};
    }
    void clean_up() noexcept {}
    void clear() noexcept {
        slots_.clear();
        holes_.clear();
        size_ = 0;
    }

    std::size_t size() const { return size_; }
    bool contains(ElementId id) const { return id < slots_.size() && slots_[id].has_value(); }
    Box box(ElementId id) const { return contains(id) ? *slots_[id] : no_box; }
    std::size_t bytes() const { return slots_.capacity() * sizeof slots_[0]; }
    IndexValidation validate() const { return {}; }

private:
    friend Queries;

    Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const {
        if (const Code code = oracle::check(box); code != Code::ok) return {code, 0};
        for (ElementId i = 0; i < slots_.size(); ++i)
            if (i != omitted && slots_[i] && slots_[i]->overlaps(box) && !found.put(i)) break;
        return {};
    }
    Status find_pairs(detail::PairAnswers& found) {
        for (ElementId a = 0; a < slots_.size(); ++a)
            for (ElementId b = a + 1; slots_[a] && b < slots_.size(); ++b)
                if (slots_[b] && slots_[a]->overlaps(*slots_[b]) && !found.put({a, b})) return {};
        return {};
    }
    void list_elements(detail::IdAnswers& list) const {
        for (ElementId i = 0; i < slots_.size(); ++i)
            if (slots_[i] && !list.put(i)) return;
    }
    void list_parts(detail::PartAnswers&) const {}

    std::vector<std::optional<Box>> slots_;
    std::vector<ElementId> holes_;
    std::size_t size_ = 0;
};

static_assert(DynamicSpatialIndex<BruteIndex>);

}  // namespace throng::structures::test
