// Batches of boxes and shapes in a world that wraps around.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/grown_lists.hpp"
#include "engine/src/torus/image_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

Frame FrameCalls::unrolled() const noexcept {
    if (state_ == nullptr) return frame();
    share(state_);
    return {state_, executor_};
}

bool FrameCalls::wraps_like(const Frame& other) const noexcept {
    if (!wraps_ && !other.wraps_) return true;
    if (state_ == nullptr || other.state_ == nullptr) return true;
    return wraps_ == other.wraps_ && state_->torus.period == other.state_->torus.period;
}

Status FrameCalls::check_batch(const BoxesOrShapes& queries) const noexcept {
    return wraps_ ? queries.visit([&](const auto& all) { return check_around(all, state_->torus); })
                  : check(queries);
}

namespace {

// What images found, as answers that are added: image i is of the query owners[i].
bool take_hits(const OverlapLists& hits, std::span<const std::uint32_t> owners, const std::uint32_t* list_of,
               Buffer<AddedAnswer>& added) noexcept {
    if (!resize_amply(added, hits.ids().size())) return false;
    std::size_t at = 0;
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
        const std::uint32_t list = list_of == nullptr ? owners[i] : list_of[owners[i]];
        if (at != 0 && added[at - 1].list != list) number = 0;
        for (const AgentId id : hits[i]) added[at++] = {list, number++, id, 0};
    }
    return true;
}

}  // namespace

Status FrameCalls::find_all_around(const BoxesOrShapes& queries, OverlapLists& hits, const Filters& filters,
                                   std::uint32_t* order) const noexcept {
    hits.clear();
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Status bad = check_filters(filters, queries.size()); !bad.ok()) return bad;
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    ImageBatch batch(state_->torus, *space);
    if (const Status bad = batch.open(queries); !bad.ok()) return bad;
    const Frame flat = unrolled();
    Status status = flat.find_all(batch.queries(), hits, filters, order);
    if (!status.ok() || !batch.has_images()) return status;
    Filters their_filters;
    if (!filters_for(filters, batch.owners(), space->filters, their_filters)) status = {Code::out_of_memory};
    if (status.ok()) status = flat.overlaps(batch.images(), space->hits, their_filters);
    const std::uint32_t* list_of = nullptr;
    if (status.ok() && order != nullptr) {
        if (resize_amply(space->places, queries.size()))
            for (std::size_t k = 0; k < queries.size(); ++k)
                space->places[order[k]] = static_cast<std::uint32_t>(k);
        else
            status = {Code::out_of_memory};
        list_of = space->places.data();
    }
    if (status.ok() && (!take_hits(space->hits, batch.owners(), list_of, space->added) ||
                        !add_to_lists({hits.offsets_, hits.answers_, nullptr, 0, batch.repeats()}, *space)))
        status = {Code::out_of_memory};
    if (!status.ok()) hits.clear();
    return status;
}

Filled FrameCalls::fill_around(const BoxesOrShapes& queries, std::span<std::uint64_t> offsets,
                               std::span<AgentId> ids, const Filters& filters) const noexcept {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {.status = {Code::out_of_memory}};
    OverlapLists& all = space->hits;
    if (const Status bad = find_all_around(queries, all, filters, nullptr); !bad.ok()) return {.status = bad};
    std::copy(all.offsets().begin(), all.offsets().end(), offsets.begin());
    const std::size_t total = all.ids().size(), written = std::min(total, ids.size());
    std::copy_n(all.ids().begin(), written, ids.begin());
    return {.status = {}, .total = total, .written = written};
}

// --- Counts, and whether there is any ----------------------------------------------------------------------

namespace {

void add_answer(std::uint32_t& to, std::uint32_t more) noexcept { to += more; }
void add_answer(std::uint8_t& to, std::uint8_t more) noexcept { to |= more; }

Status answer(const Frame& frame, const BoxesOrShapes& queries, std::span<std::uint32_t> answers,
              const Filters& filters) noexcept {
    return frame.count(queries, answers, filters);
}
Status answer(const Frame& frame, const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
              const Filters& filters) noexcept {
    return frame.any(queries, answers, filters);
}

// Counts once more those queries of which two images may have found the same agents, one by one.
Status count_again(const Frame& frame, const BoxesOrShapes& queries, std::span<const std::uint32_t> owners,
                   std::span<std::uint32_t> counts, const Filters& filters) noexcept {
    return queries.visit([&](const auto& all) -> Status {
        for (std::size_t i = 0; i < owners.size(); ++i) {
            if (i != 0 && owners[i] == owners[i - 1]) continue;
            const Count count = frame.count(all[owners[i]], filters[owners[i]]);
            if (!count.status.ok()) return {count.status.code};
            counts[owners[i]] = static_cast<std::uint32_t>(count.total);
        }
        return {};
    });
}
Status count_again(const Frame&, const BoxesOrShapes&, std::span<const std::uint32_t>,
                   std::span<std::uint8_t>, const Filters&) noexcept {
    return {};
}

template <class Answer>
Status answer_all_around(const Frame& frame, const Frame& flat, const FrameState& state,
                         const BoxesOrShapes& queries, std::span<Answer> answers, const Filters& filters,
                         Buffer<Answer> TorusSpace::*of_images) noexcept {
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Status bad = check_filters(filters, queries.size()); !bad.ok()) return bad;
    const Lease<TorusSpace> space(state.store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    ImageBatch batch(state.torus, *space);
    if (const Status bad = batch.open(queries); !bad.ok()) return bad;
    const Status status = answer(flat, batch.queries(), answers, filters);
    if (!status.ok() || !batch.has_images()) return status;
    Filters their_filters;
    Buffer<Answer>& more = *space.*of_images;
    const std::span<const std::uint32_t> owners = batch.owners();
    if (!filters_for(filters, owners, space->filters, their_filters) || !resize_amply(more, owners.size()))
        return {Code::out_of_memory};
    // As they are folded: boxes of doubles lose digits where they are rounded first.
    if (batch.repeats() && sizeof(Answer) != 1)
        return count_again(frame, batch.queries(), owners, answers, filters);
    const Status bad = answer(flat, batch.images(), {more.data(), more.size()}, their_filters);
    if (!bad.ok()) return bad;
    for (std::size_t i = 0; i < owners.size(); ++i) add_answer(answers[owners[i]], more[i]);
    return {};
}

}  // namespace

Status FrameCalls::answer_around(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                                 const Filters& filters) const noexcept {
    return answer_all_around(frame(), unrolled(), *state_, queries, counts, filters, &TorusSpace::counts);
}
Status FrameCalls::answer_around(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
                                 const Filters& filters) const noexcept {
    return answer_all_around(frame(), unrolled(), *state_, queries, answers, filters, &TorusSpace::found);
}

// --- What they cost ----------------------------------------------------------------------------------------

Explain FrameCalls::explain_around(const BoxesOrShapes& queries, const Filters& filters) const noexcept {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {.status = {Code::out_of_memory}};
    ImageBatch batch(state_->torus, *space);
    if (const Status bad = batch.open(queries); !bad.ok()) return {.status = bad};
    const Frame flat = unrolled();
    Explain cost = flat.explain(batch.queries(), filters);
    if (batch.has_images()) {
        Filters their_filters;
        if (!filters_for(filters, batch.owners(), space->filters, their_filters))
            return {.status = {Code::out_of_memory}};
        const Explain more = flat.explain(batch.images(), their_filters);
        for (std::uint64_t Explain::*of :
             {&Explain::rows, &Explain::cells, &Explain::tested, &Explain::covered, &Explain::islands,
              &Explain::nodes, &Explain::oversized})
            cost.*of += more.*of;
    }
    cost.hits = 0;
    batch.queries().visit([&](const auto& all) {
        for (std::size_t i = 0; i < all.size(); ++i) cost.hits += frame().count(all[i], filters[i]).total;
    });
    return cost;
}

// --- In blocks ---------------------------------------------------------------------------------------------

// Counts first, and makes the lists of as many queries as fit.
Status FrameCalls::find_block_around(const BoxesOrShapes& queries, const Filters& filters,
                                     OverlapLists& block, std::size_t room,
                                     std::uint64_t& found) const noexcept {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space || !resize_amply(space->counts, queries.size())) return {Code::out_of_memory};
    const std::span<std::uint32_t> counts(space->counts.data(), queries.size());
    if (const Status bad = answer_around(queries, counts, filters); !bad.ok()) return bad;
    found = 0;
    std::size_t fitting = 0;
    for (const std::uint32_t count : counts) {
        found += count;
        fitting += found <= room;
    }
    fitting = std::max<std::size_t>(fitting, 1);
    return find_all_around(queries.part(0, fitting), block, filters.part(0, fitting), nullptr);
}

}  // namespace throng
