// The batches of a frame that count, or look for any agent: checks, and the choice between packets and the
// caller's order.

#include <algorithm>
#include <atomic>

#include "base/outcome.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/query/packets.hpp"
#include "engine/src/query/shape_reader.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/query_kernels.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

Status detail::check_opened(const FrameState& frame, const Executor& executor, const BoxesOrShapes& queries,
                            const QueryBatch& batch) noexcept {
    std::atomic<bool> all_legal{true};
    const parallel::Ran ran = parallel::for_ranges(executor, batch.size(), 8192, [&](parallel::Range part) {
        if (frame.kernels->queries->count_legal(batch.data() + part.begin, part.size()) < part.size())
            all_legal.store(false, std::memory_order_relaxed);
    });
    return ran && !all_legal.load(std::memory_order_relaxed) ? check(queries) : outcome(ran);
}

namespace {

template <class Answer>
class AnswerBatch {
public:
    AnswerBatch(const FrameState& frame, const Executor& executor, const QueryBatch& batch, BatchSpace& space,
                const FilterBatch& filters, Answer* answers) noexcept
        : frame_(frame),
          executor_(executor),
          stop_(executor),
          batch_(batch),
          space_(space),
          filters_(filters),
          answers_(answers) {}

    Status run() noexcept {
        if (filters_.are_selective(frame_, batch_) || batch_.is_coherent(frame_)) return search_in_order();
        constexpr std::size_t max_sorted = 1 << 20;
        for (std::size_t first = 0; first < batch_.size(); first += max_sorted) {
            const std::size_t count = std::min(max_sorted, batch_.size() - first);
            if (const Status status = search_in_packets(first, count); !status.ok()) return status;
        }
        return {};
    }

private:
    Status search_in_order() noexcept {
        const parallel::Ran ran =
            parallel::for_ranges(executor_, batch_.size(), 64, [&](parallel::Range part) {
                batch_.answer_in_order(frame_, filters_.from(part.begin), part.begin, part.size(),
                                       answers_ + part.begin);
            });
        return outcome(ran);
    }
    Status search_in_packets(std::size_t first, std::size_t count) noexcept {
        Packets packets(frame_, executor_, space_, batch_.is_far_in_tree(frame_));
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
    const QueryBatch batch_;
    BatchSpace& space_;
    const FilterBatch filters_;
    Answer* const answers_;
};

void add_answer(std::uint32_t& to, std::uint32_t more) noexcept { to += more; }
void add_answer(std::uint8_t& to, std::uint8_t more) noexcept { to |= more; }

// Queries of which two images may find the same agent, one by one.
Status count_repeating(const FrameState& frame, const Executor& executor, OpenedBatch& opened,
                       const Filters& filters, std::uint32_t* counts) noexcept {
    const parallel::Stop stop(executor);
    for (const std::uint32_t i : opened.all().repeating) {
        if (stop.is_wanted()) return outcome(stop, {});
        Buffer<AgentId>&ids = opened.around().made_ids, &more = opened.around().more_ids;
        const Status bad = find_apart(frame, serial_executor(), opened, opened.all().part(i, 1),
                                      filters.part(i, 1), {opened.around().made_offsets, ids});
        if (!bad.ok()) return bad;
        const std::size_t own = ids.size();
        if (!resize_amply(ids, own + more.size())) return {Code::out_of_memory};
        std::copy(more.begin(), more.end(), ids.begin() + own);
        std::sort(ids.begin(), ids.end());
        counts[i] = static_cast<std::uint32_t>(std::unique(ids.begin(), ids.end()) - ids.begin());
    }
    return {};
}
// Whether there is any needs no second look.
Status count_repeating(const FrameState&, const Executor&, OpenedBatch&, const Filters&,
                       std::uint8_t*) noexcept {
    return {};
}

}  // namespace

template <class Answer>
Status detail::answer_opened(const FrameState& frame, const Executor& executor, OpenedBatch& opened,
                             const Filters& filters, Answer* answers) noexcept {
    const ImagedBatch& all = opened.all();
    const Status status =
        AnswerBatch<Answer>(frame, executor, all.queries, opened.space(), {frame, filters}, answers).run();
    if (!status.ok() || !all.has_images()) return status;
    constexpr bool counts = std::is_same_v<Answer, std::uint32_t>;
    if (counts && all.all_repeat) return count_repeating(frame, executor, opened, filters, answers);
    Filters their_filters;
    Buffer<Answer>& more = opened.around().answers(answers);
    if (!filters_for(filters, all.owners, opened.around().filters, their_filters) ||
        !resize_amply(more, all.owners.size()))
        return {Code::out_of_memory};
    const Status bad =
        AnswerBatch<Answer>(frame, executor, all.images, opened.space(), {frame, their_filters}, more.data())
            .run();
    if (!bad.ok()) return bad;
    for (std::size_t i = 0; i < all.owners.size(); ++i) add_answer(answers[all.owners[i]], more[i]);
    return count_repeating(frame, executor, opened, filters, answers);
}

Status detail::count_opened(const FrameState& frame, const Executor& executor, const BoxesOrShapes& queries,
                            OpenedBatch& opened, const Filters& filters) noexcept {
    Buffer<std::uint32_t>& counts = opened.space().answers;
    if (!resize_amply(counts, queries.size())) return {Code::out_of_memory};
    const Status legal = check_opened(frame, executor, queries, opened.all().queries);
    return legal.ok() ? answer_opened(frame, executor, opened, filters, counts.data()) : legal;
}

namespace {

template <class Answer>
Status answer_all(const Status& failure, const FrameState* state, const Torus* torus,
                  const Executor& executor, const BoxesOrShapes& queries, std::span<Answer> answers,
                  const Filters& filters) noexcept {
    if (const Status bad = check_call(queries, check_output(answers, queries.size()), filters, failure);
        !bad.ok())
        return bad;
    if (state == nullptr) {
        const Status legal = check(queries);
        if (legal.ok()) std::fill_n(answers.begin(), queries.size(), Answer{0});
        return legal;
    }
    OpenedBatch opened(*state);
    Status status = opened.open(queries, torus);
    // All queries are checked first, so nothing is written if one is illegal.
    if (status.ok()) status = check_opened(*state, executor, queries, opened.all().queries);
    return status.ok() ? answer_opened(*state, executor, opened, filters, answers.data()) : status;
}

}  // namespace

Status Frame::count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                    const Filters& filters) const noexcept {
    return answer_all(failure_, state_, torus(), executor_, queries, counts, filters);
}
Status Frame::any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
                  const Filters& filters) const noexcept {
    return answer_all(failure_, state_, torus(), executor_, queries, answers, filters);
}

}  // namespace throng
