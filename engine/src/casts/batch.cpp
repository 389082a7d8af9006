// Casts whose answers have a fixed size: a single one goes straight to the kernel, on the calling thread. The
// answers of a batch go to the spots of their casts, so these are searched in whatever order is best.

#include <algorithm>
#include <atomic>
#include <tuple>

#include "base/outcome.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/casts/cast_order.hpp"
#include "engine/src/casts/cast_parts.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/queries/with_static.hpp"

namespace throng {

using namespace detail;

// --- One ---------------------------------------------------------------------------------------------------

namespace {

// With its heights where agents have some.
simd::CastBatch one(const FrameState& frame, const Cast& cast, bool is_static = false) noexcept {
    return {as_kernel(&cast), sizeof(Cast), nullptr, 0, 1, frame.has_heights(), is_static};
}

void find_one(const FrameState& frame, const Filter& filter, const simd::CastBatch& batch,
              CastHit& hit) noexcept {
    frame.kernels->casts->first(frame.view, kernel_filters(frame, filter), batch, as_kernel(&hit));
}
void find_one(const FrameState& frame, const Filter& filter, const simd::CastBatch& batch,
              std::uint8_t& found) noexcept {
    frame.kernels->casts->blocked(frame.view, kernel_filters(frame, filter), batch, &found);
}

// The earlier of two hits, an agent before an element; or whether there is any.
void join(CastHit& to, const CastHit& more) noexcept {
    const auto order = [](const CastHit& hit) { return std::tuple(hit.fraction, hit.is_static, hit.id); };
    if (more.found() && order(more) < order(to)) to = more;
}
void join(std::uint8_t& to, std::uint8_t more) noexcept { to |= more; }
bool is_enough(const CastHit&) noexcept { return false; }
bool is_enough(std::uint8_t found) noexcept { return found != 0; }

// A legal cast, put to all parts. What one part finds is handed to the next, which looks no further.
template <class Answer>
THRONG_NOINLINE Status find_in_parts(const CastParts& parts, const Cast& cast, const Filter& filter,
                                     Answer& answer) noexcept {
    const auto put = [&](const Cast& image, Answer& to) {
        parts.each([&](const FrameState& frame, bool is_static) {
            find_one(frame, filter, one(frame, image, is_static), to);
            return !is_enough(to);
        });
    };
    if (!parts.wraps()) {
        put(cast, answer);
        return {};
    }
    if (const Code bad = parts.fault_of(cast); bad != Code::ok) return refusal(bad, 0);
    const Cast there = parts.folded(cast);
    put(there, answer);
    if (!is_enough(answer))
        parts.each_image(there, [&](const Cast& image) {
            Answer more;
            put(image, more);
            join(answer, more);
            return !is_enough(answer);
        });
    return {};
}

FirstHit first_of_parts(const CastParts& parts, const Cast& cast, const Filter& filter) noexcept {
    FirstHit first;
    first.status = find_in_parts(parts, cast, filter, first.hit);
    return first;
}
Found blocked_in_parts(const CastParts& parts, const Cast& cast, const Filter& filter) noexcept {
    std::uint8_t found = 0;
    const Status status = find_in_parts(parts, cast, filter, found);
    return {.status = status, .found = found != 0};
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
        return first_of_parts({*state_, nullptr}, cast, filter);
    else
        find_one(*state_, filter, one(*state_, cast), first.hit);
    return first;
}

Found Frame::blocked(const Cast& cast, const Filter& filter) const noexcept {
    if (const Code code = check(cast); code != Code::ok) return {.status = {code, 0}};
    if (!has_band(filter)) return {.status = check_band(filter)};
    if (state_ == nullptr) return {.status = status()};
    if (wraps_) return blocked_in_parts({*state_, nullptr}, cast, filter);
    std::uint8_t found;
    find_one(*state_, filter, one(*state_, cast), found);
    return {.status = {}, .found = found != 0};
}

// Where there is a layer there are agents, if only none.
FirstHit WithStatic::first_hit(const Cast& cast, const Filter& filter) const noexcept {
    if (elements_.state_ == nullptr || check(cast) != Code::ok || !has_band(filter))
        return agents_.first_hit(cast, filter);
    return first_of_parts({*agents_.state_, elements_.state_}, cast, filter);
}

Found WithStatic::blocked(const Cast& cast, const Filter& filter) const noexcept {
    if (elements_.state_ == nullptr || check(cast) != Code::ok || !has_band(filter))
        return agents_.blocked(cast, filter);
    return blocked_in_parts({*agents_.state_, elements_.state_}, cast, filter);
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

Buffer<CastHit>& answers_of_images(TorusSpace& space, const CastHit*) noexcept { return space.cast_hits; }
Buffer<std::uint8_t>& answers_of_images(TorusSpace& space, const std::uint8_t*) noexcept {
    return space.found;
}

// First hits, or whether there are any, of all parts.
template <class Answer>
Status answer_parts(const CastParts& parts, const Executor& executor, const Casts& casts, Answer* answers,
                    const Filters& filters) noexcept {
    Status status;
    parts.each([&](const FrameState& frame, bool is_static) {
        status = CastBatch(frame, executor, casts, filters).find(answers, is_static);
        return status.ok();
    });
    return status;
}

// Also of what is wrong with casts in a world that wraps around.
Status check_casts(const FrameState* frame, const Executor& executor, const Casts& casts) noexcept {
    const Status status = check_all(executor, casts);
    // A call that was told to end, or whose executor failed, names no cast.
    if (frame == nullptr || !frame->torus.wraps() || (!status.ok() && status.index == Status::no_index))
        return status;
    const CastParts parts(*frame, nullptr);
    const std::size_t legal = status.ok() ? casts.size() : status.index;
    for (std::size_t i = 0; i < legal; ++i)
        if (const Code bad = parts.fault_of(casts[i]); bad != Code::ok) return refusal(bad, i);
    return status;
}

// The casts are folded, and answered with their images. If it fails, there may be answers without those.
template <class Answer>
Status answer_around(const CastParts& parts, const Executor& executor, const Casts& casts, Answer* answers,
                     const Filters& filters) noexcept {
    if (const Status bad = check_casts(&parts.agents(), executor, casts); !bad.ok()) return bad;
    const Lease<TorusSpace> space(parts.agents().store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    Buffer<Cast>&there = space->casts.folded, &images = space->casts.images;
    Buffer<std::uint32_t>& owners = space->owners;
    images.clear();
    owners.clear();
    bool enough = resize_amply(there, casts.size());
    for (std::size_t i = 0; enough && i < casts.size(); ++i) {
        there[i] = parts.folded(casts[i]);
        enough = parts.each_image(there[i], [&](const Cast& image) {
            return images.push_back(image) && owners.push_back(static_cast<std::uint32_t>(i));
        });
    }
    if (!enough) return {Code::out_of_memory};
    const auto all = [](const Buffer<Cast>& some) { return std::span(some.data(), some.size()); };
    Status status = answer_parts(parts, executor, all(there), answers, filters);
    if (!status.ok() || images.size() == 0) return status;
    Filters their_filters;
    Buffer<Answer>& more = answers_of_images(*space, answers);
    if (!filters_for(filters, {owners.data(), owners.size()}, space->filters, their_filters) ||
        !resize_amply(more, owners.size()))
        return {Code::out_of_memory};
    status = answer_parts(parts, executor, all(images), more.data(), their_filters);
    for (std::size_t i = 0; i < owners.size() && status.ok(); ++i) join(answers[owners[i]], more[i]);
    return status;
}

// Without a frame there may be a status that says why.
template <class Answer>
Status cast_all(const FrameState* agents, const FrameState* elements, const Executor& executor, Status status,
                const Casts& casts, std::span<Answer> answers, const Filters& filters) noexcept {
    if (answers.size() < casts.size()) return {Code::size_mismatch, Argument::output};
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view, Argument::output};
    answers = answers.first(casts.size());
    if (const Status bad = check(casts, filters); !bad.ok()) status = bad;
    if (status.ok() && agents == nullptr) status = check_all(executor, casts);
    if (!status.ok() || agents == nullptr) {
        std::fill(answers.begin(), answers.end(), Answer{});
        return status;
    }
    const CastParts parts(*agents, elements);
    status = parts.wraps() ? answer_around(parts, executor, casts, answers.data(), filters)
                           : answer_parts(parts, executor, casts, answers.data(), filters);
    if (!status.ok()) std::fill(answers.begin(), answers.end(), Answer{});
    return status;
}

}  // namespace

Status FrameCalls::check_batch(const Casts& casts) const noexcept {
    return check_casts(state_, executor_, casts);
}

Status Frame::first_hits(const Casts& casts, std::span<CastHit> hits, const Filters& filters) const noexcept {
    return cast_all(state_, nullptr, executor_, status(), casts, hits, filters);
}

Status Frame::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                      const Filters& filters) const noexcept {
    return cast_all(state_, nullptr, executor_, status(), casts, answers, filters);
}

Status WithStatic::first_hits(const Casts& casts, std::span<CastHit> hits,
                              const Filters& filters) const noexcept {
    return cast_all(agents_.state_, elements_.state_, agents_.executor_, agents_.status(), casts, hits,
                    filters);
}

Status WithStatic::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                           const Filters& filters) const noexcept {
    return cast_all(agents_.state_, elements_.state_, agents_.executor_, agents_.status(), casts, answers,
                    filters);
}

}  // namespace throng
