// ObjectIndex: an ObjectQuadtree with the interface of the other structures. Its values are ids, and a table
// has their boxes. So the common tests run on it, and throng-compare measures it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "throng/boxes.hpp"
#include "throng/memory.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/object_quadtree.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures::test {

using structures::ElementId;
using structures::no_element;

class ObjectIndex : public structures::Queries<ObjectIndex> {
    struct Table {
        structures::FreeList<Box> boxes;
        // The boxes of an assignment that is going on, and may fail.
        const Boxes* incoming = nullptr;
    };
    class BoxOf {
    public:
        explicit BoxOf(const Table* table) noexcept : table_(table) {}
        BoxOf(BoxOf&&) = default;
        BoxOf& operator=(BoxOf&&) = default;
        structures::ObjectBox<float> operator()(ElementId id) const noexcept {
            return table_->incoming != nullptr ? (*table_->incoming)[id] : table_->boxes[id];
        }

    private:
        const Table* table_;
    };
    using Tree = structures::ObjectQuadtree<ElementId, BoxOf>;

public:
    struct Config {
        Box extents;
        std::uint32_t split_above = 16;
        std::uint32_t max_depth = 8;
    };
    // Leaves hold about eight elements each when they are spread evenly.
    static Config recommended(const structures::Expected& expected) noexcept {
        const auto depth = static_cast<std::uint32_t>(std::bit_width(expected.elements / 8) + 1) / 2;
        return {.extents = expected.extents, .max_depth = std::clamp(depth, 4u, 12u)};
    }

    explicit ObjectIndex(const Config& config, MemoryResource* memory = nullptr) noexcept
        : table_(make_table(memory)),
          tree_({config.extents, config.split_above, config.max_depth}, BoxOf(table_.get()), {}, memory) {}
    Status status() const noexcept {
        return table_ == nullptr && tree_.status() ? Status{Code::out_of_memory} : tree_.status();
    }

    Status assign(const Boxes& boxes) noexcept {
        if (!status()) return status();
        if (const Code bad = boxes.fault(); bad != Code::ok) return {bad};
        if (boxes.size() >= no_element) return {Code::too_many};
        if (!table_->boxes.reserve(boxes.size())) return {Code::out_of_memory};
        table_->incoming = &boxes;
        const Status status =
            tree_.assign(boxes.size(), [](std::size_t i) noexcept { return static_cast<ElementId>(i); });
        table_->incoming = nullptr;
        if (!status || !table_->boxes.fill(boxes.size())) return status;
        for (ElementId id = 0; id < boxes.size(); ++id) table_->boxes[id] = boxes[id];
        return {};
    }
    Status insert(const Box& box, ElementId& id) noexcept {
        if (!status()) return status();
        const ElementId fresh = table_->boxes.insert(box);
        if (fresh == no_element) return {Code::out_of_memory};
        const Status added = tree_.insert(fresh);
        if (added)
            id = fresh;
        else
            table_->boxes.erase(fresh);
        return added;
    }
    Status move(ElementId id, const Box& box) noexcept {
        if (!status()) return status();
        if (!contains(id)) return {Code::unknown_id};
        const Box from = table_->boxes[id];
        table_->boxes[id] = box;
        const Status moved = tree_.move(from, id);
        if (!moved) table_->boxes[id] = from;
        return moved;
    }
    Status remove(ElementId id) noexcept {
        if (!status()) return status();
        if (!contains(id) || !tree_.remove(id)) return {Code::unknown_id};
        table_->boxes.erase(id);
        return {};
    }
    void clean_up() noexcept {}
    void clear() noexcept {
        tree_.clear();
        if (table_ != nullptr) table_->boxes.clear();
    }

    std::size_t size() const noexcept { return tree_.size(); }
    bool contains(ElementId id) const noexcept { return table_ != nullptr && table_->boxes.contains(id); }
    std::size_t bytes() const noexcept {
        return tree_.bytes() + (table_ == nullptr ? 0 : sizeof(Table) + table_->boxes.bytes());
    }
    structures::IndexValidation validate() const noexcept {
        structures::IndexValidation report = tree_.validate();
        if (table_ != nullptr && !table_->boxes.validate()) report.note("the table of boxes is broken", 0);
        tree_.for_each_element([&](ElementId id) {
            if (!contains(id) || !tree_.contains(id)) report.note("an element is not where its box is", id);
        });
        return report;
    }

private:
    friend Queries;

    Box box_of(ElementId id) const noexcept { return table_->boxes[id]; }
    Status find(const Box& box, ElementId omitted, structures::detail::IdAnswers& found) const {
        if (table_ == nullptr) return status();
        return tree_.for_each_overlap(box, [&](ElementId id) { return id == omitted || found.put(id); });
    }
    Status find_pairs(structures::detail::PairAnswers& found) {
        if (table_ == nullptr) return status();
        return tree_.for_each_pair([&](ElementId a, ElementId b) { return found.put({a, b}); });
    }
    void list_elements(structures::detail::IdAnswers& list) const {
        tree_.for_each_element([&](ElementId id) { return list.put(id); });
    }
    void list_parts(structures::detail::PartAnswers& list) const {
        tree_.for_each_part([&](const Tree::Part& part) {
            return list.put({part.box, part.depth, part.values, part.leaf});
        });
    }

    struct GiveBack {
        MemoryResource* memory;
        void operator()(Table* table) const noexcept {
            std::destroy_at(table);
            throng::give_back(memory, table, sizeof(Table), alignof(Table));
        }
    };
    using TablePointer = std::unique_ptr<Table, GiveBack>;
    // The tree's function points at it, so it stays where it is when the index is moved. Null if there is no
    // memory.
    static TablePointer make_table(MemoryResource* memory) noexcept {
        void* const place = throng::allocate(memory, sizeof(Table), alignof(Table));
        if (place == nullptr) return TablePointer(nullptr, {memory});
        return TablePointer(::new (place) Table{structures::FreeList<Box>(memory)}, {memory});
    }

    TablePointer table_;
    Tree tree_;
};

static_assert(structures::DynamicSpatialIndex<ObjectIndex>);

}  // namespace throng::structures::test
