// BruteForce: the Engine's twin for tests, fuzzing, benchmarks and examples. It takes the same calls and
// gives the same answers, in the plainest code there is: it looks at every agent for every query, and at
// every two agents for the pairs. It shares nothing with the engine but the types of the calls.
//
//     throng::oracle::BruteForce world;                      throng::Engine world;
//     world.update(boxes);                                   world.update(boxes);
//     throng::oracle::OverlapLists hits;                         throng::OverlapLists hits;
//     world.frame().overlaps(queries, hits);               world.frame().overlaps(queries, hits);
//
// Every answer is sorted by id, and of a pair `a` is the lower id. The engine answers in its own order, so
// sort before comparing. What describes the engine's structure (tuning, explain, validate, memory,
// fingerprint) has no twin.
//
// Costs: a query O(n), pairs O(n^2), an edit O(n), a commit O(n). Memory is the global heap, and running out
// of it throws, as in any plain program. One thread at a time may write; any number of threads may read
// frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "oracle/around.hpp"
#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/pairs.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng::oracle {

// Reads as throng::OverlapLists does.
class OverlapLists {
public:
    std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
    std::span<const AgentId> operator[](std::size_t query) const {
        return std::span(ids_).subspan(static_cast<std::size_t>(offsets_[query]),
                                       static_cast<std::size_t>(offsets_[query + 1] - offsets_[query]));
    }
    std::span<const std::uint64_t> offsets() const { return offsets_; }
    std::span<const AgentId> ids() const { return ids_; }
    void clear() {
        offsets_.clear();
        ids_.clear();
    }

private:
    friend class BruteForceFrame;
    std::vector<std::uint64_t> offsets_;
    std::vector<AgentId> ids_;
};

// Reads as throng::PairList does.
class PairLists {
public:
    std::size_t size() const { return pairs_.size(); }
    bool empty() const { return pairs_.empty(); }
    const Pair& operator[](std::size_t i) const { return pairs_[i]; }
    auto begin() const { return pairs_.begin(); }
    auto end() const { return pairs_.end(); }
    std::span<const Pair> pairs() const { return pairs_; }
    void clear() { pairs_.clear(); }

private:
    friend class BruteForceFrame;
    std::vector<Pair> pairs_;
};

// By the definition of PairQuery::within, without labels.
bool are_within(const Box& a, const Box& b, double distance);
bool are_close(const Box& a, const Box& b, const PairQuery& wanted);
// Whether they are close as they lie, or one of them is close to an image of the other.
bool are_close_around(const Box& a, const Box& b, const PairQuery& wanted, const Around& around);
// Of two frames: whether `a`, or an image of it, is close to `b`.
bool are_close_to_image(const Box& a, const Box& b, const PairQuery& wanted, const Around& around);

// The twin of throng::Frame.
class BruteForceFrame {
public:
    BruteForceFrame() = default;

    std::size_t size() const { return agents_ ? agents_->size() : 0; }
    std::uint64_t number() const { return number_; }
    // There is no parallel work for an executor.
    template <class Executor>
    BruteForceFrame on(const Executor&) const {
        return *this;
    }

    Status status() const { return {}; }
    // One query or a batch, of boxes or of shapes.
    template <BoxOrShape Query = throng::detail::FourNumbers, AgentVisitor Visitor>
    Status for_each_overlap(const Query& query, Visitor&& visitor, const Filter& filter = {}) const {
        std::vector<AgentId> ids;
        const Status status = find(throng::detail::box_or_shape(query), filter, ids);
        if (!ids.empty()) static_cast<void>(detail::visit<AgentId>(visitor, ids.data(), ids.size()));
        return status;
    }
    template <BoxOrShape Query = throng::detail::FourNumbers>
    Filled overlaps(const Query& query, std::span<AgentId> out, const Filter& filter = {}) const {
        return find_what_fits(throng::detail::box_or_shape(query), out, filter);
    }
    template <BoxOrShape Query = throng::detail::FourNumbers>
    Count count(const Query& query, const Filter& filter = {}) const {
        const Filled all = overlaps(query, std::span<AgentId>(), filter);
        return {all.status, all.total};
    }
    template <BoxOrShape Query = throng::detail::FourNumbers>
    Found any(const Query& query, const Filter& filter = {}) const {
        const Count all = count(query, filter);
        return {all.status, all.total != 0};
    }
    Status overlaps(const BoxesOrShapes& queries, OverlapLists& hits, const Filters& filters = {}) const;
    Filled overlaps(const BoxesOrShapes& queries, std::span<std::uint64_t> offsets, std::span<AgentId> ids,
                    const Filters& filters = {}) const;
    Status count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                 const Filters& filters = {}) const;
    Status any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
               const Filters& filters = {}) const;

    // Casts are in casts.cpp.
    FirstHit first_hit(const Cast& cast, const Filter& filter = {}) const;
    Status first_hits(const Casts& casts, std::span<CastHit> hits, const Filters& filters = {}) const;
    Found blocked(const Cast& cast, const Filter& filter = {}) const;
    Status blocked(const Casts& casts, std::span<std::uint8_t> answers, const Filters& filters = {}) const;
    Filled all_hits(const Cast& cast, std::span<CastHit> out, const Filter& filter = {}) const;
    Status all_hits(const Casts& casts, std::vector<std::vector<CastHit>>& hits,
                    const Filters& filters = {}) const;
    template <CastVisitor Visitor>
    Status for_each_hit(const Cast& cast, Visitor&& visitor, const Filter& filter = {}) const {
        std::vector<CastHit> hits;
        const Status status = find(cast, filter, hits);
        if (!hits.empty()) static_cast<void>(detail::visit<CastHit>(visitor, hits.data(), hits.size()));
        return status;
    }

    Status pairs(PairLists& list, const PairQuery& wanted = {}) const;
    Filled pairs(std::span<Pair> out, const PairQuery& wanted = {}) const;
    Count count_pairs(const PairQuery& wanted = {}) const;
    // All in one call, on this thread.
    template <VisitorOfSpans<Pair> Visitor>
    Status for_each_pair_concurrently(Visitor&& visitor, const PairQuery& wanted = {}) const {
        PairLists list;
        const Status status = pairs(list, wanted);
        if (!list.empty()) static_cast<void>(detail::visit<Pair>(visitor, &list.pairs()[0], list.size()));
        return status;
    }

    // The ids of the agents there are, ascending, and their boxes in the same order.
    std::vector<AgentId> ids() const;
    std::vector<Box> boxes() const;
    std::vector<Label> labels() const;
    std::vector<Band> heights() const;
    // Which of them are ghosts, in the same order; and whether one agent is.
    std::vector<bool> ghosts() const;
    bool is_ghost(AgentId id) const;
    // The same ids, as many as fit.
    Filled row_order(std::span<AgentId> ids) const;
    // How far it is around the world; zero where it does not wrap around.
    const Around& around() const { return around_; }
    // Empty if there was none when this frame was published.
    BruteForceFrame static_layer() const { return layer_ ? *layer_ : BruteForceFrame(); }

private:
    friend class BruteForce;
    struct Agent {
        Box box;
        AgentId id;
        Label label;
        Band height;
        bool is_ghost;
    };

    // For boxes and for shapes.
    template <class Query>
    Status find(const Query& query, const Filter& filter, std::vector<AgentId>& ids) const;
    template <class Query>
    Filled find_what_fits(const Query& query, std::span<AgentId> out, const Filter& filter) const;
    template <class Answer>
    Status answer_all(const BoxesOrShapes& queries, std::span<Answer> answers, const Filters& filters) const;
    Status find(const Cast& cast, const Filter& filter, std::vector<CastHit>& hits) const;

    std::shared_ptr<const std::vector<Agent>> agents_;
    std::shared_ptr<const BruteForceFrame> layer_;
    std::uint64_t number_ = 0;
    Around around_;
};

// The twin of throng::Engine.
class BruteForce {
public:
    BruteForce() = default;
    // Of a world that wraps around. Boxes are folded as they come in.
    explicit BruteForce(const Around& around) { frame_.around_ = around; }

    Status status() const { return {}; }

    Status update(const Boxes& boxes, const UpdateOptions& options = {});
    Status update(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options = {});
    Status renumber(std::span<const AgentId> order);
    Status rebase(float dx, float dy);

    Status insert(const Box& box, AgentId& id, const Label& label = {}, const Band& height = {});
    Status insert(const Boxes& boxes, std::span<AgentId> ids, const UpdateOptions& options = {});
    Status relabel(AgentId id, const Label& label);
    Status relabel(std::span<const AgentId> ids, const Labels& labels);
    Status move(AgentId id, const Box& box);
    Status move(AgentId id, const Box& box, const Band& height);
    Status move(std::span<const AgentId> ids, const Boxes& boxes, const Heights& heights = {});
    Status remove(AgentId id);
    Status remove(std::span<const AgentId> ids);
    Status commit();
    void discard();
    void set_static_layer(const BruteForceFrame& elements);
    void clear_static_layer();
    // How many agents have an edit that waits.
    std::size_t staged() const { return edited_.size(); }

    BruteForceFrame frame() const { return frame_; }
    std::size_t size() const { return frame_.size(); }

    // Whether the id belongs to an agent, with staged edits: whether `move` and `remove` would accept it.
    bool knows(AgentId id) const { return id < next_.size() && next_[id].used; }

private:
    struct Slot {
        Box box;
        bool used = false;
        Label label = {};
        Band height = {};
        bool is_ghost = false;
    };

    // What `update` looks at before the boxes.
    Status check_update(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options) const;
    Box folded(const Box& box) const { return oracle::folded(box, frame_.around()); }
    // By the elements whose boxes and heights are legal.
    void replace_all(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options);
    void publish();
    void note_edit(AgentId id);

    std::vector<Slot> next_;                        // the world with everything staged
    std::vector<Slot> published_;                   // the world as the newest frame has it
    std::vector<AgentId> edited_;                   // since then, each once
    std::shared_ptr<const BruteForceFrame> layer_;  // of the next frame
    BruteForceFrame frame_;
};

// What is wrong with a box as an agent or as a query: ok, not_finite or inverted.
Code check(const Box& box);
Code check(const Band& band);
Code check(const Cast& cast);

// When a cast touches an agent, by the definitions in throng/queries/casts.hpp; infinite if it does not.
float time_of_touch(const Cast& cast, const Box& box, const Band& band = {});

// All hits of the agents of one frame and the elements of another, the earliest first, as of
// throng::WithStatic.
Status all_hits_of_both(const BruteForceFrame& agents, const BruteForceFrame& elements, const Casts& casts,
                        std::vector<std::vector<CastHit>>& hits, const Filters& filters = {});

}  // namespace throng::oracle
