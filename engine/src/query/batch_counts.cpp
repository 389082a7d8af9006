// Batches of queries that count: checks, and the choice between packets and the caller's order. Batches with
// ids as answers are in batch_hits.hpp.

#include <algorithm>
#include <atomic>
#include <limits>

#include "engine/src/base/box_check.hpp"
#include "engine/src/frame/store.hpp"
#include "engine/src/query/batch_hits.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/packets.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Answers of a fixed size, which are written to the place of their query: packet(records, count) writes by
// query number, in_order(queries, first, count) in order.
template <class InOrder, class InPackets>
Status ask(const FrameState& frame, const Executor& executor, const Boxes& boxes, const FilterBatch& filters,
           InOrder&& in_order, InPackets&& in_packets) noexcept {
    const Lease<BatchSpace> space(frame.store->batch_spaces);
    QueryBatch batch;
    if (!space || !batch.open(boxes, *space)) return {Code::out_of_memory};
    // All queries are checked first, so nothing is written if one is illegal.
    std::atomic<bool> legal{true};
    const std::size_t checks = parallel::blocks_for(executor, batch.size(), 8192);
    const bool checked = parallel::for_blocks(executor, checks, [&](std::size_t b) {
        const parallel::Range part = parallel::range_of(batch.size(), checks, b);
        if (frame.kernels->count_legal(batch.data() + part.begin, part.size()) < part.size())
            legal.store(false, std::memory_order_relaxed);
    });
    if (!checked) return {Code::bad_executor};
    if (!legal.load(std::memory_order_relaxed)) return check(boxes);

    if (filters.are_selective(frame, batch) || batch.is_coherent(frame)) {
        const std::size_t blocks = parallel::blocks_for(executor, batch.size(), 64);
        const bool ran = parallel::for_blocks(executor, blocks, [&](std::size_t b) {
            const parallel::Range part = parallel::range_of(batch.size(), blocks, b);
            in_order(batch.data() + part.begin, part.begin, part.size());
        });
        return ran ? Status{} : Status{Code::bad_executor};
    }
    constexpr std::size_t max_sorted = 1 << 20;
    std::atomic<bool> out_of_memory{false};
    for (std::size_t first = 0; first < batch.size(); first += max_sorted) {
        Packets packets(frame, executor, *space);
        const Status sorted = packets.sort(batch.data() + first, std::min(max_sorted, batch.size() - first));
        if (!sorted.ok()) return sorted;
        const bool ready = frame.store->answer_spaces.prepare(
            parallel::at_once(executor, packets.blocks()),
            [&](AnswerSpace& answers) { return packets.make_ready(answers); });
        if (!ready) return {Code::out_of_memory};
        const bool ran = parallel::for_blocks(executor, packets.blocks(), [&](std::size_t b) {
            if (out_of_memory.load(std::memory_order_relaxed)) return;
            const Lease<AnswerSpace> answers(frame.store->answer_spaces);
            const bool enough = answers && packets.for_each_row(b, *answers, [&](auto records, auto count) {
                in_packets(records, count, first);
            });
            if (!enough) out_of_memory.store(true, std::memory_order_relaxed);
        });
        if (!ran) return {Code::bad_executor};
        if (out_of_memory.load(std::memory_order_relaxed)) return {Code::out_of_memory};
    }
    return {};
}

// Unless there is one filter for all, there must be one for each query.
Status check(const Boxes& boxes, const Filters& filters) noexcept {
    if (filters.one_for_all()) return {};
    if (filters.size() != boxes.size()) return {Code::size_mismatch};
    return {filters.size() != 0 && filters.data() == nullptr ? Code::null_view : Code::ok};
}

// The status of a batch on a frame without agents.
Status check_of_none(const Frame& frame, const Boxes& boxes) noexcept {
    return frame.status().ok() ? detail::check(boxes) : frame.status();
}

}  // namespace

Status Frame::overlaps(const Boxes& boxes, Hits& hits, const Filters& filters) const noexcept {
    hits.clear();
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad};
    if (const Status bad = check(boxes, filters); !bad.ok()) return bad;
    Status status;
    if (!reserve_amply(hits.offsets_, boxes.size() + 1) || !hits.offsets_.resize(boxes.size() + 1)) {
        status = {Code::out_of_memory};
    } else if (state_ == nullptr) {
        std::fill(hits.offsets_.begin(), hits.offsets_.end(), 0u);
        status = check_of_none(*this, boxes);
    } else {
        HitResult result{hits.offsets_.data(), &hits.ids_, {}};
        status = HitBatch(*state_, executor_, {*state_, filters}, result).run(boxes);
        if (status.ok() && !hits.ids_.resize(static_cast<std::size_t>(result.found)))
            status = {Code::out_of_memory};
    }
    if (!status.ok()) hits.clear();
    return status;
}

Filled Frame::overlaps(const Boxes& boxes, std::span<std::uint64_t> offsets, std::span<AgentId> ids,
                       const Filters& filters) const noexcept {
    if (const Code bad = boxes.fault(); bad != Code::ok) return {.status = {bad}};
    if (offsets.data() == nullptr || (ids.data() == nullptr && !ids.empty()))
        return {.status = {Code::null_view}};
    if (offsets.size() != boxes.size() + 1) return {.status = {Code::size_mismatch}};
    if (const Status bad = check(boxes, filters); !bad.ok()) return {.status = bad};
    if (state_ == nullptr) {
        std::fill(offsets.begin(), offsets.end(), std::uint64_t{0});
        return {.status = check_of_none(*this, boxes)};
    }
    HitResult result{offsets.data(), nullptr, ids};
    const Status status = HitBatch(*state_, executor_, {*state_, filters}, result).run(boxes);
    if (!status.ok()) return {.status = status};
    return {
        .status = {}, .total = result.found, .written = std::min<std::uint64_t>(result.found, ids.size())};
}

Status Frame::count(const Boxes& boxes, std::span<std::uint32_t> counts,
                    const Filters& filters) const noexcept {
    if (boxes.size() != counts.size()) return {Code::size_mismatch};
    if (const Status bad = check(boxes, filters); !bad.ok()) return bad;
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad};
    if (counts.data() == nullptr && !counts.empty()) return {Code::null_view};
    if (state_ == nullptr) {
        std::fill(counts.begin(), counts.end(), 0u);
        return check_of_none(*this, boxes);
    }
    const simd::Kernels& kernels = *state_->kernels;
    const simd::View& view = state_->view;
    const FilterBatch own(*state_, filters);
    return ask(
        *state_, executor_, boxes, own,
        [&](const simd::Query* queries, std::size_t first, std::size_t count) {
            kernels.count_in_order(view, own.from(first), queries, count, counts.data() + first);
        },
        [&](const simd::Record* records, std::size_t count, std::size_t first) {
            kernels.count_packet(view, own.from(first), records, count, counts.data() + first);
        });
}

Status Frame::any(const Boxes& boxes, std::span<std::uint8_t> answers,
                  const Filters& filters) const noexcept {
    if (boxes.size() != answers.size()) return {Code::size_mismatch};
    if (const Status bad = check(boxes, filters); !bad.ok()) return bad;
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad};
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view};
    if (state_ == nullptr) {
        std::fill(answers.begin(), answers.end(), std::uint8_t{0});
        return check_of_none(*this, boxes);
    }
    const simd::Kernels& kernels = *state_->kernels;
    const simd::View& view = state_->view;
    const FilterBatch own(*state_, filters);
    return ask(
        *state_, executor_, boxes, own,
        [&](const simd::Query* queries, std::size_t first, std::size_t count) {
            kernels.any_in_order(view, own.from(first), queries, count, answers.data() + first);
        },
        [&](const simd::Record* records, std::size_t count, std::size_t first) {
            kernels.any_packet(view, own.from(first), records, count, answers.data() + first);
        });
}

}  // namespace throng
