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
// wall`. `self` of a filter is an agent, so it leaves out no element. For pairs of agents and elements:
// `const Frame layer = frame.static_layer();` and then `frame.pairs(list, {.with = &layer})`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/export.hpp"
#include "throng/frame.hpp"
#include "throng/labels.hpp"
#include "throng/queries/answer_blocks.hpp"
#include "throng/queries/boxes_or_shapes.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/points.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng {

class THRONG_API WithStatic {
public:
    explicit WithStatic(const Frame& frame) noexcept : agents_(frame), elements_(frame.static_layer()) {
        if (elements_.state_ != nullptr) agents_.looks_at_ |= Frame::LooksAt::layer;
    }

    // A visitor that returns false ends its own half of the search.
    template <BoxOrShape Query = detail::FourNumbers, OverlapVisitor Visitor, OverlapVisitor ElementVisitor>
    Status for_each_overlap(const Query& query, Visitor&& agents, ElementVisitor&& elements,
                            const Filter& filter = no_filter) const {
        const Status status = agents_.for_each_overlap(query, agents, filter);
        return status.ok() ? elements_.for_each_overlap(query, elements, of_elements(filter)) : status;
    }
    Status overlaps(const BoxesOrShapes& queries, OverlapLists& agents, OverlapLists& elements,
                    const Filters& filters = {}) const noexcept;
    // Each result has an order of its own.
    Status overlaps(const BoxesOrShapes& queries, OverlapsAsFound& agents, OverlapsAsFound& elements,
                    const Filters& filters = {}) const noexcept;
    // In blocks, each with the agents and the elements of the same queries: see queries/answer_blocks.hpp.
    template <AnswerVisitorOfBoth<OverlapLists> Visitor>
    Status for_each_answer(const BoxesOrShapes& queries, OverlapLists& agents, OverlapLists& elements,
                           Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        const auto both = [&](std::size_t first, const OverlapLists& some) {
            return visitor(first, some, elements);
        };
        return agents_.visit_answers(queries, agents, limit, filters,
                                     detail::any_block_visitor<OverlapLists>(both), {&elements_, &elements});
    }
    // Agents and elements together.
    template <BoxOrShape Query = detail::FourNumbers>
    Count count(const Query& query, const Filter& filter = no_filter) const noexcept {
        return agents_.count(query, filter);
    }
    Status count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                 const Filters& filters = {}) const noexcept {
        return agents_.count(queries, counts, filters);
    }
    template <BoxOrShape Query = detail::FourNumbers>
    Found any(const Query& query, const Filter& filter = no_filter) const noexcept {
        return agents_.any(query, filter);
    }
    Status any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
               const Filters& filters = {}) const noexcept {
        return agents_.any(queries, answers, filters);
    }

    // If an agent and an element are touched at the same time, the agent comes first. All hits at the same
    // time come as agents by id, then elements by id.
    FirstHit first_hit(const Cast& cast, const Filter& filter = no_filter) const noexcept {
        return agents_.first_hit(cast, filter);
    }
    Status first_hits(const Casts& casts, std::span<CastHit> hits,
                      const Filters& filters = {}) const noexcept {
        return agents_.first_hits(casts, hits, filters);
    }
    Found blocked(const Cast& cast, const Filter& filter = no_filter) const noexcept {
        return agents_.blocked(cast, filter);
    }
    Status blocked(const Casts& casts, std::span<std::uint8_t> answers,
                   const Filters& filters = {}) const noexcept {
        return agents_.blocked(casts, answers, filters);
    }
    template <class Visitor>
        requires(CastVisitor<Visitor> || CastBoxVisitor<Visitor>)
    Status for_each_hit(const Cast& cast, Visitor&& visitor, const Filter& filter = no_filter)
    const { return agents_.for_each_hit(cast, visitor, filter); }
    Filled all_hits(const Cast& cast, std::span<CastHit> out,
                    const Filter& filter = no_filter) const noexcept {
        return agents_.all_hits(cast, out, filter);
    }
    Status all_hits(const Casts& casts, CastHits& hits, const Filters& filters = {}) const noexcept {
        return agents_.all_hits(casts, hits, filters);
    }
    template <AnswerVisitor<CastHits> Visitor>
    Status for_each_answer(const Casts& casts, CastHits& block, Visitor&& visitor,
                           const AnswerLimit& limit = {}, const Filters& filters = {}) const {
        return agents_.for_each_answer(casts, block, visitor, limit, filters);
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
        return visit_lists(agents_, wanted, agents, elements, visitor, limit, filters);
    }
    template <AnswerVisitorOfBoth<NeighbourLists> Visitor>
    Status for_each_answer(const Nearest& wanted, NeighbourLists& agents, NeighbourLists& elements,
                           Visitor&& visitor, const AnswerLimit& limit = {},
                           const Filters& filters = {}) const {
        return visit_lists(agents_, wanted, agents, elements, visitor, limit, filters);
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
        return agents_.visit_answers(places, wanted, agents, limit, filters,
                                     detail::any_block_visitor<NeighbourLists>(both),
                                     {&elements_, &elements});
    }
    Status visit_neighbours(const Point& point, const detail::Neighbourhood& wanted, const Filter& filter,
                            detail::NeighbourVisitor agents, detail::NeighbourVisitor elements) const;
    // Elements have ids of their own, which `self` never matches.
    static constexpr Filter of_elements(Filter filter) noexcept {
        filter.self = no_agent;
        return filter;
    }

    // Calls with one result ask `agents_`, which looks at the layer too. Calls with two results ask both.
    Frame agents_, elements_;
};

inline WithStatic Frame::with_static() const noexcept { return WithStatic(*this); }

}  // namespace throng
