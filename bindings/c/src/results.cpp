#include <cstdint>
#include <span>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/executor.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

template <class Object>
int32_t create(const throng_engine* engine, Object** to, throng_status_details* details) noexcept {
    if (to == nullptr) return report(details, {null_pointer, Argument::output});
    *to = make<Object>(engine == nullptr ? nullptr : engine->host);
    return report(details, *to == nullptr ? Status{Code::out_of_memory} : Status{});
}

template <class Element>
const Element* give(std::span<const Element> elements, uint64_t* count) noexcept {
    if (count != nullptr) *count = elements.size();
    return elements.data();
}

}  // namespace

int32_t throng_hits_create(const throng_engine* engine, throng_hits** hits, throng_status_details* details) {
    return create(engine, hits, details);
}
void throng_hits_destroy(throng_hits* hits) { destroy(hits); }
const uint64_t* throng_hits_offsets(const throng_hits* hits, uint64_t* count) {
    return give(hits == nullptr ? std::span<const uint64_t>() : hits->lists.offsets(), count);
}
const uint32_t* throng_hits_ids(const throng_hits* hits, uint64_t* count) {
    return give(hits == nullptr ? std::span<const uint32_t>() : hits->lists.ids(), count);
}

int32_t throng_pairs_create(const throng_engine* engine, throng_pairs** pairs,
                            throng_status_details* details) {
    return create(engine, pairs, details);
}
void throng_pairs_destroy(throng_pairs* pairs) { destroy(pairs); }
const throng_pair* throng_pairs_get(const throng_pairs* pairs, uint64_t* count) {
    const auto all = pairs == nullptr ? std::span<const Pair>() : pairs->list.pairs();
    return reinterpret_cast<const throng_pair*>(give(all, count));
}
int32_t throng_pairs_sort(throng_pairs* pairs, throng_status_details* details) {
    const Status status = needs(pairs, Argument::output);
    return report(details, status ? pairs->list.sort() : status);
}

int32_t throng_neighbours_create(const throng_engine* engine, throng_neighbours** lists,
                                 throng_status_details* details) {
    return create(engine, lists, details);
}
void throng_neighbours_destroy(throng_neighbours* lists) { destroy(lists); }
const uint64_t* throng_neighbours_offsets(const throng_neighbours* lists, uint64_t* count) {
    return give(lists == nullptr ? std::span<const uint64_t>() : lists->lists.offsets(), count);
}
const uint32_t* throng_neighbours_ids(const throng_neighbours* lists, uint64_t* count) {
    return give(lists == nullptr ? std::span<const uint32_t>() : lists->lists.ids(), count);
}
const float* throng_neighbours_squared_distances(const throng_neighbours* lists, uint64_t* count) {
    return give(lists == nullptr ? std::span<const float>() : lists->lists.squared_distances(), count);
}
const uint32_t* throng_neighbours_agents(const throng_neighbours* lists, uint64_t* count) {
    return give(lists == nullptr ? std::span<const uint32_t>() : lists->lists.agents(), count);
}

int32_t throng_cast_hits_create(const throng_engine* engine, throng_cast_hits** hits,
                                throng_status_details* details) {
    return create(engine, hits, details);
}
void throng_cast_hits_destroy(throng_cast_hits* hits) { destroy(hits); }
const uint64_t* throng_cast_hits_offsets(const throng_cast_hits* hits, uint64_t* count) {
    return give(hits == nullptr ? std::span<const uint64_t>() : hits->lists.offsets(), count);
}
const throng_cast_hit* throng_cast_hits_get(const throng_cast_hits* hits, uint64_t* count) {
    const auto all = hits == nullptr ? std::span<const CastHit>() : hits->lists.hits();
    return reinterpret_cast<const throng_cast_hit*>(give(all, count));
}
