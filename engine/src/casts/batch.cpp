// Casts whose answers have a fixed size: a single one goes straight to the kernel, on the calling thread. The
// answers of a batch go to the spots of their casts, so these are searched in whatever order is best.

#include <algorithm>
#include <atomic>

#include "base/outcome.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/casts/cast_order.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/queries/with_static.hpp"

namespace throng {

using namespace detail;

// --- One ---------------------------------------------------------------------------------------------------

namespace {

// With its heights where agents have some.
simd::CastBatch one(const FrameState& frame, const Cast& cast) noexcept {
    return {as_kernel(&cast), sizeof(Cast), nullptr, 0, 1, frame.has_heights(), false};
}

}  // namespace

FirstHit Frame::first_hit(const Cast& cast, const Filter& filter) const noexcept {
    // One object for all ways out, so the kernel writes to the caller's: a copy would wait for what was just
    // written.
    FirstHit first;
    if (const Code code = check(cast); code != Code::ok)
        first.status = {code, 0};
    else if (!has_band(filter))
        first.status = check_band(filter);
    else if (state_ == nullptr)
        first.status = status();
    else if (wraps_)
        return first_hit_around(cast, filter);
    else
        state_->kernels->casts->first(state_->view, kernel_filters(*state_, filter), one(*state_, cast),
                                      as_kernel(&first.hit));
    return first;
}

Found Frame::blocked(const Cast& cast, const Filter& filter) const noexcept {
    if (const Code code = check(cast); code != Code::ok) return {.status = {code, 0}};
    if (!has_band(filter)) return {.status = check_band(filter)};
    if (state_ == nullptr) return {.status = status()};
    if (wraps_) return blocked_around(cast, filter);
    std::uint8_t found;
    state_->kernels->casts->blocked(state_->view, kernel_filters(*state_, filter), one(*state_, cast),
                                    &found);
    return {.status = {}, .found = found != 0};
}

// --- A batch -----------------------------------------------------------------------------------------------

Status detail::check_all(const Executor& executor, const Casts& casts) noexcept {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> first_bad{none};
    const parallel::Ran ran = parallel::for_ranges(executor, casts.size(), 8192, [&](parallel::Range part) {
        std::size_t i = part.begin;
        if (const LyingCasts lying(casts); lying.first != nullptr)
            while (i < part.end && lying.legal(i)) ++i;
        else
            while (i < part.end && is_legal(casts[i])) ++i;
        if (i < part.end) parallel::lower(first_bad, i);
    });
    if (!ran) return outcome(ran);
    const std::size_t bad = first_bad.load(std::memory_order_relaxed);
    return bad == none ? Status{} : Status{check(casts[bad]), bad, Argument::boxes};
}

namespace {

// Fewer casts are not worth sorting. More at a time would need more scratch memory, and what they share
// leaves the cache.
constexpr std::size_t min_casts_sorted = 256, max_casts_sorted = 1 << 17;
// After so many the host is asked whether the call shall end.
constexpr std::size_t casts_in_a_piece = 1024;

class CastBatch {
public:
    CastBatch(const FrameState& frame, const Executor& executor, const Casts& casts,
              const Filters& filters) noexcept
        : frame_(frame),
          executor_(executor),
          casts_(casts),
          filters_(frame, filters),
          space_(frame.store->spaces.casts) {}

    // With `is_static`, what the agents of another frame found is replaced only by what comes earlier.
    Status find(CastHit* hits, bool is_static) noexcept {
        return answer(frame_.kernels->casts->first, hits, is_static);
    }
    Status find(std::uint8_t* answers, bool is_static) noexcept {
        return answer(frame_.kernels->casts->blocked, answers, is_static);
    }

private:
    template <class Kernel, class Answer>
    Status answer(Kernel kernel, Answer* answers, bool is_static) noexcept;
    template <class Kernel, class Answer>
    Status answer_some(Kernel kernel, std::size_t first, std::size_t count, Answer* answers,
                       bool is_static) noexcept;
    template <class Kernel, class Answer>
    Status search(Kernel kernel, const simd::CastBatch& all, const simd::LabelFilters& filters,
                  const Answer* former, Answer* found) const noexcept;
    Status copy(std::size_t first, std::size_t count) noexcept;

    const FrameState& frame_;
    const Executor& executor_;
    const Casts& casts_;
    const FilterBatch filters_;
    Lease<CastSpace> space_;
};

// The casts [first, first + count), each as a Cast.
Status CastBatch::copy(std::size_t first, std::size_t count) noexcept {
    if (!resize_amply(space_->casts, count)) return {Code::out_of_memory};
    const parallel::Ran ran = parallel::for_ranges(executor_, count, 4096, [&](parallel::Range part) {
        for (std::size_t i = part.begin; i < part.end; ++i) space_->casts[i] = casts_[first + i];
    });
    return outcome(ran);
}

template <class Kernel, class Answer>
Status CastBatch::answer(Kernel kernel, Answer* answers, bool is_static) noexcept {
    if (!space_) return {Code::out_of_memory};
    Status status = casts_.size() < min_casts_sorted ? check_all(executor_, casts_) : Status{};
    for (std::size_t first = 0; status.ok() && first < casts_.size(); first += max_casts_sorted)
        status = answer_some(kernel, first, std::min(max_casts_sorted, casts_.size() - first),
                             answers + first, is_static);
    return status;
}

template <class Kernel, class Answer>
Status CastBatch::answer_some(Kernel kernel, std::size_t first, std::size_t count, Answer* answers,
                              bool is_static) noexcept {
    Casts casts = casts_.part(first, count);
    if (casts.data() == nullptr) {
        if (const Status status = copy(first, count); !status.ok()) return status;
        casts = std::span<const Cast>(space_->casts.data(), count);
    }
    const LyingCasts lying(casts);
    const simd::LabelFilters filters = filters_.from(first);
    const bool have_heights = frame_.has_heights() && lying.any_has_heights(count);
    simd::CastBatch all{lying.first, lying.stride, nullptr, 0, count, have_heights, is_static};
    if (casts_.size() < min_casts_sorted) return search(kernel, all, filters, answers, answers);
    CastOrder order(frame_, executor_, *space_, count);
    if (const Status status = order.find(lying, casts_, first, filters); !status.ok()) return status;
    all.order = space_->order.data();
    Buffer<Answer>& found = space_->answers(answers);
    if (!resize_amply(found, count)) return {Code::out_of_memory};
    if (const Status status = search(kernel, all, filters, answers, found.data()); !status.ok())
        return status;
    return order.put_back(found.data(), answers);
}

// What agents found before elements are searched is in `former`.
template <class Kernel, class Answer>
Status CastBatch::search(Kernel kernel, const simd::CastBatch& all, const simd::LabelFilters& filters,
                         const Answer* former, Answer* found) const noexcept {
    const std::size_t blocks = parallel::blocks_for(executor_, all.count, 64, 16);
    const parallel::Stop stop(executor_);
    const auto in_range = [&](const parallel::Range& part) {
        if (stop.is_wanted()) return;
        simd::CastBatch some = all;
        some.first = part.begin;
        some.count = part.size();
        if (all.order != nullptr) some.order += part.begin;
        for (std::size_t i = 0; all.order != nullptr && all.is_static && i < part.size(); ++i)
            found[part.begin + i] = former[some.order[i]];
        kernel(frame_.view, filters, some, as_kernel(found));
    };
    const parallel::Ran ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
        const parallel::Range part = parallel::range_of(all.count, blocks, b);
        const std::size_t piece = executor_.cancelled == nullptr ? part.size() : casts_in_a_piece;
        for (std::size_t at = part.begin; at < part.end; at += piece)
            in_range({at, std::min(at + piece, part.end)});
    });
    return outcome(stop, outcome(ran));
}

// Whether nothing is wrong with the views.
template <class Answer>
bool may_cast(const Casts& casts, std::span<Answer> answers, const Filters& filters) noexcept {
    return answers.size() >= casts.size() && (answers.data() != nullptr || answers.empty()) &&
           check(casts, filters).ok();
}

// First hits, or whether there are any. With `is_static` the answers hold those of the agents, and the frame
// is their static layer. Without a frame there may be a status that says why.
template <class Answer>
Status cast_all(const FrameState* frame, const Executor& executor, Status status, const Casts& casts,
                std::span<Answer> answers, const Filters& filters, bool is_static) noexcept {
    if (answers.size() < casts.size()) return {Code::size_mismatch, Argument::output};
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view, Argument::output};
    answers = answers.first(casts.size());
    if (const Status bad = check(casts, filters); !bad.ok()) status = bad;
    if (status.ok())
        status = frame == nullptr
                     ? check_all(executor, casts)
                     : CastBatch(*frame, executor, casts, filters).find(answers.data(), is_static);
    if (!status.ok() || (frame == nullptr && !is_static)) std::fill(answers.begin(), answers.end(), Answer{});
    return status;
}

}  // namespace

Status Frame::first_hits(const Casts& casts, std::span<CastHit> hits, const Filters& filters) const noexcept {
    if (wraps_ && may_cast(casts, hits, filters)) return first_hits_around(casts, hits, filters);
    return cast_all(state_, executor_, status(), casts, hits, filters, false);
}

Status Frame::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                      const Filters& filters) const noexcept {
    if (wraps_ && may_cast(casts, answers, filters)) return blocked_around(casts, answers, filters);
    return cast_all(state_, executor_, status(), casts, answers, filters, false);
}

Status WithStatic::first_hits(const Casts& casts, std::span<CastHit> hits,
                              const Filters& filters) const noexcept {
    const Status status = agents_.first_hits(casts, hits, filters);
    if (elements_.wraps_ && status.ok()) return elements_.add_elements_around(casts, hits, filters);
    return status.ok() ? cast_all(elements_.state_, elements_.executor_, elements_.status(), casts, hits,
                                  filters, true)
                       : status;
}

Status WithStatic::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                           const Filters& filters) const noexcept {
    const Status status = agents_.blocked(casts, answers, filters);
    if (elements_.wraps_ && status.ok()) return elements_.add_elements_around(casts, answers, filters);
    return status.ok() ? cast_all(elements_.state_, elements_.executor_, elements_.status(), casts, answers,
                                  filters, true)
                       : status;
}

}  // namespace throng
