// Any of the structures in structures/include/throng/structures, as throng-compare sees it: one adapter for
// all, by the concept that they share. It answers on one thread.
#pragma once

#include <algorithm>
#include <vector>

#include "bench/common/expected.hpp"
#include "bench/common/failures.hpp"
#include "bench/compare/index.hpp"
#include "throng/memory.hpp"
#include "throng/structures/leaf_order.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::bench {

using structures::answers_are_candidates;
using structures::ElementId;

// How the agents of a new frame get into the structure.
enum class Updating {
    assign,  // it is made from nothing
    by_move  // a `move` for each agent, and a `clean_up`
};

template <structures::SpatialIndex Structure, Updating updating = Updating::assign>
class StructureIndex final : public Index {
public:
    explicit StructureIndex(const Setup& setup) : memory_(setup.memory) { found_.reserve(setup.agents); }

    bool can(Ability ability) const override {
        return ability == Ability::leaf_order || ability == Ability::allocations;
    }

    void update(const workload::World& w) override {
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        if constexpr (answers_are_candidates<Structure>) keep_true_boxes(w);
        const bool first = structure_.size() != boxes.size();
        if (first) {
            structure_ = Structure(Structure::recommended(expected_of<Structure>(w)), memory_);
            require(structure_.status(), "making the structure");
        }
        if constexpr (updating == Updating::by_move) {
            if (!first) return move_all(boxes);
        }
        require(structure_.assign(boxes), "assign");
    }
    void find_pairs() override {
        pairs_.clear();
        require(structure_.for_each_pair([this](std::span<const Pair> some) { take(some); }), "pairs");
    }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const Pair& pair : pairs_) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<workload::Rect>& queries) override {
        answers_.clear();
        ends_.clear();
        for (const workload::Rect& query : queries) ask(query);
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const ElementId id : answers_) sum.hit(id);
        return sum;
    }
    void make_order() override {
        if (!order_.update(structure_)) throw std::runtime_error("the leaf order: no memory");
    }
    void answer_in_order(const std::vector<workload::Rect>& queries) override {
        answers_.clear();
        ends_.clear();
        // The queries lie by id, so each is in another place of memory; a host fetches its agents ahead as
        // well.
        const std::span<const ElementId> ids = order_.ids();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i + ahead < ids.size()) __builtin_prefetch(&queries[ids[i + ahead]]);
            ask(queries[ids[i]]);
        }
    }

    std::uint64_t search(const workload::Rect& query) override {
        found_.clear();
        collect(query, found_);
        return found_.size();
    }
    std::span<const std::uint32_t> searched() const override { return found_; }
    std::uint64_t count(const workload::Rect& query) override {
        std::uint64_t count = 0;
        const Box box = box_of(query);
        if constexpr (requires { structure_.count(box).found; }) return structure_.count(box).found;
        require(structure_.for_each_overlap(box,
                                            [&](std::span<const ElementId> ids) {
                                                if constexpr (!answers_are_candidates<Structure>)
                                                    count += ids.size();
                                                else
                                                    for (const ElementId id : ids)
                                                        count += overlap(true_boxes_[id], box);
                                            }),
                "overlaps");
        return count;
    }

    std::size_t bytes() const override { return structure_.bytes(); }

private:
    static constexpr std::size_t ahead = 8;

    static Box box_of(const workload::Rect& r) { return {r.x0, r.y0, r.x1, r.y1}; }

    void move_all(const Boxes& boxes) {
        for (ElementId id = 0; id < boxes.size(); ++id) require(structure_.move(id, boxes[id]), "move");
        structure_.clean_up();
    }
    // A host that is given candidates has the true boxes at hand, each in one piece.
    void keep_true_boxes(const workload::World& w) {
        true_boxes_.resize(w.size());
        for (std::size_t i = 0; i < w.size(); ++i)
            true_boxes_[i] = Box::around(w.x[i], w.y[i], w.hx[i], w.hy[i]);
    }
    // Without a branch: whether a candidate is one that is wanted is hard to predict.
    static bool overlap(const Box& a, const Box& b) {
        return (a.min_x <= b.max_x) & (b.min_x <= a.max_x) & (a.min_y <= b.max_y) & (b.min_y <= a.max_y);
    }
    void take_those_at(const Box& box, std::span<const ElementId> ids, std::vector<ElementId>& to) const {
        const std::size_t before = to.size();
        to.resize(before + ids.size());
        std::size_t count = before;
        for (const ElementId id : ids) {
            to[count] = id;
            count += overlap(true_boxes_[id], box);
        }
        to.resize(count);
    }
    void take(std::span<const Pair> some) {
        if constexpr (answers_are_candidates<Structure>) {
            const std::size_t before = pairs_.size();
            pairs_.resize(before + some.size());
            Pair* to = pairs_.data() + before;
            for (std::size_t i = 0; i < some.size(); ++i) {
                // They are anywhere in the host's memory.
                const Pair later = some[std::min(i + 32, some.size() - 1)];
                __builtin_prefetch(&true_boxes_[later.a]);
                __builtin_prefetch(&true_boxes_[later.b]);
                *to = some[i];
                to += overlap(true_boxes_[some[i].a], true_boxes_[some[i].b]);
            }
            pairs_.resize(static_cast<std::size_t>(to - pairs_.data()));
        } else {
            pairs_.insert(pairs_.end(), some.begin(), some.end());
        }
    }
    void ask(const workload::Rect& query) {
        collect(query, answers_);
        ends_.push_back(answers_.size());
    }
    void collect(const workload::Rect& query, std::vector<ElementId>& to) {
        const Box box = box_of(query);
        require(structure_.for_each_overlap(box,
                                            [&](std::span<const ElementId> ids) {
                                                if constexpr (!answers_are_candidates<Structure>)
                                                    to.insert(to.end(), ids.begin(), ids.end());
                                                else
                                                    take_those_at(box, ids, to);
                                            }),
                "overlaps");
    }

    MemoryResource* memory_;
    Structure structure_{Structure::recommended({}), nullptr};
    structures::LeafOrder order_;
    std::vector<Box> true_boxes_;
    std::vector<Pair> pairs_;
    std::vector<ElementId> answers_, found_;
    std::vector<std::size_t> ends_;
};

}  // namespace throng::bench
