#include "engine/src/casts/batch.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/src/casts/batch_order.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

namespace {

// Fewer casts are not worth sorting; more at a time would need more scratch memory.
constexpr std::size_t least_sorted = 256, most_sorted = 1 << 20;

// A sink that appends to a growing buffer.
struct KeepHits {
    Buffer<CastHit>* hits;

    simd::CastSink sink() noexcept {
        simd::CastHit* const begin = as_kernel(hits->data());
        return {begin, begin + hits->size(), begin + hits->capacity(), full, this, false};
    }
    static void full(simd::CastSink& sink) {
        KeepHits& keep = *static_cast<KeepHits*>(sink.context);
        const auto have = static_cast<std::size_t>(sink.at - sink.begin);
        if (!keep.hits->resize(have) || !keep.hits->reserve(have + have / 2 + 64)) {
            sink.stopped = true;
            return;
        }
        sink = keep.sink();
    }
};

// The status of the first illegal cast, checked by all workers.
Status check_all(const Executor& executor, std::span<const Cast> casts) noexcept {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> first_bad{none};
    const std::size_t blocks = parallel::blocks_for(executor, casts.size(), 8192);
    const bool ran = parallel::for_blocks(executor, blocks, [&](std::size_t b) {
        const parallel::Range part = parallel::range_of(casts.size(), blocks, b);
        const Status status = check(casts.subspan(part.begin, part.size()));
        if (!status.ok()) parallel::lower(first_bad, part.begin + status.index);
    });
    if (!ran) return {Code::bad_executor};
    const std::size_t bad = first_bad.load(std::memory_order_relaxed);
    return bad == none ? Status{} : Status{check(casts[bad]), bad};
}

bool comes_before(const CastHit& a, const CastHit& b) noexcept {
    return a.t != b.t ? a.t < b.t : a.id < b.id;
}

}  // namespace

bool append_hits(const FrameState& frame, const simd::LabelFilters& filters, const Cast& cast, std::size_t n,
                 Buffer<CastHit>& hits) noexcept {
    const std::size_t before = hits.size();
    KeepHits keep{&hits};
    simd::CastSink sink = keep.sink();
    frame.kernels->casts->all(frame.view, filters, *as_kernel(&cast), n, sink);
    if (sink.stopped || !hits.resize(static_cast<std::size_t>(sink.at - sink.begin))) return false;
    std::sort(hits.begin() + before, hits.end(), comes_before);
    return true;
}

// --- Answers of a fixed size -------------------------------------------------------------------------------

template <class Kernel, class Answer>
Status CastBatch::answer(Kernel kernel, Answer* answers, bool is_static) noexcept {
    if (!space_) return {Code::out_of_memory};
    for (std::size_t first = 0; first < casts_.size(); first += most_sorted) {
        const std::size_t count = std::min(most_sorted, casts_.size() - first);
        const Cast* casts = casts_.data() + first;
        const bool sorted = count >= least_sorted;
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

Status CastBatch::find_first(CastHit* hits, bool is_static) noexcept {
    return answer(frame_.kernels->casts->first, as_kernel(hits), is_static);
}

Status CastBatch::find_any(std::uint8_t* answers, bool is_static) noexcept {
    return answer(frame_.kernels->casts->blocked, answers, is_static);
}

// --- All hits ----------------------------------------------------------------------------------------------

bool CastBatch::take_blocks(std::size_t count) noexcept {
    if (!space_->blocks.resize(count, nullptr)) return false;
    for (CastSpace*& block : space_->blocks) {
        block = frame_.store->cast_spaces.take();
        if (block == nullptr) return false;
        block->hits.clear();
    }
    return true;
}

// In reverse, so that each is put before the others at once: the pool keeps them in the order of memory.
void CastBatch::release_blocks() noexcept {
    for (std::size_t i = space_->blocks.size(); i-- > 0;)
        if (space_->blocks[i] != nullptr) frame_.store->cast_spaces.put_back(space_->blocks[i]);
    space_->blocks.clear();
}

bool CastBatch::find_block(std::size_t begin, std::size_t end, CastSpace& block,
                           std::uint64_t* ends) const noexcept {
    for (std::size_t i = begin; i < end; ++i) {
        if (!append_hits(frame_, filters_.filters, casts_[i], i, block.hits)) return false;
        ends[i] = block.hits.size();
    }
    return true;
}

void CastBatch::keep_blocks_ample() noexcept {
    std::size_t most = 0;
    for (const CastSpace* block : space_->blocks) most = std::max(most, block->hits.size());
    for (CastSpace* block : space_->blocks) {
        block->hit_room.follow(most);
        (void)block->hits.reserve(block->hit_room.count);
    }
}

Status CastBatch::find_all(std::uint64_t* ends, Buffer<CastHit>& hits) noexcept {
    if (!space_) return {Code::out_of_memory};
    const std::size_t count = casts_.size(), blocks = parallel::blocks_for(executor_, count, 64);
    std::atomic<bool> enough{take_blocks(blocks)};
    bool ran = enough.load() && parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
                   const parallel::Range part = parallel::range_of(count, blocks, b);
                   if (enough.load(std::memory_order_relaxed) &&
                       !find_block(part.begin, part.end, *space_->blocks[b], ends))
                       enough.store(false, std::memory_order_relaxed);
               });
    std::uint64_t total = 0;
    for (std::size_t b = 0; b < blocks && enough.load(); ++b) total += space_->blocks[b]->hits.size();
    if (ran && enough.load() && !(reserve_amply(hits, total) && hits.resize(total))) enough.store(false);
    keep_ample(hits, hits.size());
    if (ran && enough.load())
        ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
            std::uint64_t begin = 0;
            for (std::size_t before = 0; before < b; ++before) begin += space_->blocks[before]->hits.size();
            const Buffer<CastHit>& found = space_->blocks[b]->hits;
            const parallel::Range part = parallel::range_of(count, blocks, b);
            for (std::size_t i = part.begin; i < part.end; ++i) ends[i] += begin;
            if (found.size() != 0)
                std::memcpy(hits.data() + begin, found.data(), found.size() * sizeof(CastHit));
        });
    if (enough.load()) keep_blocks_ample();
    release_blocks();
    if (!enough.load()) return {Code::out_of_memory};
    return {ran ? Code::ok : Code::bad_executor};
}

}  // namespace throng::detail

namespace throng {

using namespace detail;

Status Frame::first_hits(std::span<const Cast> casts, std::span<CastHit> hits,
                         const Filters& filters) const noexcept {
    return find_first(casts, hits, filters, false);
}

Status Frame::find_first(std::span<const Cast> casts, std::span<CastHit> hits, const Filters& filters,
                         bool is_static) const noexcept {
    if (casts.size() != hits.size()) return {Code::size_mismatch};
    if (hits.data() == nullptr && !hits.empty()) return {Code::null_view};
    Status status = check(casts, filters);
    if (status.ok()) status = Frame::status();
    if (status.ok()) status = check_all(executor_, casts);
    if (status.ok() && state_ != nullptr)
        status = CastBatch(*state_, executor_, casts, filters).find_first(hits.data(), is_static);
    if (!status.ok() || (state_ == nullptr && !is_static)) std::fill(hits.begin(), hits.end(), CastHit{});
    return status;
}

Status Frame::blocked(std::span<const Cast> casts, std::span<std::uint8_t> answers,
                      const Filters& filters) const noexcept {
    return find_any(casts, answers, filters, false);
}

Status Frame::find_any(std::span<const Cast> casts, std::span<std::uint8_t> answers, const Filters& filters,
                       bool is_static) const noexcept {
    if (casts.size() != answers.size()) return {Code::size_mismatch};
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view};
    Status status = check(casts, filters);
    if (status.ok()) status = Frame::status();
    if (status.ok()) status = check_all(executor_, casts);
    if (status.ok() && state_ != nullptr)
        status = CastBatch(*state_, executor_, casts, filters).find_any(answers.data(), is_static);
    if (!status.ok() || (state_ == nullptr && !is_static))
        std::fill(answers.begin(), answers.end(), std::uint8_t{0});
    return status;
}

Status Frame::all_hits(std::span<const Cast> casts, CastHits& hits, const Filters& filters) const noexcept {
    hits.clear();
    Status status = check(casts, filters);
    if (status.ok()) status = Frame::status();
    if (status.ok()) status = check_all(executor_, casts);
    if (status.ok() &&
        (!reserve_amply(hits.offsets_, casts.size() + 1) || !hits.offsets_.resize(casts.size() + 1)))
        status = {Code::out_of_memory};
    if (!status.ok()) return status;
    std::fill(hits.offsets_.begin(), hits.offsets_.end(), std::uint64_t{0});
    if (state_ == nullptr) return {};
    status = CastBatch(*state_, executor_, casts, filters).find_all(hits.offsets_.data() + 1, hits.hits_);
    if (!status.ok()) hits.clear();
    return status;
}

}  // namespace throng
