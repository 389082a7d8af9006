// The batches of a frame: checks; and for those that count, or look for any agent, the choice between packets
// and the caller's order. Those with ids as answers go on in batch_hits.hpp.

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

// The kernels that write answers of a fixed size to the places of their queries.
template <class Answer>
struct AnswerKernels {
    void (*simd::Kernels::*in_order)(const simd::View&, const simd::LabelFilters&, const simd::Query*,
                                     std::size_t, Answer*);
    void (*simd::Kernels::*packet)(const simd::View&, const simd::LabelFilters&, const simd::Record*,
                                   std::size_t, Answer*);
};

template <class Answer>
class AnswerBatch {
public:
    AnswerBatch(const FrameState& frame, const Executor& executor, const FilterBatch& filters,
                const AnswerKernels<Answer>& kernels, Answer* answers) noexcept
        : frame_(frame),
          executor_(executor),
          filters_(filters),
          kernels_(kernels),
          answers_(answers),
          space_(frame.store->batch_spaces) {}

    Status run(const Boxes& boxes) noexcept {
        if (!space_ || !batch_.open(boxes, *space_)) return {Code::out_of_memory};
        // All queries are checked first, so nothing is written if one is illegal.
        bool legal = true;
        if (!check_all(legal)) return {Code::bad_executor};
        if (!legal) return check(boxes);
        if (filters_.are_selective(frame_, batch_) || batch_.is_coherent(frame_)) return search_in_order();
        constexpr std::size_t max_sorted = 1 << 20;
        for (std::size_t first = 0; first < batch_.size(); first += max_sorted) {
            const std::size_t count = std::min(max_sorted, batch_.size() - first);
            if (const Status status = search_in_packets(first, count); !status.ok()) return status;
        }
        return {};
    }

private:
    // Returns false if the executor is bad.
    bool check_all(bool& legal) noexcept {
        std::atomic<bool> all_legal{true};
        const std::size_t blocks = parallel::blocks_for(executor_, batch_.size(), 8192);
        const bool ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
            const parallel::Range part = parallel::range_of(batch_.size(), blocks, b);
            if (frame_.kernels->count_legal(batch_.data() + part.begin, part.size()) < part.size())
                all_legal.store(false, std::memory_order_relaxed);
        });
        legal = all_legal.load(std::memory_order_relaxed);
        return ran;
    }
    Status search_in_order() noexcept {
        const std::size_t blocks = parallel::blocks_for(executor_, batch_.size(), 64);
        const bool ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
            const parallel::Range part = parallel::range_of(batch_.size(), blocks, b);
            (frame_.kernels->*kernels_.in_order)(frame_.view, filters_.from(part.begin),
                                                 batch_.data() + part.begin, part.size(),
                                                 answers_ + part.begin);
        });
        return ran ? Status{} : Status{Code::bad_executor};
    }
    Status search_in_packets(std::size_t first, std::size_t count) noexcept {
        Packets packets(frame_, executor_, *space_);
        if (const Status sorted = packets.sort(batch_.data() + first, count); !sorted.ok()) return sorted;
        const bool ready =
            frame_.store->answer_spaces.prepare(parallel::at_once(executor_, packets.blocks()),
                                                [&](AnswerSpace& each) { return packets.make_ready(each); });
        if (!ready) return {Code::out_of_memory};
        const simd::LabelFilters filters = filters_.from(first);
        std::atomic<bool> out_of_memory{false};
        const bool ran = parallel::for_blocks(executor_, packets.blocks(), [&](std::size_t b) {
            if (out_of_memory.load(std::memory_order_relaxed)) return;
            const Lease<AnswerSpace> space(frame_.store->answer_spaces);
            const bool enough = space && packets.for_each_row(b, *space, [&](auto records, auto in_row) {
                (frame_.kernels->*kernels_.packet)(frame_.view, filters, records, in_row, answers_ + first);
            });
            if (!enough) out_of_memory.store(true, std::memory_order_relaxed);
        });
        if (!ran) return {Code::bad_executor};
        return {out_of_memory.load(std::memory_order_relaxed) ? Code::out_of_memory : Code::ok};
    }

    const FrameState& frame_;
    const Executor& executor_;
    const FilterBatch filters_;
    const AnswerKernels<Answer> kernels_;
    Answer* const answers_;
    Lease<BatchSpace> space_;
    QueryBatch batch_;
};

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

template <class Answer>
Status answer(const Frame& handle, const FrameState* frame, const Executor& executor, const Boxes& boxes,
              const Filters& filters, const AnswerKernels<Answer>& kernels,
              std::span<Answer> answers) noexcept {
    if (boxes.size() != answers.size()) return {Code::size_mismatch};
    if (const Status bad = check(boxes, filters); !bad.ok()) return bad;
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad};
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view};
    if (frame == nullptr) {
        std::fill(answers.begin(), answers.end(), Answer{0});
        return check_of_none(handle, boxes);
    }
    return AnswerBatch<Answer>(*frame, executor, {*frame, filters}, kernels, answers.data()).run(boxes);
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
    const AnswerKernels<std::uint32_t> kernels{&simd::Kernels::count_in_order, &simd::Kernels::count_packet};
    return answer(*this, state_, executor_, boxes, filters, kernels, counts);
}

Status Frame::any(const Boxes& boxes, std::span<std::uint8_t> answers,
                  const Filters& filters) const noexcept {
    const AnswerKernels<std::uint8_t> kernels{&simd::Kernels::any_in_order, &simd::Kernels::any_packet};
    return answer(*this, state_, executor_, boxes, filters, kernels, answers);
}

}  // namespace throng
