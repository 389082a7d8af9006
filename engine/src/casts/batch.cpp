// Casts whose answers have a fixed size: a single one goes straight to the kernel, on the calling thread. The answers of a batch
// go to the places of their casts, so these are searched in whatever order is best.

#include <algorithm>
#include <atomic>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/memory/outcome.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

// --- One -------------------------------------------------------------------------------------------------------

namespace {

simd::CastBatch one(const Cast& cast) noexcept { return {as_kernel(&cast), nullptr, 0, 1, false}; }

}  // namespace

FirstHit Frame::first_hit(const Cast& cast, const Filter& filter) const noexcept {
    if (const Code code = check(cast); code != Code::ok) return {{code, 0}, {}};
    if (state_ == nullptr) return {status(), {}};
    FirstHit first;
    state_->kernels->casts->first(state_->view, kernel_filters(*state_, filter), one(cast),
                                  as_kernel(&first.hit));
    return first;
}

Found Frame::blocked(const Cast& cast, const Filter& filter) const noexcept {
    if (const Code code = check(cast); code != Code::ok) return {.status = {code, 0}};
    if (state_ == nullptr) return {.status = status()};
    std::uint8_t found;
    state_->kernels->casts->blocked(state_->view, kernel_filters(*state_, filter), one(cast), &found);
    return {.status = {}, .found = found != 0};
}

// --- A batch ---------------------------------------------------------------------------------------------------

Status detail::check_all(const Executor& executor, const Casts& casts) noexcept {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> first_bad{none};
    const bool ran = parallel::for_ranges(executor, casts.size(), 8192, [&](parallel::Range part) {
        std::size_t i = part.begin;
        if (const Cast* const lying = casts.data(); lying != nullptr)
            while (i < part.end && is_legal(lying[i])) ++i;
        else
            while (i < part.end && is_legal(casts[i])) ++i;
        if (i < part.end) parallel::lower(first_bad, i);
    });
    if (!ran) return {Code::bad_executor};
    const std::size_t bad = first_bad.load(std::memory_order_relaxed);
    return bad == none ? Status{} : Status{check(casts[bad]), bad, Argument::boxes};
}

namespace {

// Casts are searched in the order of the cells in which they start, so that neighbours in this order read the same few rows.
// These are its bins: each row of each region is cut into equally many groups of columns.
class Bins {
public:
    Bins(const FrameState& frame, std::size_t casts) noexcept : frame_(frame) {
        const std::size_t wanted = std::min(casts, max_bins);
        capacity_ = std::max(wanted, frame.rows.size());
        groups_ = std::clamp<std::size_t>(wanted / frame.rows.size(), 1, 64);
        const simd::Grid& g = frame.map.grid_of_region(0);
        groups_in_width_ = g.inverse_width * (static_cast<float>(groups_) / static_cast<float>(g.columns));
    }
    std::size_t count() const noexcept { return frame_.rows.size() * groups_; }
    // For how many memory is kept: at least as many as there are, and mostly the same whatever the number of rows.
    std::size_t capacity() const noexcept { return capacity_; }
    std::size_t of(const Cast& cast) const noexcept {
        const float x = cast.start.min_x, y = cast.start.min_y;
        if (!frame_.map.has_islands()) {
            // Without a division: only the order depends on it.
            const simd::Grid& g = frame_.map.grid_of_region(0);
            return row_at(g, y) * groups_ +
                   place(x, g.origin_x, groups_in_width_, static_cast<float>(groups_ - 1));
        }
        const std::uint32_t region = frame_.map.region_at(x, y);
        const simd::Grid& g = frame_.map.grid_of_region(region);
        const std::size_t row = frame_.map.first_row(region) + row_at(g, y);
        // In 32 bits, which divide faster; there are at most 65,520 columns.
        return row * groups_ + column_at(g, x) * static_cast<std::uint32_t>(groups_) / g.columns;
    }

private:
    static constexpr std::size_t max_bins = 1 << 16;

    const FrameState& frame_;
    std::size_t capacity_, groups_;
    float groups_in_width_;  // in one unit of a world without islands
};

// Writes the order of the casts [0, count) to `space.order`.
Status sort_casts(const FrameState& frame, const Executor& executor, const Cast* casts, std::size_t count,
                  CastSpace& space) noexcept {
    const Bins bins(frame, count);
    // Each block counts in all bins, and one worker adds up what all counted.
    const std::size_t blocks = parallel::blocks_for(executor, count, 16384, 1);
    if (!reserve_amply(space.counts, blocks * bins.capacity()) ||
        !space.counts.resize(blocks * bins.count()) || !reserve_amply(space.starts, bins.capacity() + 1) ||
        !space.starts.resize(bins.count() + 1) || !resize_amply(space.order, count) ||
        !resize_amply(space.bins, count))
        return {Code::out_of_memory};
    const bool found = parallel::for_blocks(executor, blocks, [&](std::size_t b) {
        const parallel::Range part = parallel::range_of(count, blocks, b);
        for (std::size_t i = part.begin; i < part.end; ++i)
            space.bins[i] = static_cast<std::uint32_t>(bins.of(casts[i]));
    });
    if (!found) return {Code::bad_executor};
    return outcome(parallel::bin(executor, count, bins.count(), blocks, space.counts.data(),
                                 space.starts.data(), space.order.data(),
                                 [&](std::size_t i) { return space.bins[i]; }));
}

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
    const bool ran = parallel::for_ranges(executor_, count, 4096, [&](parallel::Range part) {
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
        const std::size_t blocks = parallel::blocks_for(executor_, count, 64, 16);
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
