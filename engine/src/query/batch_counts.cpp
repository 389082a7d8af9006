// The batches of a frame that count, or look for any agent, and what they cost: checks, and the choice
// between packets and the caller's order.

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/blocks.hpp"
#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/query/packets.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/query_kernels.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

Status OpenedBatch::check_all(const BoxesOrShapes& queries) noexcept {
    const QueryBatch& batch = all_.queries;
    std::atomic<bool> all_legal{true};
    const parallel::Ran ran = parallel::for_ranges(executor_, batch.size(), 8192, [&](parallel::Range part) {
        if (frame_->kernels->queries->count_legal(batch.data() + part.begin, part.size()) < part.size())
            all_legal.store(false, std::memory_order_relaxed);
    });
    return ran && !all_legal.load(std::memory_order_relaxed) ? check(queries) : outcome(ran);
}

namespace {

void add_answer(std::uint32_t& to, std::uint32_t more) noexcept { to += more; }
void add_answer(std::uint8_t& to, std::uint8_t more) noexcept { to |= more; }

}  // namespace

Status OpenedBatch::count_repeating(std::uint32_t* counts) noexcept {
    const parallel::Stop stop(executor_);
    for (const std::uint32_t i : all_.repeating) {
        if (stop.is_wanted()) return outcome(stop, {});
        Buffer<AgentId>&ids = around().made_ids, &more = around().more_ids;
        const Status bad = find_apart(all_.part(i, 1), serial_executor(), {around().made_offsets, ids});
        if (!bad.ok()) return bad;
        const std::size_t own = ids.size();
        if (!resize_amply(ids, own + more.size())) return {Code::out_of_memory};
        std::copy(more.begin(), more.end(), ids.begin() + own);
        std::sort(ids.begin(), ids.end());
        counts[i] = static_cast<std::uint32_t>(std::unique(ids.begin(), ids.end()) - ids.begin());
    }
    return {};
}

template <class Answer>
Status OpenedBatch::answer_in_packets(QueryBatch batch, const simd::LabelFilters& filters, std::size_t first,
                                      std::size_t count, Answer* answers) noexcept {
    Packets packets(*frame_, executor_, *space_, batch.is_far_in_tree(*frame_));
    if (const Status bad = packets.sort(batch.data() + first, count, filters); !bad.ok()) return bad;
    Pool<AnswerSpace>& spaces = frame_->store->spaces.answers;
    const bool ready = spaces.prepare(parallel::at_once(executor_, packets.blocks()),
                                      [&](AnswerSpace& each) { return packets.make_ready(each); });
    if (!ready) return {Code::out_of_memory};
    const parallel::Stop stop(executor_);
    const auto answer_block = [&](std::size_t b, AnswerSpace& space) {
        return packets.for_each_row(b, space, [&](const Packet& packet) {
            if (!stop.is_wanted())
                batch.answer(*frame_, packet.view, packet.filters, first, packet.records, packet.count,
                             answers + first);
        });
    };
    return outcome(stop, with_spaces(spaces, executor_, packets.blocks(), answer_block));
}

template <class Answer>
Status OpenedBatch::answer_each(QueryBatch batch, const Filters& given, Answer* answers) noexcept {
    const FilterBatch filters(*frame_, given);
    if (filters.are_selective(*frame_, batch) || batch.is_coherent(*frame_))
        return outcome(parallel::for_ranges(executor_, batch.size(), 64, [&](parallel::Range part) {
            batch.answer(*frame_, frame_->view, filters.from(part.begin), part.begin, nullptr, part.size(),
                         answers + part.begin);
        }));
    constexpr std::size_t max_sorted = 1 << 20;
    Status status;
    for (std::size_t first = 0; first < batch.size() && status.ok(); first += max_sorted)
        status = answer_in_packets(batch, filters.from(first), first,
                                   std::min(max_sorted, batch.size() - first), answers);
    return status;
}

template <class Answer>
Status OpenedBatch::answer(Answer* answers) noexcept {
    const Status status = answer_each(all_.queries, all_.filters, answers);
    if (!status.ok() || !all_.has_images()) return status;
    constexpr bool counts = std::is_same_v<Answer, std::uint32_t>;
    if (!counts || !all_.all_repeat) {
        Buffer<Answer>& more = around().answers(answers);
        if (!resize_amply(more, all_.owners.size())) return {Code::out_of_memory};
        const Status bad = answer_each(all_.images, all_.their_filters, more.data());
        if (!bad.ok()) return bad;
        for (std::size_t i = 0; i < all_.owners.size(); ++i) add_answer(answers[all_.owners[i]], more[i]);
    }
    if constexpr (counts) return count_repeating(answers);
    return {};
}

namespace {

template <class Answer>
Status answer_all(const Scope& scope, const BoxesOrShapes& queries, std::span<Answer> answers,
                  const Filters& filters) noexcept {
    const std::size_t count = queries.size();
    const Status bad = check_call(queries, check_output(answers, count), filters, scope.status());
    if (!bad.ok()) return bad;
    if (scope.is_empty()) {
        const Status legal = check(queries);
        if (legal.ok()) std::fill_n(answers.begin(), count, Answer{0});
        return legal;
    }
    const Torus torus = scope.torus();
    OpenedBatch opened(scope.agents(), scope.executor());
    Status status = opened.open(queries, filters, scope.wraps() ? &torus : nullptr);
    if (status.ok() && scope.layer() != nullptr && !resize_amply(opened.space().answers, count))
        status = {Code::out_of_memory};
    // All queries are checked first, so nothing is written if one is illegal.
    if (status.ok()) status = opened.check_all(queries);
    if (status.ok()) status = opened.answer(answers.data());
    if (!status.ok() || scope.layer() == nullptr) return status;
    auto* of_elements = reinterpret_cast<Answer*>(opened.space().answers.data());
    opened.go_on_in(*scope.layer());
    status = opened.answer(of_elements);
    for (std::size_t i = 0; i < count && status.ok(); ++i) add_answer(answers[i], of_elements[i]);
    return status;
}

}  // namespace

Status Frame::count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                    const Filters& filters) const noexcept {
    return answer_all(Scope(*this), queries, counts, filters);
}
Status Frame::any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
                  const Filters& filters) const noexcept {
    return answer_all(Scope(*this), queries, answers, filters);
}

// --- What queries cost: the kernels' own search counts what it looks at ------------------------------------

namespace {

Explain explain_of(const simd::QueryCost& cost, std::uint64_t queries, std::uint64_t hits) noexcept {
    return {.status = {},
            .queries = queries,
            .rows = cost.rows,
            .cells = cost.cells,
            .tested = cost.tested,
            .covered = cost.covered,
            .islands = cost.islands,
            .nodes = cost.nodes,
            .oversized = cost.oversized,
            .hits = hits};
}

// For each query by its own filter.
void add_cost(const FrameState& frame, const QueryBatch& batch, const Filters& filters,
              simd::QueryCost& cost) noexcept {
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Filter filter = filters[i];
        const simd::LabelFilters own = kernel_filters(frame, filter);
        if (batch.shapes() == nullptr)
            simd::add_cost(frame.view, batch.data()[i], own, cost);
        else
            simd::add_cost(frame.view, batch.shapes()[i], own, cost);
    }
}

}  // namespace

Explain Frame::explain(const BoxesOrShapes& queries, const Filters& filters) const noexcept {
    if (const Status bad = check_call(queries, {}, filters, failure_); !bad.ok()) return {.status = bad};
    if (state_ == nullptr) {
        const Status legal = check(queries);
        return legal.ok() ? explain_of({}, queries.size(), 0) : Explain{.status = legal};
    }
    OpenedBatch opened(*state_, serial_executor());
    Status status = opened.open(queries, filters, torus());
    if (!status.ok()) return {.status = status};
    Buffer<std::uint32_t>& counts = opened.space().answers;
    if (!resize_amply(counts, queries.size())) return {.status = {Code::out_of_memory}};
    status = opened.check_all(queries);
    if (status.ok()) status = opened.answer(counts.data());
    if (!status.ok()) return {.status = status};
    simd::QueryCost cost;
    add_cost(*state_, opened.all().queries, filters, cost);
    add_cost(*state_, opened.all().images, opened.all().their_filters, cost);
    return explain_of(cost, queries.size(), std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

}  // namespace throng
