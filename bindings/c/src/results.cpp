#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "bindings/c/src/cancelling.hpp"
#include "bindings/c/src/host.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
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

// The next block begins there. What was learnt from earlier answers holds for a block that follows them, and
// not for a new beginning.
template <class Object>
int32_t set_block(Object* object, uint64_t first, uint64_t max_bytes,
                  throng_status_details* details) noexcept {
    if (object == nullptr) return report(details, {null_pointer, Argument::output});
    throng::c_api::Block& block = object->block;
    block.is_wanted = true;
    block.max_bytes = as_size(std::min<uint64_t>(max_bytes, std::numeric_limits<std::size_t>::max()));
    block.place = {as_size(std::min<uint64_t>(first, std::numeric_limits<std::size_t>::max())),
                   first == 0 ? 0 : block.place.queries};
    return report(details, {});
}

template <class Object, class Answers>
Status sort(Object* object, Answers Object::*answers) noexcept {
    if (const Status status = needs(object, Argument::output); !status) return status;
    return (object->*answers)
        .sort(object->host == nullptr ? cancellable(serial_executor()) : object->host->executor());
}

const throng_pair* give_pairs(std::span<const Pair> pairs, uint64_t* count) noexcept {
    return reinterpret_cast<const throng_pair*>(give(pairs, count));
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
int32_t throng_hits_sort(throng_hits* hits, throng_status_details* details) {
    return report(details, sort(hits, &throng_hits::lists));
}

int32_t throng_pairs_create(const throng_engine* engine, throng_pairs** pairs,
                            throng_status_details* details) {
    return create(engine, pairs, details);
}
void throng_pairs_destroy(throng_pairs* pairs) { destroy(pairs); }
const throng_pair* throng_pairs_get(const throng_pairs* pairs, uint64_t* count) {
    return give_pairs(pairs == nullptr ? std::span<const Pair>() : pairs->list.pairs(), count);
}
int32_t throng_pairs_sort(throng_pairs* pairs, throng_status_details* details) {
    return report(details, sort(pairs, &throng_pairs::list));
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
int32_t throng_neighbours_sort(throng_neighbours* lists, throng_status_details* details) {
    return report(details, sort(lists, &throng_neighbours::lists));
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

int32_t throng_hits_as_found_create(const throng_engine* engine, throng_hits_as_found** hits,
                                    throng_status_details* details) {
    return create(engine, hits, details);
}
void throng_hits_as_found_destroy(throng_hits_as_found* hits) { destroy(hits); }
const uint32_t* throng_hits_as_found_queries(const throng_hits_as_found* hits, uint64_t* count) {
    return give(hits == nullptr ? std::span<const uint32_t>() : hits->lists.queries(), count);
}
const uint64_t* throng_hits_as_found_offsets(const throng_hits_as_found* hits, uint64_t* count) {
    return give(hits == nullptr ? std::span<const uint64_t>() : hits->lists.offsets(), count);
}
const uint32_t* throng_hits_as_found_ids(const throng_hits_as_found* hits, uint64_t* count) {
    return give(hits == nullptr ? std::span<const uint32_t>() : hits->lists.ids(), count);
}
int32_t throng_hits_as_found_sort(throng_hits_as_found* hits, throng_status_details* details) {
    return report(details, sort(hits, &throng_hits_as_found::lists));
}

int32_t throng_pair_changes_create(const throng_engine* engine, throng_pair_changes** changes,
                                   throng_status_details* details) {
    return create(engine, changes, details);
}
void throng_pair_changes_destroy(throng_pair_changes* changes) { destroy(changes); }
void throng_pair_changes_clear(throng_pair_changes* changes) {
    if (changes != nullptr) changes->changes.clear();
}
const throng_pair* throng_pair_changes_began(const throng_pair_changes* changes, uint64_t* count) {
    return give_pairs(changes == nullptr ? std::span<const Pair>() : changes->changes.began(), count);
}
const throng_pair* throng_pair_changes_ended(const throng_pair_changes* changes, uint64_t* count) {
    return give_pairs(changes == nullptr ? std::span<const Pair>() : changes->changes.ended(), count);
}
const throng_pair* throng_pair_changes_pairs(const throng_pair_changes* changes, uint64_t* count) {
    return give_pairs(changes == nullptr ? std::span<const Pair>() : changes->changes.pairs(), count);
}

int32_t throng_kept_neighbours_create(const throng_engine* engine, const throng_kept_neighbourhood* wanted,
                                      throng_kept_neighbours** kept, throng_status_details* details) {
    if (kept == nullptr) return report(details, {null_pointer, Argument::output});
    *kept = nullptr;
    throng_kept_neighbourhood own;
    if (const Status status = read(wanted, own, Argument::options, false); !status)
        return report(details, status);
    const KeptNeighbourhood lists{.radius = own.radius, .skin = own.skin, .half = own.half != 0};
    *kept = make<throng_kept_neighbours>(engine == nullptr ? nullptr : engine->host, lists);
    return report(details, *kept == nullptr ? Status{Code::out_of_memory} : Status{});
}
void throng_kept_neighbours_destroy(throng_kept_neighbours* kept) { destroy(kept); }
void throng_kept_neighbours_clear(throng_kept_neighbours* kept) {
    if (kept != nullptr) kept->kept.clear();
}
const uint64_t* throng_kept_neighbours_offsets(const throng_kept_neighbours* kept, uint64_t* count) {
    return give(kept == nullptr ? std::span<const uint64_t>() : kept->kept.lists().offsets(), count);
}
const uint32_t* throng_kept_neighbours_ids(const throng_kept_neighbours* kept, uint64_t* count) {
    return give(kept == nullptr ? std::span<const uint32_t>() : kept->kept.lists().ids(), count);
}
uint64_t throng_kept_neighbours_times_rebuilt(const throng_kept_neighbours* kept) {
    return kept == nullptr ? 0 : kept->kept.times_rebuilt();
}
int32_t throng_kept_neighbours_was_rebuilt(const throng_kept_neighbours* kept) {
    return kept != nullptr && kept->kept.was_rebuilt() ? 1 : 0;
}

uint64_t throng_hits_bytes(const throng_hits* hits) { return hits == nullptr ? 0 : hits->lists.bytes(); }
uint64_t throng_pairs_bytes(const throng_pairs* pairs) { return pairs == nullptr ? 0 : pairs->list.bytes(); }
uint64_t throng_neighbours_bytes(const throng_neighbours* lists) {
    return lists == nullptr ? 0 : lists->lists.bytes();
}
uint64_t throng_cast_hits_bytes(const throng_cast_hits* hits) {
    return hits == nullptr ? 0 : hits->lists.bytes();
}
uint64_t throng_hits_as_found_bytes(const throng_hits_as_found* hits) {
    return hits == nullptr ? 0 : hits->lists.bytes();
}

int32_t throng_memory_create(const throng_engine* engine, uint64_t bytes, throng_memory** memory,
                             throng_status_details* details) {
    if (const int32_t code = create(engine, memory, details); code != THRONG_OK) return code;
    if (bytes <= std::numeric_limits<std::size_t>::max() && (*memory)->bytes.resize_exactly(as_size(bytes)))
        return THRONG_OK;
    destroy(*memory);
    *memory = nullptr;
    return report(details, Code::out_of_memory);
}
void throng_memory_destroy(throng_memory* memory) { destroy(memory); }
void* throng_memory_get(throng_memory* memory, uint64_t* bytes) {
    if (bytes != nullptr) *bytes = memory == nullptr ? 0 : memory->bytes.size();
    return memory == nullptr ? nullptr : memory->bytes.data();
}

int32_t throng_hits_block(throng_hits* hits, uint64_t first, uint64_t max_bytes,
                          throng_status_details* details) {
    return set_block(hits, first, max_bytes, details);
}
int32_t throng_neighbours_block(throng_neighbours* lists, uint64_t first, uint64_t max_bytes,
                                throng_status_details* details) {
    return set_block(lists, first, max_bytes, details);
}
int32_t throng_cast_hits_block(throng_cast_hits* hits, uint64_t first, uint64_t max_bytes,
                               throng_status_details* details) {
    return set_block(hits, first, max_bytes, details);
}
