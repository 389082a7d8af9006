// A Frame is an immutable snapshot of the world, and cheap to copy. Any number of threads may query any frame
// at any time, without a lock, even while the engine writes the next one. A frame lives until its last copy
// is destroyed, even if its engine is destroyed first. Frames share rows: an old frame costs only the memory
// of the rows that have changed since.
//
//     status = frame.for_each_overlap(box, [&](throng::AgentId id) { ... });  // one, answered as it is found
//     status = frame.overlaps(boxes, hits);                                  // many, answered in their order
//     status = frame.pairs(list);                                              // every overlapping pair once
//     status = frame.overlaps(boxes, hits, throng::Filter{.categories = player});
//
// A call takes a box, another shape (queries/shapes.hpp) or many of them, then an output or a visitor, then
// an optional filter (labels.hpp). Only agents that pass the filter are found, in the same order.
//
// The order of answers depends only on the history of the engine's input, never on the executor, the threads
// or the instruction set. Agents come row by row, in a row by cell, in a cell by id. Agents of an island come
// after the agents around it, and oversized agents last.
//
// Batches and pairs run on the executor of the engine, or on the one given with `on`; single queries run on
// the calling thread. An exception from a visitor passes through if the visitor runs on the calling thread;
// on other threads it becomes `visitor_threw`.
//
// Floating point: a frame may be queried under any rounding mode; which boxes overlap is the same. Distances
// and times are rounded; see queries/neighbours.hpp and queries/casts.hpp. If the calling thread flushes
// subnormal numbers to zero, edges below 1.2e-38 count as zero, and so touch. If only the writer did, each
// such edge of an agent counts as it is or as zero. Only `validate` must round and flush as the writer did.
// Boxes given as centres and half extents become corners on the calling thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/pairs.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/reports.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng {

namespace detail {
struct FrameState;
class Scope;
class PairOutput;
class Writer;
struct ShapeFrame;
struct Torus;
class ListRoom;
}  // namespace detail

class WithStatic;

class THRONG_API Frame {
public:
    // An empty frame: it has no agents, and every query finds nothing. A moved-from frame is empty too.
    Frame() noexcept = default;
    Frame(const Frame& other) noexcept;
    Frame(Frame&& other) noexcept { swap(other); }
    Frame& operator=(Frame other) noexcept {
        swap(other);
        return *this;
    }
    ~Frame();

    // Bad if the engine was, or if `on` got workers without a callback. Then every query returns it.
    Status status() const noexcept { return failure_; }
    std::size_t size() const noexcept;
    // One more than the largest id of this frame and of the frames before it, back to the last update: how
    // many lists there are by id.
    std::size_t id_bound() const noexcept;
    // The number of this frame among those the engine published, from 1; 0 for an empty frame.
    std::uint64_t number() const noexcept;
    // The same frame with its parallel work on another executor, such as the serial one inside a host's job.
    Frame on(const Executor& executor) const noexcept;

    // The box, the label and the height of an agent in this frame; `no_box` and the default ones if the id is
    // not in use. The first call for a frame makes a table of all agents, and other threads wait for it: 20
    // bytes for each id, or 40 with labels or heights, freed with the frame. Making it costs at most an
    // update; later calls take one or two reads. Without memory for it each call searches the frame.
    Box box(AgentId id) const noexcept;
    Label label(AgentId id) const noexcept;
    Band height(AgentId id) const noexcept;
    // Whether the id is in use, by the same table.
    bool contains(AgentId id) const noexcept { return box(id) != no_box; }
    // Whether it is a ghost (labels.hpp), in a read or two; false for an unused id.
    bool is_ghost(AgentId id) const noexcept;
    std::size_t ghost_count() const noexcept;
    // All agents with their boxes, in the order of answers: `[](AgentId id, const Box& box) { ... }`.
    template <AgentBoxVisitor Visitor>
    Status for_each_agent(Visitor&& visitor) const {
        return visit_agents(detail::any_box_visitor<AgentId>(visitor));
    }

    // The ids of all agents in the order of answers, each once, as many as fit. Costs a small part of an
    // update. A host with its own arrays in this order has agents that are near each other in the world near
    // each other in memory; see Engine::renumber.
    Filled row_order(std::span<AgentId> ids) const noexcept;

    // --- Which agents overlap this box, or this shape? (queries/shapes.hpp) -----------------------

    // One query is a Box, any shape, or four floats in braces (the default template argument), and takes a
    // Filter. A batch is a view of boxes or shapes, and takes Filters; one for all is `Filter{.self = me}`.

    // One query on this thread; the visitor is called during the search. A visitor of spans gets whole runs
    // of agents, and is the fastest; see visitors.hpp.
    template <BoxOrShape Query = detail::FourNumbers, AgentVisitor Visitor>
    Status for_each_overlap(const Query& query, Visitor&& visitor, const Filter& filter = no_filter) const {
        return visit_overlaps(detail::box_or_shape(query), filter, detail::any_visitor<AgentId>(visitor));
    }
    // The same with a visitor of an id and the agent's box: `[](AgentId id, const Box& box) { ... }`.
    template <BoxOrShape Query = detail::FourNumbers, AgentBoxVisitor Visitor>
    Status for_each_overlap(const Query& query, Visitor&& visitor, const Filter& filter = no_filter) const {
        return visit_boxes(detail::box_or_shape(query), filter, detail::any_box_visitor<AgentId>(visitor));
    }
    // Into the host's memory: as many as fit; returns how many there were. See adapters/vector.hpp.
    template <BoxOrShape Query = detail::FourNumbers>
    Filled overlaps(const Query& query, std::span<AgentId> out,
                    const Filter& filter = no_filter) const noexcept {
        return list_overlaps(detail::box_or_shape(query), out, filter);
    }
    // A batch in any order; answers come in the caller's order. On failure the hits are empty, and the status
    // names the offending query. Filters are one for all, or one for each query.
    Status overlaps(const BoxesOrShapes& queries, OverlapLists& hits,
                    const Filters& filters = {}) const noexcept {
        return find_all(queries, hits, filters, nullptr);
    }
    // The same in the order in which answers are found, which is the fastest: see OverlapsAsFound.
    Status overlaps(const BoxesOrShapes& queries, OverlapsAsFound& hits,
                    const Filters& filters = {}) const noexcept;
    // Into the host's memory. `offsets` has one element more than there are queries and is always filled;
    // `ids` gets the first answers, as many as fit, counted in `written`.
    Filled overlaps(const BoxesOrShapes& queries, std::span<std::uint64_t> offsets, std::span<AgentId> ids,
                    const Filters& filters = {}) const noexcept;

    // A batch whose answers come in blocks of a bounded size; see views/visitors.hpp. If any query is
    // illegal, no block comes. If memory runs out, some blocks have come before.
    template <AnswerVisitor Visitor>
    Status for_each_answer(const BoxesOrShapes& queries, OverlapLists& block, Visitor&& visitor,
                           const AnswerLimit& limit = {}, const Filters& filters = {}) const {
        return visit_answers(queries, block, limit, filters,
                             detail::any_block_visitor<OverlapLists>(visitor));
    }

    // How many agents overlap it, or each query of a batch. Counts beyond the batch stay as they are. The
    // cost grows with the border of a box, not with its area.
    template <BoxOrShape Query = detail::FourNumbers>
    Count count(const Query& query, const Filter& filter = no_filter) const noexcept {
        return count_overlaps(detail::box_or_shape(query), filter);
    }
    Status count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                 const Filters& filters = {}) const noexcept;

    // Whether any agent does. A batch writes one byte, 1 or 0, for every query.
    template <BoxOrShape Query = detail::FourNumbers>
    Found any(const Query& query, const Filter& filter = no_filter) const noexcept {
        return find_overlap(detail::box_or_shape(query), filter);
    }
    Status any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
               const Filters& filters = {}) const noexcept;

    // --- Which agents overlap each other? ------------------------------------------------------------------

    // Every overlapping pair once. `{.within = 2}` also finds pairs up to 2 apart, and `{.with = &other}`
    // pairs of an agent of this frame and one of another, such as agents and walls; see
    // queries/pairs.hpp. `list.sort()` orders pairs by id. On failure the list is empty. PairChanges tells
    // which pairs began and ended.
    Status pairs(PairList& list, const PairQuery& wanted = {}) const noexcept;
    Filled pairs(std::span<Pair> out, const PairQuery& wanted = {}) const noexcept;
    Count count_pairs(const PairQuery& wanted = {}) const noexcept;
    // In blocks, as they are found. The visitor is called concurrently on the executor's threads, in no
    // particular order; its pairs are valid during the call. It must not call what runs on the same executor,
    // such as a batch or `pairs`; single queries are fine. If it returns false, a few more calls may come.
    template <VisitorOfSpans<Pair> Visitor>
    Status for_each_pair_concurrently(Visitor&& visitor, const PairQuery& wanted = {}) const noexcept {
        return visit_pairs(wanted, detail::any_visitor<Pair>(visitor));
    }

    // --- What does this ray touch, or this box or circle that moves? (queries/casts.hpp) -------------------

    // The first agent that the cast touches, and when.
    FirstHit first_hit(const Cast& cast, const Filter& filter = no_filter) const noexcept;
    // A batch, in any order: a range of Cast, or a view of the host's arrays (queries/casts.hpp). On
    // failure there are no hits, and the status names the offending cast.
    Status first_hits(const Casts& casts, std::span<CastHit> hits,
                      const Filters& filters = {}) const noexcept;
    // Whether any agent is in the way. A batch writes one byte, 1 or 0, for each cast.
    Found blocked(const Cast& cast, const Filter& filter = no_filter) const noexcept;
    Status blocked(const Casts& casts, std::span<std::uint8_t> answers,
                   const Filters& filters = {}) const noexcept;
    // All agents that the cast touches, the earliest first, with their boxes if the visitor takes them. The
    // visitor is called after all are found, until it returns false.
    template <CastVisitor Visitor>
    Status for_each_hit(const Cast& cast, Visitor&& visitor, const Filter& filter = no_filter) const {
        return visit_hits(cast, filter, detail::any_visitor<CastHit>(visitor));
    }
    template <CastBoxVisitor Visitor>
    Status for_each_hit(const Cast& cast, Visitor&& visitor, const Filter& filter = no_filter) const {
        return visit_hits(cast, filter, detail::any_box_visitor<CastHit>(visitor));
    }
    // Into the host's memory: the earliest ones, as many as fit.
    Filled all_hits(const Cast& cast, std::span<CastHit> out,
                    const Filter& filter = no_filter) const noexcept;
    Status all_hits(const Casts& casts, CastHits& hits, const Filters& filters = {}) const noexcept;
    // The same in blocks of a bounded size; see views/visitors.hpp.
    template <AnswerVisitor<CastHits> Visitor>
    Status for_each_answer(const Casts& casts, CastHits& block, Visitor&& visitor,
                           const AnswerLimit& limit = {}, const Filters& filters = {}) const {
        return visit_answers(casts, block, limit, filters, detail::any_block_visitor<CastHits>(visitor));
    }

    // --- Which agents are within a radius, or the nearest? (queries/neighbours.hpp) ------------------------

    // Each call takes `Within` or `Nearest`. For all agents at once: list i is that of the agent with id i,
    // without that agent. There is one filter for all, or one for each id. If agents have heights, each finds
    // those that share a height with it. Kept lists: queries/neighbours.hpp.
    Status neighbours(const Within& wanted, NeighbourLists& lists,
                      const Filters& filters = {}) const noexcept {
        return find_lists(*this, wanted, lists, filters);
    }
    Status neighbours(const Nearest& wanted, NeighbourLists& lists,
                      const Filters& filters = {}) const noexcept {
        return find_lists(*this, wanted, lists, filters);
    }
    // For each agent of this frame those of another, such as the walls near each agent with `static_layer()`.
    // With the frame itself it is `neighbours`: each agent is left out of its own list.
    Status neighbours_in(const Frame& others, const Within& wanted, NeighbourLists& lists,
                         const Filters& filters = {}) const noexcept {
        return find_lists(others, wanted, lists, filters);
    }
    Status neighbours_in(const Frame& others, const Nearest& wanted, NeighbourLists& lists,
                         const Filters& filters = {}) const noexcept {
        return find_lists(others, wanted, lists, filters);
    }
    // Around the caller's points, in their order.
    Status neighbours(const Points& points, const Within& wanted, NeighbourLists& lists,
                      const Filters& filters = {}) const noexcept {
        return find_lists(points, wanted, lists, filters);
    }
    Status neighbours(const Points& points, const Nearest& wanted, NeighbourLists& lists,
                      const Filters& filters = {}) const noexcept {
        return find_lists(points, wanted, lists, filters);
    }
    // Lists in blocks of a bounded size, by id or point, or with `in_row_order`; see views/visitors.hpp. With
    // another frame, the lists are the same that `neighbours_in` makes.
    template <AnswerVisitor<NeighbourLists> Visitor>
    Status for_each_answer(const Within& wanted, NeighbourLists& block, Visitor&& visitor,
                           const AnswerLimit& limit = {}, const Filters& filters = {}) const {
        return for_each_answer(*this, wanted, block, visitor, limit, filters);
    }
    template <AnswerVisitor<NeighbourLists> Visitor>
    Status for_each_answer(const Nearest& wanted, NeighbourLists& block, Visitor&& visitor,
                           const AnswerLimit& limit = {}, const Filters& filters = {}) const {
        return for_each_answer(*this, wanted, block, visitor, limit, filters);
    }
    template <FrameOrPoints Places, AnswerVisitor<NeighbourLists> Visitor>
    Status for_each_answer(const Places& places, const Within& wanted, NeighbourLists& block,
                           Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        return visit_answers(places, wanted, block, limit, filters,
                             detail::any_block_visitor<NeighbourLists>(visitor));
    }
    template <FrameOrPoints Places, AnswerVisitor<NeighbourLists> Visitor>
    Status for_each_answer(const Places& places, const Nearest& wanted, NeighbourLists& block,
                           Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        return visit_answers(places, wanted, block, limit, filters,
                             detail::any_block_visitor<NeighbourLists>(visitor));
    }
    // Around one point, on this thread, with squared distances: into the host's memory, or to a visitor of
    // `Neighbour` or of spans of them.
    Filled neighbours(const Point& point, const Within& wanted, std::span<Neighbour> out,
                      const Filter& filter = no_filter) const noexcept;
    Filled neighbours(const Point& point, const Nearest& wanted, std::span<Neighbour> out,
                      const Filter& filter = no_filter) const noexcept;
    template <VisitorOf<Neighbour> Visitor>
    Status for_each_neighbour(const Point& point, const Within& wanted, Visitor&& visitor,
                              const Filter& filter = no_filter) const {
        return visit_neighbours(point, wanted, filter, detail::any_visitor<Neighbour>(visitor));
    }
    template <VisitorOf<Neighbour> Visitor>
    Status for_each_neighbour(const Point& point, const Nearest& wanted, Visitor&& visitor,
                              const Filter& filter = no_filter) const {
        return visit_neighbours(point, wanted, filter, detail::any_visitor<Neighbour>(visitor));
    }
    // The agent whose centre is nearest to a point.
    NearestNeighbour nearest(const Point& point, const Filter& filter = no_filter) const noexcept;
    // How many are within a radius. For agents the count is counts[id]: at least `id_bound` counts.
    Status count_neighbours(const Within& wanted, std::span<std::uint32_t> counts,
                            const Filters& filters = {}) const noexcept;
    Status count_neighbours(const Points& points, const Within& wanted, std::span<std::uint32_t> counts,
                            const Filters& filters = {}) const noexcept;

    // --- Together with what never moves (static_layer.hpp) -------------------------------------------------

    // The engine's static layer when this frame was published, on the same executor; empty if none.
    Frame static_layer() const noexcept;
    // Agents and elements of the layer in one query: see static_layer.hpp, which engine.hpp includes.
    WithStatic with_static() const noexcept;

    // --- About the frame -----------------------------------------------------------------------------------

    // What a query would examine; a batch is summed up.
    template <BoxOrShape Query = detail::FourNumbers>
    Explain explain(const Query& query, const Filter& filter = no_filter) const noexcept {
        const auto one = detail::box_or_shape(query);
        return explain(std::span(&one, 1), filter);
    }
    Explain explain(const BoxesOrShapes& queries, const Filters& filters = {}) const noexcept;
    Tuning tuning() const noexcept;
    // Rows, islands and nodes of the tree, for a picture of them; see reports.hpp.
    template <VisitorOf<FramePart> Visitor>
    Status for_each_part(Visitor&& visitor) const {
        return visit_parts(detail::any_visitor<FramePart>(visitor));
    }
    // Checks every row, cell and agent. For tests and bug reports: it reads everything, on this thread.
    Validation validate() const noexcept;
    // A hash of content, labels, heights and ghosts, without the static layer. The same history gives the
    // same hash on every machine.
    std::uint64_t fingerprint() const noexcept;
    // A hash of ids, boxes, labels, heights and ghosts, in any order. Frames with the same agents have the
    // same hash, however they were made.
    std::uint64_t agents_fingerprint() const noexcept;

private:
    friend class Engine;
    friend class KeptNeighbours;
    friend class PairChanges;
    friend class StaticLayer;
    friend class WithStatic;
    friend class detail::Scope;
    friend class detail::Writer;
    friend struct detail::ShapeFrame;
    // `wraps` is false for a look at the state as it lies, without its seams.
    Frame(detail::FrameState* state, const Executor& executor, bool wraps = false) noexcept;
    explicit Frame(Status failure) noexcept : failure_(failure.code, failure.argument) {}

    // --- Behind the calls above ----------------------------------------------------------------------------

    // One query: what the calls above do, for a box and for any shape.
    Status visit_overlaps(const Box& box, const Filter& filter, detail::IdVisitor visitor) const;
    Status visit_overlaps(const Shape& shape, const Filter& filter, detail::IdVisitor visitor) const;
    Status visit_boxes(const Shape& shape, const Filter& filter, detail::BoxVisitor visitor) const;
    Filled list_overlaps(const Box& box, std::span<AgentId> out, const Filter& filter) const noexcept;
    Filled list_overlaps(const Shape& shape, std::span<AgentId> out, const Filter& filter) const noexcept;
    Count count_overlaps(const Box& box, const Filter& filter) const noexcept;
    Count count_overlaps(const Shape& shape, const Filter& filter) const noexcept;
    Found find_overlap(const Box& box, const Filter& filter) const noexcept;
    Found find_overlap(const Shape& shape, const Filter& filter) const noexcept;
    Status visit_agents(detail::BoxVisitor visitor) const;
    Status visit_parts(detail::AnyVisitor<FramePart> visitor) const;

    // `room` limits how many answers there may be; null: no limit.
    Status find_all(const BoxesOrShapes& queries, OverlapLists& hits, const Filters& filters,
                    std::uint32_t* order, detail::ListRoom* room = nullptr) const noexcept;
    Status visit_answers(const BoxesOrShapes& queries, OverlapLists& block, const AnswerLimit& limit,
                         const Filters& filters, detail::AnyBlockVisitor<OverlapLists> visitor,
                         const detail::OtherHalf<OverlapLists>& elements = {}) const;
    Status find_lists(const Frame& others, const detail::Neighbourhood& wanted, NeighbourLists& lists,
                      const Filters& filters) const noexcept;
    Status find_lists(const Points& points, const detail::Neighbourhood& wanted, NeighbourLists& lists,
                      const Filters& filters) const noexcept;
    Status visit_answers(const Frame& others, const detail::Neighbourhood& wanted, NeighbourLists& block,
                         const AnswerLimit& limit, const Filters& filters,
                         detail::AnyBlockVisitor<NeighbourLists> visitor,
                         const detail::OtherHalf<NeighbourLists>& elements = {}) const;
    Status visit_answers(const Points& points, const detail::Neighbourhood& wanted, NeighbourLists& block,
                         const AnswerLimit& limit, const Filters& filters,
                         detail::AnyBlockVisitor<NeighbourLists> visitor,
                         const detail::OtherHalf<NeighbourLists>& elements = {}) const;
    Status count_neighbours_in(const Frame& others, const detail::Neighbourhood& wanted,
                               std::span<std::uint32_t> counts, const Filters& filters) const noexcept;
    Filled list_neighbours(const Point& point, const detail::Neighbourhood& wanted, std::span<Neighbour> out,
                           const Filter& filter) const noexcept;
    Status visit_neighbours(const Point& point, const detail::Neighbourhood& wanted, const Filter& filter,
                            detail::NeighbourVisitor visitor) const;

    Status visit_hits(const Cast& cast, const Filter& filter, detail::AnyVisitor<CastHit> visitor) const;
    Status visit_hits(const Cast& cast, const Filter& filter, detail::AnyBoxVisitor<CastHit> visitor) const;
    // Of legal casts.
    Status find_some_hits(const Casts& casts, CastHits& hits, const Filters& filters,
                          detail::ListRoom* room) const noexcept;
    Status visit_answers(const Casts& casts, CastHits& block, const AnswerLimit& limit,
                         const Filters& filters, detail::AnyBlockVisitor<CastHits> visitor) const;

    Status find_pairs(const PairQuery& wanted, detail::PairOutput& output) const noexcept;
    Status visit_pairs(const PairQuery& wanted, detail::PairVisitor visitor) const noexcept;

    // --- In a world that wraps around (engine/src/torus): what those calls do then ---

    // Null if the world does not wrap around.
    const detail::Torus* torus() const noexcept;
    // The same frame without seams.
    Frame unrolled() const noexcept;
    // Whether both are of one world: they wrap around alike, or one is empty.
    bool wraps_like(const Frame& other) const noexcept;
    // Pairs across the seams.
    Status add_pairs_across(const PairQuery& wanted, detail::PairOutput& output) const noexcept;

    void swap(Frame& other) noexcept {
        std::swap(state_, other.state_);
        std::swap(executor_, other.executor_);
        std::swap(failure_, other.failure_);
        std::swap(looks_at_, other.looks_at_);
        std::swap(wraps_, other.wraps_);
    }

    // What a call looks at besides the agents, as bits. Mostly there is nothing: calls test the byte first.
    struct LooksAt {
        static constexpr std::uint8_t layer = 1, seams = 2, nothing = 4;
    };

    detail::FrameState* state_ = nullptr;
    Executor executor_;
    Status failure_;
    std::uint8_t looks_at_ = LooksAt::nothing;
    bool wraps_ = false;
};

}  // namespace throng
