// What a Frame holds, and the functions behind its calls: one for a box, one for shapes. Not for hosts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "throng/containers/buffer.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/answer_blocks.hpp"
#include "throng/queries/boxes_or_shapes.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/frame_parts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/points.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng {

struct Explain;

}  // namespace throng

namespace throng::detail {

struct FrameState;
class Scope;
class PairOutput;
class Writer;
struct CentreFrame;
struct Torus;
class ListRoom;

class THRONG_API FrameCalls {
protected:
    FrameCalls() noexcept = default;
    // `wraps` is false for a look at the state as it lies, without its seams.
    FrameCalls(FrameState* state, const Executor& executor, bool wraps = false) noexcept;
    explicit FrameCalls(Status failure) noexcept : failure_(failure.code, failure.argument) {}
    FrameCalls(const FrameCalls& other) noexcept;
    FrameCalls(FrameCalls&& other) noexcept { swap(other); }
    FrameCalls& operator=(const FrameCalls& other) noexcept { return *this = FrameCalls(other); }
    FrameCalls& operator=(FrameCalls&& other) noexcept {
        FrameCalls moved(std::move(other));
        swap(moved);
        return *this;
    }
    ~FrameCalls();
    const Frame& frame() const noexcept;

    // One query: what the calls of `Frame` do, for a box and for any shape.
    Status visit_overlaps(const Box& box, const Filter& filter, IdVisitor visitor) const;
    Status visit_overlaps(const Shape& shape, const Filter& filter, IdVisitor visitor) const;
    Status visit_boxes(const Shape& shape, const Filter& filter, BoxVisitor visitor) const;
    Filled list_overlaps(const Box& box, std::span<AgentId> out, const Filter& filter) const noexcept;
    Filled list_overlaps(const Shape& shape, std::span<AgentId> out, const Filter& filter) const noexcept;
    Count count_overlaps(const Box& box, const Filter& filter) const noexcept;
    Count count_overlaps(const Shape& shape, const Filter& filter) const noexcept;
    Found find_overlap(const Box& box, const Filter& filter) const noexcept;
    Found find_overlap(const Shape& shape, const Filter& filter) const noexcept;
    Status visit_agents(BoxVisitor visitor) const;
    Status visit_parts(PartVisitor visitor) const;

    // `room` limits how many answers there may be; null: no limit.
    Status find_all(const BoxesOrShapes& queries, OverlapLists& hits, const Filters& filters,
                    std::uint32_t* order, ListRoom* room = nullptr) const noexcept;
    Status visit_answers(const BoxesOrShapes& queries, OverlapLists& block, const AnswerLimit& limit,
                         const Filters& filters, AnyBlockVisitor<OverlapLists> visitor,
                         const OtherHalf<OverlapLists>& elements = {}) const;
    Status find_lists(const Frame& others, const Neighbourhood& wanted, NeighbourLists& lists,
                      const Filters& filters) const noexcept;
    Status find_lists(const Points& points, const Neighbourhood& wanted, NeighbourLists& lists,
                      const Filters& filters) const noexcept;
    Status visit_answers(const Frame& others, const Neighbourhood& wanted, NeighbourLists& block,
                         const AnswerLimit& limit, const Filters& filters,
                         AnyBlockVisitor<NeighbourLists> visitor,
                         const OtherHalf<NeighbourLists>& elements = {}) const;
    Status visit_answers(const Points& points, const Neighbourhood& wanted, NeighbourLists& block,
                         const AnswerLimit& limit, const Filters& filters,
                         AnyBlockVisitor<NeighbourLists> visitor,
                         const OtherHalf<NeighbourLists>& elements = {}) const;
    Status count_neighbours_in(const Frame& others, const Neighbourhood& wanted,
                               std::span<std::uint32_t> counts, const Filters& filters) const noexcept;
    Filled list_neighbours(const Point& point, const Neighbourhood& wanted, std::span<Neighbour> out,
                           const Filter& filter) const noexcept;
    Status visit_neighbours(const Point& point, const Neighbourhood& wanted, const Filter& filter,
                            NeighbourVisitor visitor) const;

    Status visit_hits(const Cast& cast, const Filter& filter, AnyVisitor<CastHit> visitor) const;
    Status visit_hits(const Cast& cast, const Filter& filter, AnyBoxVisitor<CastHit> visitor) const;
    // Of legal casts.
    Status find_some_hits(const Casts& casts, CastHits& hits, const Filters& filters,
                          ListRoom* room) const noexcept;
    Status visit_answers(const Casts& casts, CastHits& block, const AnswerLimit& limit,
                         const Filters& filters, AnyBlockVisitor<CastHits> visitor) const;

    Status find_pairs(const PairQuery& wanted, PairOutput& output) const noexcept;
    Status visit_pairs(const PairQuery& wanted, PairVisitor visitor) const noexcept;

    // --- In a world that wraps around (engine/src/torus): what the calls above do then ---

    // Null if the world does not wrap around.
    const Torus* torus() const noexcept;
    // The same frame without seams.
    Frame unrolled() const noexcept;
    // Whether both are of one world: they wrap around alike, or one is empty.
    bool wraps_like(const Frame& other) const noexcept;
    // Pairs across the seams.
    Status add_pairs_across(const PairQuery& wanted, PairOutput& output) const noexcept;

    void swap(FrameCalls& other) noexcept {
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
    friend class Scope;

    FrameState* state_ = nullptr;
    Executor executor_;
    Status failure_;
    std::uint8_t looks_at_ = LooksAt::nothing;
    bool wraps_ = false;
};

}  // namespace throng::detail
