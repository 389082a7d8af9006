// A StaticLayer is what never moves: walls, props, zones. It is built once, packed for searching, and shared
// by every frame of one or more engines.
//
//     const throng::StaticLayer walls(wall_boxes, {.executor = executor});    // a std::vector<throng::Box>
//     status = engine.set_static_layer(walls);
//     status = engine.update(agent_boxes);
//     throng::Frame frame = engine.frame();
//     status = frame.with_static().overlaps(queries, agents_hit, walls_hit);  // both at once
//     const throng::Frame layer = frame.static_layer();
//     status = frame.pairs(list, {.with = &layer});                           // who touches which wall
//     const throng::Count near = walls.frame().count(box);                    // the walls alone
//
// In a world that wraps around, the engine makes a copy of the layer, with the elements folded as agents are.
// `frame.static_layer()` is that copy; the layer itself stays as it is.
//
// Its elements have ids of their own: element `i` of the boxes has id `i`. They may have labels (labels.hpp).
// Without labels they are of the first category, which matters to filters.
//
// Copies share one layer, which lives until the last copy and the last frame with it are gone. A layer never
// changes, so any thread may copy and query it. The constructor never throws: if a box is illegal or memory
// runs out, `status` reports it, and the layer has no elements. A moved-from layer has a bad status too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/frame.hpp"
#include "throng/isa.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng {

struct StaticLayerConfig {
    // Builds the layer, and runs batches over the layer alone. Its context must outlive the layer. The
    // default is the engine's: a host with threads of its own gives its executor here as well.
    Executor executor = default_executor();
    // The source of memory; null is the global heap. It must outlive the layer and all frames that have it.
    // The layer makes one call to it at a time, but an engine with the same resource may call it meanwhile.
    MemoryResource* memory = nullptr;
    Isa isa = Isa::automatic;
};

class THRONG_API StaticLayer {
public:
    // No elements.
    StaticLayer() noexcept = default;
    explicit StaticLayer(const Boxes& boxes, const StaticLayerConfig& config = {}) noexcept
        : StaticLayer(boxes, UpdateOptions(), config) {}
    StaticLayer(const Boxes& boxes, const UpdateOptions& options,
                const StaticLayerConfig& config = {}) noexcept;
    StaticLayer(const StaticLayer&) noexcept = default;
    StaticLayer& operator=(const StaticLayer&) noexcept = default;
    // A moved-from layer has no elements and a bad status, so no engine takes it for an empty one.
    StaticLayer(StaticLayer&& other) noexcept
        : frame_(std::move(other.frame_)),
          config_(other.config_),
          status_(std::exchange(other.status_, Status{Code::moved_from})) {}
    StaticLayer& operator=(StaticLayer&& other) noexcept {
        StaticLayer moved(std::move(other));
        std::swap(frame_, moved.frame_);
        std::swap(config_, moved.config_);
        std::swap(status_, moved.status_);
        return *this;
    }

    // Names the element at fault, as Engine::update does.
    Status status() const noexcept { return status_; }
    std::size_t size() const noexcept { return frame_.size(); }
    // The elements of the layer alone. If the layer failed, queries of the frame return the layer's status.
    Frame frame() const noexcept { return frame_; }

    // The same elements with (dx, dy) subtracted, as Engine::rebase does with agents. If that fails, the
    // result has no elements, and its status says why.
    StaticLayer rebased(float dx, float dy) const noexcept { return made_again(dx, dy, 0, 0); }

private:
    friend class Engine;

    void build(const Boxes& boxes, const UpdateOptions& options, float period_x, float period_y) noexcept;
    StaticLayer made_again(float dx, float dy, float period_x, float period_y) const noexcept;

    Frame frame_;
    StaticLayerConfig config_;
    Status status_;
};

// --- Agents and elements together --------------------------------------------------------------------------

// Queries over both the agents of a frame and the elements of its static layer. Both have ids of their own.
//
//     const throng::WithStatic both = frame.with_static();
//     if (both.blocked(sight, {.self = me}).no()) { ... }      // neither an agent nor a wall in between
//     status = both.overlaps(boxes, agents_hit, walls_hit);
//     status = both.for_each_hit(sight, [&](const throng::CastHit& hit) { ... });    // hit.is_static: a wall
//     status = both.neighbours({.radius = 2, .agents_as = AgentsAs::boxes}, agents, walls);
//     status = both.neighbours(places, {.count = 8}, agents, walls);    // the 8 nearest of either kind
//
// Each call answers like the call of that name of a Frame. Lists, of ids or of neighbours, are two results,
// one for agents and one for elements, and never the same object. Hits of casts and the nearest one have an
// order of both, so they are one result, with `is_static`. Counts are sums. If a call fails, both are empty.
//
// A filter's categories and group also apply to elements. Elements without labels are of the first category,
// so `{.categories = cyclist}` finds none of them: give walls a category of their own, and ask for `cyclist |
// wall`. `self` of a filter is an agent, so it leaves out no element.
class THRONG_API WithStatic : Frame {
public:
    explicit WithStatic(const Frame& frame) noexcept : Frame(frame), elements_(frame.static_layer()) {
        if (elements_.state_ != nullptr) looks_at_ |= LooksAt::layer;
    }

    // Agents and elements together: as the calls of a frame. If an agent and an element are touched at the
    // same time, the agent comes first. All hits at the same time come as agents by id, then elements by id.
    using Frame::all_hits;
    using Frame::any;
    using Frame::blocked;
    using Frame::count;
    using Frame::first_hit;
    using Frame::first_hits;
    using Frame::for_each_hit;

    // A visitor that returns false ends its own half of the search.
    template <BoxOrShape Query = detail::FourNumbers, OverlapVisitor Visitor, OverlapVisitor ElementVisitor>
    Status for_each_overlap(const Query& query, Visitor&& agents, ElementVisitor&& elements,
                            const Filter& filter = no_filter) const {
        const Status status = Frame::for_each_overlap(query, agents, filter);
        return status.ok() ? elements_.for_each_overlap(query, elements, detail::of_elements(filter))
                           : status;
    }
    Status overlaps(const BoxesOrShapes& queries, OverlapLists& agents, OverlapLists& elements,
                    const Filters& filters = {}) const noexcept;
    // Each result has an order of its own.
    Status overlaps(const BoxesOrShapes& queries, OverlapsAsFound& agents, OverlapsAsFound& elements,
                    const Filters& filters = {}) const noexcept;
    // In blocks, each with the agents and the elements of the same queries: see views/visitors.hpp.
    template <AnswerVisitorOfBoth<OverlapLists> Visitor>
    Status for_each_answer(const BoxesOrShapes& queries, OverlapLists& agents, OverlapLists& elements,
                           Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        const auto both = [&](std::size_t first, const OverlapLists& some) {
            return visitor(first, some, elements);
        };
        return visit_answers(queries, agents, limit, filters, detail::any_block_visitor<OverlapLists>(both),
                             {&elements_, &elements});
    }
    template <AnswerVisitor<CastHits> Visitor>
    Status for_each_answer(const Casts& casts, CastHits& block, Visitor&& visitor,
                           const AnswerLimit& limit = {}, const Filters& filters = {}) const {
        return Frame::for_each_answer(casts, block, visitor, limit, filters);
    }

    // The agents and the elements around each agent, or around points: two results with as many lists. With
    // `Nearest`, both lists of a place have at most `count` together; at equal distances agents come first.
    // `half` and `either_reaches` are refused, as for another frame.
    Status neighbours(const Within& wanted, NeighbourLists& agents, NeighbourLists& elements,
                      const Filters& filters = {}) const noexcept {
        return find_lists(wanted, agents, elements, filters);
    }
    Status neighbours(const Nearest& wanted, NeighbourLists& agents, NeighbourLists& elements,
                      const Filters& filters = {}) const noexcept {
        return find_lists(wanted, agents, elements, filters);
    }
    Status neighbours(const Points& points, const Within& wanted, NeighbourLists& agents,
                      NeighbourLists& elements, const Filters& filters = {}) const noexcept {
        return find_lists(points, wanted, agents, elements, filters);
    }
    Status neighbours(const Points& points, const Nearest& wanted, NeighbourLists& agents,
                      NeighbourLists& elements, const Filters& filters = {}) const noexcept {
        return find_lists(points, wanted, agents, elements, filters);
    }
    template <AnswerVisitorOfBoth<NeighbourLists> Visitor>
    Status for_each_answer(const Within& wanted, NeighbourLists& agents, NeighbourLists& elements,
                           Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        return visit_lists<Frame>(*this, wanted, agents, elements, visitor, limit, filters);
    }
    template <AnswerVisitorOfBoth<NeighbourLists> Visitor>
    Status for_each_answer(const Nearest& wanted, NeighbourLists& agents, NeighbourLists& elements,
                           Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        return visit_lists<Frame>(*this, wanted, agents, elements, visitor, limit, filters);
    }
    template <AnswerVisitorOfBoth<NeighbourLists> Visitor>
    Status for_each_answer(const Points& points, const Within& wanted, NeighbourLists& agents,
                           NeighbourLists& elements, Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        return visit_lists(points, wanted, agents, elements, visitor, limit, filters);
    }
    template <AnswerVisitorOfBoth<NeighbourLists> Visitor>
    Status for_each_answer(const Points& points, const Nearest& wanted, NeighbourLists& agents,
                           NeighbourLists& elements, Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        return visit_lists(points, wanted, agents, elements, visitor, limit, filters);
    }
    // A visitor that returns false ends its own half.
    template <VisitorOf<Neighbour> Visitor, VisitorOf<Neighbour> ElementVisitor>
    Status for_each_neighbour(const Point& point, const Within& wanted, Visitor&& agents,
                              ElementVisitor&& elements, const Filter& filter = no_filter) const {
        return visit_neighbours(point, wanted, filter, detail::any_visitor<Neighbour>(agents),
                                detail::any_visitor<Neighbour>(elements));
    }
    template <VisitorOf<Neighbour> Visitor, VisitorOf<Neighbour> ElementVisitor>
    Status for_each_neighbour(const Point& point, const Nearest& wanted, Visitor&& agents,
                              ElementVisitor&& elements, const Filter& filter = no_filter) const {
        return visit_neighbours(point, wanted, filter, detail::any_visitor<Neighbour>(agents),
                                detail::any_visitor<Neighbour>(elements));
    }
    // If an agent and an element are equally far away, the agent.
    NearestNeighbour nearest(const Point& point, const Filter& filter = no_filter) const noexcept;
    // Agents and elements together.
    Status count_neighbours(const Within& wanted, std::span<std::uint32_t> counts,
                            const Filters& filters = {}) const noexcept;
    Status count_neighbours(const Points& points, const Within& wanted, std::span<std::uint32_t> counts,
                            const Filters& filters = {}) const noexcept;

private:
    Status find_lists(const detail::Neighbourhood& wanted, NeighbourLists& agents, NeighbourLists& elements,
                      const Filters& filters) const noexcept;
    Status find_lists(const Points& points, const detail::Neighbourhood& wanted, NeighbourLists& agents,
                      NeighbourLists& elements, const Filters& filters) const noexcept;
    template <class Places, class Visitor>
    Status visit_lists(const Places& places, const detail::Neighbourhood& wanted, NeighbourLists& agents,
                       NeighbourLists& elements, Visitor& visitor, const AnswerLimit& limit,
                       const Filters& filters) const {
        const auto both = [&](std::size_t first, const NeighbourLists& some) {
            return visitor(first, some, elements);
        };
        return visit_answers(places, wanted, agents, limit, filters,
                             detail::any_block_visitor<NeighbourLists>(both), {&elements_, &elements});
    }
    Status visit_neighbours(const Point& point, const detail::Neighbourhood& wanted, const Filter& filter,
                            detail::NeighbourVisitor agents, detail::NeighbourVisitor elements) const;

    // Calls with one result ask the frame itself, which looks at the layer too. Those with two ask both.
    Frame elements_;
};

inline WithStatic Frame::with_static() const noexcept { return WithStatic(*this); }

}  // namespace throng
