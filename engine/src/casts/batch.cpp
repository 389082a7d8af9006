// Casts whose answers have a fixed size. A single one goes straight to the kernel, on the calling thread. The
// answers of a batch go to the spots of their casts, so these are searched in the best order.

#include <algorithm>
#include <atomic>

#include "base/blocks.hpp"
#include "engine/src/ask/one_query.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/casts/cast_order.hpp"
#include "engine/src/casts/one_cast.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

// --- One ---------------------------------------------------------------------------------------------------

FirstHit Frame::first_hit(const Cast& cast, const Filter& filter) const noexcept {
    if (!Scope::is_plain(*this)) [[unlikely]]
        return answer_of_parts<OneCast, KeptFirst>(*this, cast, filter);
    // One object for all ways out, so the kernel writes to the caller's: a copy would wait for the write.
    FirstHit first;
    const OneCast query(cast);
    if (!has_band(filter))
        first.status = check_band(filter);
    else if (const Code bad = query.fault(); bad != Code::ok)
        first.status = {bad, 0};
    else
        query.find_first(*state_, filter, false, first.hit);
    return first;
}

Found Frame::blocked(const Cast& cast, const Filter& filter) const noexcept {
    if (!Scope::is_plain(*this)) [[unlikely]]
        return answer_of_parts<OneCast, KeptAny>(*this, cast, filter);
    if (!has_band(filter)) return {.status = check_band(filter)};
    const OneCast query(cast);
    if (const Code bad = query.fault(); bad != Code::ok) return {.status = {bad, 0}};
    return {.status = {}, .found = query.any(*state_, filter)};
}

// --- A batch -----------------------------------------------------------------------------------------------

namespace {

Status check_legal(const Executor& executor, const Casts& casts) noexcept {
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

}  // namespace

Status detail::check_all(const Scope& scope, const Casts& casts) noexcept {
    const Status status = check_legal(scope.executor(), casts);
    // A call that was ended, or whose executor failed, names no cast.
    if (!scope.wraps() || (!status.ok() && status.index == Status::no_index)) return status;
    const Torus torus = scope.torus();
    const std::size_t legal = status.ok() ? casts.size() : status.index;
    for (std::size_t i = 0; i < legal; ++i)
        if (goes_around_too_often(casts[i], torus)) return refusal(Code::too_large, i);
    return status;
}

namespace {

// Fewer casts are not worth sorting. More at a time would need more scratch memory, and what they share
// leaves the cache.
constexpr std::size_t min_casts_sorted = 256, max_casts_sorted = 1 << 17;
// After so many the host is asked whether to end the call.
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

    // With `is_static`, answers of another frame's agents are replaced only by earlier ones.
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
    Status status = casts_.size() < min_casts_sorted ? check_legal(executor_, casts_) : Status{};
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

// `former` has the answers of agents, before elements are searched.
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

Buffer<CastHit>& answers_of_images(TorusSpace& space, const CastHit*) noexcept { return space.cast_hits; }
Buffer<std::uint8_t>& answers_of_images(TorusSpace& space, const std::uint8_t*) noexcept {
    return space.found;
}

// First hits, or whether there are any, of all parts.
template <class Answer>
Status answer_parts(const Scope& scope, const Casts& casts, Answer* answers,
                    const Filters& filters) noexcept {
    Status status;
    scope.each([&](const Part& part) {
        const Filters own = part.is_layer ? Scope::of_elements(filters) : filters;
        status = CastBatch(*part.frame, scope.executor(), casts, own).find(answers, part.is_layer);
        return status.ok();
    });
    return status;
}

// The casts are folded, and answered with their images. If it fails, there may be answers without images.
template <class Answer>
Status answer_casts_around(const Scope& scope, const Casts& casts, Answer* answers,
                           const Filters& filters) noexcept {
    const Lease<TorusSpace> space(scope.agents().store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    if (const Status bad = check_all(scope, casts); !bad.ok()) return bad;
    const Torus torus = scope.torus();
    Buffer<Cast>&there = space->casts.folded, &images = space->casts.images;
    Buffer<std::uint32_t>& owners = space->owners;
    images.clear();
    owners.clear();
    bool enough = resize_amply(there, casts.size());
    for (std::size_t i = 0; enough && i < casts.size(); ++i) {
        there[i] = folded(casts[i], torus.period);
        enough = Moves(torus, extent_of(there[i], torus)).each([&](int k, int l) {
            return images.push_back(moved(there[i], k, l, torus.period)) &&
                   owners.push_back(static_cast<std::uint32_t>(i));
        });
    }
    if (!enough) return {Code::out_of_memory};
    const auto all = [](const Buffer<Cast>& some) { return std::span(some.data(), some.size()); };
    Status status = answer_parts(scope, all(there), answers, filters);
    if (!status.ok() || images.size() == 0) return status;
    Filters their_filters;
    Buffer<Answer>& more = answers_of_images(*space, answers);
    if (!filters_for(filters, {owners.data(), owners.size()}, space->filters, their_filters) ||
        !resize_amply(more, owners.size()))
        return {Code::out_of_memory};
    status = answer_parts(scope, all(images), more.data(), their_filters);
    for (std::size_t i = 0; i < owners.size() && status.ok(); ++i) join(answers[owners[i]], more[i]);
    return status;
}

template <class Answer>
Status cast_all(const Scope& scope, const Casts& casts, std::span<Answer> answers,
                const Filters& filters) noexcept {
    const Status output = check_output(answers, casts.size());
    Status status = check_call(casts, output, filters, scope.status());
    if (!output.ok()) return status;
    answers = answers.first(casts.size());
    if (!status.ok() || scope.is_empty()) {
        if (status.ok()) status = check_all(scope, casts);
        std::fill(answers.begin(), answers.end(), Answer{});
        return status;
    }
    status = scope.wraps() ? answer_casts_around(scope, casts, answers.data(), filters)
                           : answer_parts(scope, casts, answers.data(), filters);
    if (!status.ok()) std::fill(answers.begin(), answers.end(), Answer{});
    return status;
}

}  // namespace

Status Frame::first_hits(const Casts& casts, std::span<CastHit> hits, const Filters& filters) const noexcept {
    return cast_all(Scope(*this), casts, hits, filters);
}
Status Frame::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                      const Filters& filters) const noexcept {
    return cast_all(Scope(*this), casts, answers, filters);
}

}  // namespace throng
