// A batch of casts in a frame, whose answers have a fixed size and go to the places of their casts. So the casts are
// searched in whatever order is best.

#include <algorithm>

#include "engine/src/casts/batch_order.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/memory/outcome.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Fewer casts are not worth sorting; more at a time would need more scratch memory, and most of all where they do not lie
// in one array and are copied first.
constexpr std::size_t min_casts_sorted = 256, max_casts_sorted = 1 << 20, max_copied = 1 << 17;

class CastBatch {
public:
    // The casts are legal.
    CastBatch(const FrameState& frame, const Executor& executor, const Casts& casts,
              const Filters& filters) noexcept
        : frame_(frame),
          executor_(executor),
          casts_(casts),
          filters_(frame, filters),
          space_(frame.store->cast_spaces) {}

    // With `is_static`, what the agents of another frame found is replaced only by what comes earlier.
    Status find(CastHit* hits, bool is_static) noexcept {
        return answer(frame_.kernels->casts->first, as_kernel(hits), is_static);
    }
    Status find(std::uint8_t* answers, bool is_static) noexcept {
        return answer(frame_.kernels->casts->blocked, answers, is_static);
    }

private:
    template <class Kernel, class Answer>
    Status answer(Kernel kernel, Answer* answers, bool is_static) noexcept;
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
    const std::size_t blocks = parallel::blocks_for(executor_, count, 4096);
    const bool ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
        const parallel::Range part = parallel::range_of(count, blocks, b);
        for (std::size_t i = part.begin; i < part.end; ++i) space_->casts[i] = casts_[first + i];
    });
    return outcome(ran);
}

template <class Kernel, class Answer>
Status CastBatch::answer(Kernel kernel, Answer* answers, bool is_static) noexcept {
    if (!space_) return {Code::out_of_memory};
    const bool lie_apart = casts_.data() == nullptr;
    const std::size_t at_once = lie_apart ? max_copied : max_casts_sorted;
    for (std::size_t first = 0; first < casts_.size(); first += at_once) {
        const std::size_t count = std::min(at_once, casts_.size() - first);
        if (lie_apart)
            if (const Status status = copy(first, count); !status.ok()) return status;
        const Cast* casts = lie_apart ? space_->casts.data() : casts_.data() + first;
        const bool sorted = count >= min_casts_sorted;
        if (sorted)
            if (const Status status = sort_casts(frame_, executor_, casts, count, *space_); !status.ok())
                return status;
        const std::size_t blocks = parallel::blocks_for(executor_, count, 64);
        const bool ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
            const parallel::Range part = parallel::range_of(count, blocks, b);
            const simd::CastBatch batch{as_kernel(casts),
                                        sorted ? space_->order.data() + part.begin : nullptr, part.begin,
                                        part.size(), is_static};
            kernel(frame_.view, filters_.from(first), batch, answers + first);
        });
        if (!ran) return {Code::bad_executor};
    }
    return {};
}

}  // namespace

template <class Answer>
Status Frame::cast_all(const Casts& casts, std::span<Answer> answers, const Filters& filters,
                       bool is_static) const noexcept {
    if (answers.size() < casts.size()) return {Code::size_mismatch, Argument::output};
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view, Argument::output};
    answers = answers.first(casts.size());
    Status status = check(casts, filters);
    if (status.ok()) status = Frame::status();
    if (status.ok()) status = check_all(executor_, casts);
    if (status.ok() && state_ != nullptr)
        status = CastBatch(*state_, executor_, casts, filters).find(answers.data(), is_static);
    if (!status.ok() || (state_ == nullptr && !is_static))
        std::fill(answers.begin(), answers.end(), Answer{});
    return status;
}
// Called by WithStatic, too.
template Status Frame::cast_all(const Casts&, std::span<CastHit>, const Filters&, bool) const noexcept;
template Status Frame::cast_all(const Casts&, std::span<std::uint8_t>, const Filters&, bool) const noexcept;

Status Frame::first_hits(const Casts& casts, std::span<CastHit> hits, const Filters& filters) const noexcept {
    return cast_all(casts, hits, filters, false);
}

Status Frame::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                      const Filters& filters) const noexcept {
    return cast_all(casts, answers, filters, false);
}

}  // namespace throng
