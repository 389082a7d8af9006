// Queries over both the agents of a frame and the elements of its static layer, each with their own ids.
//
//     const throng::WithStatic both = frame.with_static();
//     if (both.blocked(sight, {.self = me}).no()) { ... }      // neither an agent nor a wall in between
//     status = both.overlaps(boxes, agents_hit, walls_hit);
//     status = both.for_each_hit(sight, [&](const throng::CastHit& hit) { ... });    // hit.is_static: a wall
//
// `self` of a filter is an agent, so it leaves out no element. For pairs of the two:
// `frame.pairs_with(frame.static_layer(), list)`; for the elements near each agent:
// `frame.neighbours_in(frame.static_layer(), wanted, lists)`.
#pragma once

#include <cstdint>
#include <span>

#include "throng/export.hpp"
#include "throng/frame.hpp"
#include "throng/labels.hpp"
#include "throng/queries/boxes_or_shapes.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/casts.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/visitors.hpp"

namespace throng {

class THRONG_API WithStatic {
public:
    explicit WithStatic(const Frame& frame) noexcept : agents_(frame), elements_(frame.static_layer()) {}

    // A visitor that returns false ends its own half of the search.
    template <BoxOrShape Query = detail::FourNumbers, OverlapVisitor Visitor, OverlapVisitor ElementVisitor>
    Status for_each_overlap(const Query& query, Visitor&& agents, ElementVisitor&& elements,
                            const Filter& filter = {}) const {
        const Status status = agents_.for_each_overlap(query, agents, filter);
        return status.ok() ? elements_.for_each_overlap(query, elements, of_elements(filter)) : status;
    }
    Status overlaps(const BoxesOrShapes& queries, Hits& agents, Hits& elements,
                    const Filters& filters = {}) const noexcept;
    // Agents and elements together.
    template <BoxOrShape Query = detail::FourNumbers>
    Count count(const Query& query, const Filter& filter = {}) const noexcept {
        Count count = agents_.count(query, filter);
        if (count.status.ok()) count.total += elements_.count(query, of_elements(filter)).total;
        return count;
    }
    Status count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                 const Filters& filters = {}) const noexcept;
    template <BoxOrShape Query = detail::FourNumbers>
    Found any(const Query& query, const Filter& filter = {}) const noexcept {
        const Found found = agents_.any(query, filter);
        return !found.status.ok() || found.found ? found : elements_.any(query, of_elements(filter));
    }
    Status any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
               const Filters& filters = {}) const noexcept;

    // Of an agent and an element that are touched at the same time, the agent comes first; so it does among
    // all hits, where agents that are touched at the same time come by id, and then elements by theirs.
    FirstHit first_hit(const Cast& cast, const Filter& filter = {}) const noexcept;
    Status first_hits(const Casts& casts, std::span<CastHit> hits,
                      const Filters& filters = {}) const noexcept;
    Found blocked(const Cast& cast, const Filter& filter = {}) const noexcept;
    Status blocked(const Casts& casts, std::span<std::uint8_t> answers,
                   const Filters& filters = {}) const noexcept;
    template <CastVisitor Visitor>
    Status for_each_hit(const Cast& cast, Visitor&& visitor, const Filter& filter = {}) const {
        return agents_.visit_hits(cast, filter, &elements_, detail::any_visitor<CastHit>(visitor));
    }
    Filled all_hits(const Cast& cast, std::span<CastHit> out, const Filter& filter = {}) const noexcept;
    Status all_hits(const Casts& casts, CastHits& hits, const Filters& filters = {}) const noexcept;

private:
    // Elements have ids of their own, which `self` never matches.
    static constexpr Filter of_elements(Filter filter) noexcept {
        filter.self = no_agent;
        return filter;
    }

    Frame agents_, elements_;
};

inline WithStatic Frame::with_static() const noexcept { return WithStatic(*this); }

}  // namespace throng
