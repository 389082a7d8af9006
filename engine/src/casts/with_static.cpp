// Casts against agents and elements: for the first hit the elements are searched with what the agents found, and replace
// it only by what is touched earlier; all hits of both are sorted together (all_hits.cpp).

#include "throng/queries/with_static.hpp"
#include "engine/src/casts/cast_check.hpp"

namespace throng {

FirstHit WithStatic::first_hit(const Cast& cast, const Filter& filter) const noexcept {
    FirstHit first = agents_.first_hit(cast, filter);
    if (!first.status.ok()) return first;
    const FirstHit element = elements_.first_hit(cast, of_elements(filter));
    if (!element.status.ok()) return element;
    if (element.hit.fraction < first.hit.fraction) {
        first.hit = element.hit;
        first.hit.is_static = 1;
    }
    return first;
}

Found WithStatic::blocked(const Cast& cast, const Filter& filter) const noexcept {
    const Found found = agents_.blocked(cast, filter);
    return !found.status.ok() || found.found ? found : elements_.blocked(cast, of_elements(filter));
}

Status WithStatic::first_hits(const Casts& casts, std::span<CastHit> hits,
                              const Filters& filters) const noexcept {
    const Status status = agents_.cast_all(casts, hits, filters, false);
    return status.ok() ? elements_.cast_all(casts, hits, filters, true) : status;
}

Status WithStatic::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                           const Filters& filters) const noexcept {
    const Status status = agents_.cast_all(casts, answers, filters, false);
    return status.ok() ? elements_.cast_all(casts, answers, filters, true) : status;
}

Filled WithStatic::all_hits(const Cast& cast, std::span<CastHit> out, const Filter& filter) const noexcept {
    return agents_.find_hits(cast, out, filter, &elements_);
}

Status WithStatic::all_hits(const Casts& casts, CastHits& hits, const Filters& filters) const noexcept {
    return agents_.find_hits(casts, hits, filters, &elements_);
}

}  // namespace throng
