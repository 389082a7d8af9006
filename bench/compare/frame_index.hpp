// An index that works in frames, used as a host would use it: the agents' arrays are handed over where they
// lie, and results go into lists that are used again every frame. The engine, and brute force, which takes
// the same calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bench/common/failures.hpp"
#include "bench/compare/index.hpp"
#include "throng/boxes.hpp"
#include "throng/labels.hpp"
#include "throng/results.hpp"

namespace throng::bench {

template <class World, class PairsOf, class HitsOf>
class FrameIndex : public Index {
public:
    template <class... Arguments>
    explicit FrameIndex(const Setup& setup, Arguments&&... arguments)
        : world_(std::forward<Arguments>(arguments)...), found_(setup.agents) {}

    void update(const workload::World& w) override {
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        require(world_.update(boxes), "update");
        frame_ = world_.frame();
    }
    void find_pairs() override { require(frame_.pairs(pairs_), "pairs"); }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const Pair& pair : pairs_) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<workload::Rect>& queries) override {
        if (queries.empty()) return hits_.clear();
        const workload::Rect& first = queries.front();
        require(frame_.overlaps(Boxes::min_max(&first.x0, &first.y0, &first.x1, &first.y1, queries.size(),
                                               sizeof(workload::Rect)),
                                hits_),
                "overlaps");
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const AgentId id : hits_.ids()) sum.hit(id);
        return sum;
    }

    std::uint64_t search(const workload::Rect& query) override {
        const Filled found = frame_.overlaps(box_of(query), found_);
        require(found.status, "overlaps");
        written_ = static_cast<std::size_t>(found.written);
        return found.total;
    }
    std::span<const std::uint32_t> searched() const override { return std::span(found_).first(written_); }
    std::uint64_t count(const workload::Rect& query) override {
        const Count found = frame_.count(box_of(query));
        require(found.status, "count");
        return found.total;
    }

    void search_singly(std::span<const workload::Rect> queries, workload::Checksum* sum) override {
        for (const workload::Rect& query : queries) {
            search(query);
            if (sum != nullptr)
                for (const AgentId id : searched()) sum->hit(id);
        }
    }
    void search_a_few_singly(std::span<const workload::Rect> queries, std::uint32_t few) override {
        found_.resize(std::max(found_.size(), queries.size() * few));
        AgentId* to = found_.data();
        for (const workload::Rect& query : queries) {
            const AgentId* const full = to + few;
            require(frame_.for_each_overlap(box_of(query),
                                            [&](AgentId id) {
                                                if (to == full) return false;
                                                *to++ = id;
                                                return to != full;
                                            }),
                    "overlaps");
        }
        written_ = static_cast<std::size_t>(to - found_.data());
    }

    void update_labelled(const workload::World& w, std::span<const std::uint32_t> categories) override {
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        require(world_.update(boxes, {.labels = Labels::categories(categories.data(), categories.size())}),
                "update");
        frame_ = world_.frame();
    }
    void answer_category(const std::vector<workload::Rect>& queries, std::uint32_t categories) override {
        if (queries.empty()) return hits_.clear();
        const workload::Rect& first = queries.front();
        require(frame_.overlaps(Boxes::min_max(&first.x0, &first.y0, &first.x1, &first.y1, queries.size(),
                                               sizeof(workload::Rect)),
                                hits_, Filters::all({.categories = categories})),
                "overlaps");
    }
    std::uint64_t search_category(const workload::Rect& query, std::uint32_t categories) override {
        const Filled found =
            frame_.overlaps(box_of(query), std::span<AgentId>(found_), {.categories = categories});
        require(found.status, "overlaps");
        written_ = static_cast<std::size_t>(found.written);
        return found.total;
    }

    void prepare_casts(const std::vector<workload::Ray>& rays, float half) override {
        casts_.clear();
        for (const workload::Ray& r : rays)
            casts_.push_back(Cast::box(Box::around(r.x, r.y, half, half), r.dx, r.dy));
        first_hits_.resize(casts_.size());
        blocked_.resize(casts_.size());
    }
    void find_first_hits() override { require(frame_.first_hits(casts_, first_hits_), "first_hits"); }
    void find_first_hits_filtered(const Filter& filter) override {
        require(frame_.first_hits(casts_, first_hits_, filter), "first_hits");
    }
    void find_blocked() override { require(frame_.blocked(casts_, blocked_), "blocked"); }
    void find_first_hits_singly() override {
        for (std::size_t i = 0; i < casts_.size(); ++i) {
            const FirstHit found = frame_.first_hit(casts_[i]);
            require(found.status, "first_hit");
            first_hits_[i] = found.hit;
        }
    }
    void find_blocked_singly() override {
        for (std::size_t i = 0; i < casts_.size(); ++i) {
            const Found found = frame_.blocked(casts_[i]);
            require(found.status, "blocked");
            blocked_[i] = found.found;
        }
    }
    std::span<const CastHit> first_hits() const override { return first_hits_; }
    std::span<const std::uint8_t> blocked() const override { return blocked_; }

    void stage(const workload::World& w, std::span<const std::uint32_t> ids) override {
        boxes_.clear();
        for (const std::uint32_t i : ids) boxes_.push_back(Box::around(w.x[i], w.y[i], w.hx[i], w.hy[i]));
        require(world_.move(ids, Boxes::of(boxes_)), "move");
    }
    void commit() override {
        require(world_.commit(), "commit");
        frame_ = world_.frame();
    }

    void stage_removals(std::span<const std::uint32_t> ids) override {
        require(world_.remove(ids), "remove");
    }
    void stage_insertions(const workload::World& w, std::span<const std::uint32_t> ids) override {
        boxes_.clear();
        for (const std::uint32_t i : ids) boxes_.push_back(Box::around(w.x[i], w.y[i], w.hx[i], w.hy[i]));
        new_ids_.resize(ids.size());
        require(world_.insert(Boxes::of(boxes_), new_ids_), "insert");
    }

    void update_structs(std::span<const HostAgent> agents) override {
        require(world_.update(Boxes::centre_half(agents, &HostAgent::x, &HostAgent::y, &HostAgent::half_x,
                                                 &HostAgent::half_y)),
                "update");
        frame_ = world_.frame();
    }
    void update_points(const workload::World& w, float radius) override {
        require(world_.update(Boxes::points(w.x, w.y, radius)), "update");
        frame_ = world_.frame();
    }
    void update_places(const workload::World& w) override { update_points(w, 0); }

protected:
    using FrameOf = decltype(std::declval<const World&>().frame());

    static Box box_of(const workload::Rect& r) { return {r.x0, r.y0, r.x1, r.y1}; }

    World world_;
    FrameOf frame_;
    PairsOf pairs_;

private:
    HitsOf hits_;
    std::vector<AgentId> found_;
    std::size_t written_ = 0;
    std::vector<Box> boxes_;
    std::vector<AgentId> new_ids_;
    std::vector<Cast> casts_;
    std::vector<CastHit> first_hits_;
    std::vector<std::uint8_t> blocked_;
};

}  // namespace throng::bench
