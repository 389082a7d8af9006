// Casts against agents and elements: the elements are searched with what the agents found, and replace it only
// by what is touched earlier.

#include "engine/src/casts/cast_check.hpp"
#include "throng/frame.hpp"

namespace throng {

namespace {

// `self` is an agent.
Filter for_elements(Filter filter) noexcept {
    filter.self = no_agent;
    return filter;
}

}  // namespace

FirstHit WithStatic::first_hit(const Cast& cast, const Filter& filter) const noexcept {
    FirstHit first = agents_.first_hit(cast, filter);
    if (!first.status.ok()) return first;
    const FirstHit element = elements_.first_hit(cast, for_elements(filter));
    if (!element.status.ok()) return element;
    if (element.hit.t < first.hit.t) {
        first.hit = element.hit;
        first.hit.is_static = 1;
    }
    return first;
}

Found WithStatic::blocked(const Cast& cast, const Filter& filter) const noexcept {
    const Found found = agents_.blocked(cast, filter);
    return !found.status.ok() || found.found ? found : elements_.blocked(cast, for_elements(filter));
}

Status WithStatic::first_hits(std::span<const Cast> casts, std::span<CastHit> hits,
                              const Filters& filters) const noexcept {
    const Status status = agents_.find_first(casts, hits, filters, false);
    return status.ok() ? elements_.find_first(casts, hits, filters, true) : status;
}

Status WithStatic::blocked(std::span<const Cast> casts, std::span<std::uint8_t> answers,
                           const Filters& filters) const noexcept {
    const Status status = agents_.find_any(casts, answers, filters, false);
    return status.ok() ? elements_.find_any(casts, answers, filters, true) : status;
}

}  // namespace throng
