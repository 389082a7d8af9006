// The batches of a frame: checks; and for those that count, or look for any agent, the choice between packets
// and the caller's order. Those with ids as answers go on in batch_hits.hpp.

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "base/box_check.hpp"
#include "base/outcome.hpp"
#include "engine/src/query/batch_hits.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/packets.hpp"
#include "engine/src/query/shape_reader.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/query_kernels.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

template <class Answer>
class AnswerBatch {
public:
    AnswerBatch(const FrameState& frame, const Executor& executor, const FilterBatch& filters,
                Answer* answers) noexcept
        : frame_(frame),
          executor_(executor),
          stop_(executor),
          filters_(filters),
          answers_(answers),
          space_(frame.store->spaces.batches) {}

    Status run(const BoxesOrShapes& queries) noexcept {
        if (!space_) return {Code::out_of_memory};
        if (const Status opened = batch_.open(queries, *space_); !opened.ok()) return opened;
        // All queries are checked first, so nothing is written if one is illegal.
        bool legal = true;
        if (const Status bad = check_all(legal); !bad.ok()) return bad;
        if (!legal) return check(queries);
        if (filters_.are_selective(frame_, batch_) || batch_.is_coherent(frame_)) return search_in_order();
        constexpr std::size_t max_sorted = 1 << 20;
        for (std::size_t first = 0; first < batch_.size(); first += max_sorted) {
            const std::size_t count = std::min(max_sorted, batch_.size() - first);
            if (const Status status = search_in_packets(first, count); !status.ok()) return status;
        }
        return {};
    }

private:
    Status check_all(bool& legal) noexcept {
        std::atomic<bool> all_legal{true};
        const parallel::Ran ran =
            parallel::for_ranges(executor_, batch_.size(), 8192, [&](parallel::Range part) {
                if (frame_.kernels->queries->count_legal(batch_.data() + part.begin, part.size()) <
                    part.size())
                    all_legal.store(false, std::memory_order_relaxed);
            });
        legal = all_legal.load(std::memory_order_relaxed);
        return outcome(ran);
    }
    Status search_in_order() noexcept {
        const parallel::Ran ran =
            parallel::for_ranges(executor_, batch_.size(), 64, [&](parallel::Range part) {
                batch_.answer_in_order(frame_, filters_.from(part.begin), part.begin, part.size(),
                                       answers_ + part.begin);
            });
        return outcome(ran);
    }
    Status search_in_packets(std::size_t first, std::size_t count) noexcept {
        Packets packets(frame_, executor_, *space_, batch_.is_far_in_tree(frame_));
        const simd::LabelFilters filters = filters_.from(first);
        if (const Status sorted = packets.sort(batch_.data() + first, count, filters); !sorted.ok())
            return sorted;
        const bool ready =
            frame_.store->spaces.answers.prepare(parallel::at_once(executor_, packets.blocks()),
                                                 [&](AnswerSpace& each) { return packets.make_ready(each); });
        if (!ready) return {Code::out_of_memory};
        std::atomic<bool> out_of_memory{false};
        const parallel::Ran ran = parallel::for_blocks(executor_, packets.blocks(), [&](std::size_t b) {
            if (out_of_memory.load(std::memory_order_relaxed)) return;
            const Lease<AnswerSpace> space(frame_.store->spaces.answers);
            const bool enough = space && packets.for_each_row(b, *space, [&](auto records, auto in_row) {
                if (!stop_.is_wanted())
                    batch_.answer_packet(frame_, filters, first, records, in_row, answers_ + first);
            });
            if (!enough) out_of_memory.store(true, std::memory_order_relaxed);
        });
        return outcome(stop_, outcome(ran, out_of_memory));
    }

    const FrameState& frame_;
    const Executor& executor_;
    const parallel::Stop stop_;
    const FilterBatch filters_;
    Answer* const answers_;
    Lease<BatchSpace> space_;
    QueryBatch batch_;
};

// The status of a batch on a frame without agents.
Status check_of_none(const Frame& frame, const BoxesOrShapes& queries) noexcept {
    return frame.status().ok() ? detail::check(queries) : frame.status();
}

template <class Answer>
bool have_room(const BoxesOrShapes& queries, std::span<Answer> answers) noexcept {
    return answers.size() >= queries.size() && (answers.data() != nullptr || answers.empty());
}

template <class Answer>
Status answer_all(const Frame& frame, const FrameState* state, const Executor& executor,
                  const BoxesOrShapes& queries, std::span<Answer> answers, const Filters& filters) noexcept {
    if (answers.size() < queries.size()) return {Code::size_mismatch, Argument::output};
    if (const Status bad = check_filters(filters, queries.size()); !bad.ok()) return bad;
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view, Argument::output};
    if (state == nullptr) {
        const Status legal = check_of_none(frame, queries);
        if (legal.ok()) std::fill_n(answers.begin(), queries.size(), Answer{0});
        return legal;
    }
    return AnswerBatch<Answer>(*state, executor, {*state, filters}, answers.data()).run(queries);
}

}  // namespace

Status FrameCalls::find_all(const BoxesOrShapes& queries, OverlapLists& hits, const Filters& filters,
                            std::uint32_t* order) const noexcept {
    if (wraps_) return find_all_around(queries, hits, filters, order);
    hits.clear();
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Status bad = check_filters(filters, queries.size()); !bad.ok()) return bad;
    Status status;
    if (!resize_amply(hits.offsets_, queries.size() + 1)) {
        status = {Code::out_of_memory};
    } else if (state_ == nullptr) {
        std::fill(hits.offsets_.begin(), hits.offsets_.end(), 0u);
        status = check_of_none(frame(), queries);
        if (order != nullptr) std::iota(order, order + queries.size(), 0u);
    } else {
        HitResult result{hits.offsets_.data(), {&hits.answers_, {}}, order};
        status = HitBatch(*state_, executor_, {*state_, filters}, result).run(queries);
        if (status.ok() && !hits.answers_.resize(static_cast<std::size_t>(result.ids.found)))
            status = {Code::out_of_memory};
    }
    if (!status.ok()) hits.clear();
    return status;
}

Status Frame::overlaps(const BoxesOrShapes& queries, OverlapLists& hits,
                       const Filters& filters) const noexcept {
    return find_all(queries, hits, filters, nullptr);
}

Status Frame::overlaps(const BoxesOrShapes& queries, OverlapsAsFound& hits,
                       const Filters& filters) const noexcept {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    hits.clear();
    if (queries.size() > most) return {Code::too_many, most};
    if (!resize_amply(hits.queries_, queries.size())) return {Code::out_of_memory};
    const Status status = find_all(queries, hits.lists_, filters, hits.queries_.data());
    if (!status.ok()) hits.clear();
    return status;
}

Filled Frame::overlaps(const BoxesOrShapes& queries, std::span<std::uint64_t> offsets, std::span<AgentId> ids,
                       const Filters& filters) const noexcept {
    if (const Code bad = queries.fault(); bad != Code::ok) return {.status = {bad, Argument::boxes}};
    if (offsets.data() == nullptr || (ids.data() == nullptr && !ids.empty()))
        return {.status = {Code::null_view, Argument::output}};
    if (offsets.size() != queries.size() + 1) return {.status = {Code::size_mismatch, Argument::output}};
    if (const Status bad = check_filters(filters, queries.size()); !bad.ok()) return {.status = bad};
    if (state_ == nullptr) {
        const Status legal = check_of_none(*this, queries);
        if (legal.ok()) std::fill(offsets.begin(), offsets.end(), std::uint64_t{0});
        return {.status = legal};
    }
    if (wraps_) return fill_around(queries, offsets, ids, filters);
    HitResult result{offsets.data(), {nullptr, ids}};
    const Status status = HitBatch(*state_, executor_, {*state_, filters}, result).run(queries);
    if (!status.ok()) return {.status = status};
    return {.status = {},
            .total = result.ids.found,
            .written = std::min<std::uint64_t>(result.ids.found, ids.size())};
}

Status Frame::count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                    const Filters& filters) const noexcept {
    if (wraps_ && have_room(queries, counts)) return answer_around(queries, counts, filters);
    return answer_all(*this, state_, executor_, queries, counts, filters);
}
Status Frame::any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
                  const Filters& filters) const noexcept {
    if (wraps_ && have_room(queries, answers)) return answer_around(queries, answers, filters);
    return answer_all(*this, state_, executor_, queries, answers, filters);
}

}  // namespace throng
