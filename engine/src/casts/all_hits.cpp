#include "engine/src/casts/all_hits.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/src/casts/cast_check.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

namespace {

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

bool comes_before(const CastHit& a, const CastHit& b) noexcept {
    if (a.t != b.t) return a.t < b.t;
    return a.is_static != b.is_static ? a.is_static < b.is_static : a.id < b.id;
}

bool append_unsorted(const FrameState& frame, const simd::LabelFilters& filters, const Cast& cast,
                     std::size_t n, Buffer<CastHit>& hits) noexcept {
    KeepHits keep{&hits};
    simd::CastSink sink = keep.sink();
    frame.kernels->casts->all(frame.view, filters, *as_kernel(&cast), n, sink);
    return !sink.stopped && hits.resize(static_cast<std::size_t>(sink.at - sink.begin));
}

}  // namespace

bool append_hits(const HitTargets& targets, const Cast& cast, std::size_t n, Buffer<CastHit>& hits) noexcept {
    const std::size_t before = hits.size();
    if (!append_unsorted(targets.agents, targets.filters, cast, n, hits)) return false;
    if (targets.elements != nullptr) {
        const std::size_t agents = hits.size();
        if (!append_unsorted(*targets.elements, targets.element_filters, cast, n, hits)) return false;
        for (std::size_t i = agents; i < hits.size(); ++i) hits[i].is_static = 1;
    }
    std::sort(hits.begin() + before, hits.end(), comes_before);
    return true;
}

bool AllHits::take_blocks(std::size_t count) noexcept {
    if (!space_->blocks.resize(count, nullptr)) return false;
    for (CastSpace*& block : space_->blocks) {
        block = targets_.agents.store->cast_spaces.take();
        if (block == nullptr) return false;
        block->hits.clear();
    }
    return true;
}

// In reverse, so that each is put before the others at once: the pool keeps them in the order of memory.
void AllHits::release_blocks() noexcept {
    for (std::size_t i = space_->blocks.size(); i-- > 0;)
        if (space_->blocks[i] != nullptr) targets_.agents.store->cast_spaces.put_back(space_->blocks[i]);
    space_->blocks.clear();
}

void AllHits::keep_blocks_ample() noexcept {
    std::size_t most = 0;
    for (const CastSpace* block : space_->blocks) most = std::max(most, block->hits.size());
    for (CastSpace* block : space_->blocks) {
        block->hit_room.follow(most);
        (void)block->hits.reserve(block->hit_room.count);
    }
}

bool AllHits::find_block(std::size_t begin, std::size_t end, CastSpace& block,
                         std::uint64_t* ends) const noexcept {
    for (std::size_t i = begin; i < end; ++i) {
        if (!append_hits(targets_, casts_[i], i, block.hits)) return false;
        ends[i] = block.hits.size();
    }
    return true;
}

Status AllHits::find_blocks(std::uint64_t* ends) noexcept {
    const std::size_t count = casts_.size(), blocks = parallel::blocks_for(executor_, count, 64);
    if (!take_blocks(blocks)) return {Code::out_of_memory};
    std::atomic<bool> enough{true};
    const bool ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
        const parallel::Range part = parallel::range_of(count, blocks, b);
        if (enough.load(std::memory_order_relaxed) &&
            !find_block(part.begin, part.end, *space_->blocks[b], ends))
            enough.store(false, std::memory_order_relaxed);
    });
    if (!enough.load()) return {Code::out_of_memory};
    return {ran ? Code::ok : Code::bad_executor};
}

Status AllHits::join_blocks(std::uint64_t* ends, Buffer<CastHit>& hits) const noexcept {
    const std::size_t count = casts_.size(), blocks = space_->blocks.size();
    std::size_t total = 0;
    for (const CastSpace* block : space_->blocks) total += block->hits.size();
    if (!reserve_amply(hits, total) || !hits.resize(total)) return {Code::out_of_memory};
    const bool ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
        std::uint64_t begin = 0;
        for (std::size_t before = 0; before < b; ++before) begin += space_->blocks[before]->hits.size();
        const Buffer<CastHit>& found = space_->blocks[b]->hits;
        const parallel::Range part = parallel::range_of(count, blocks, b);
        for (std::size_t i = part.begin; i < part.end; ++i) ends[i] += begin;
        if (found.size() != 0) std::memcpy(hits.data() + begin, found.data(), found.size() * sizeof(CastHit));
    });
    return {ran ? Code::ok : Code::bad_executor};
}

Status AllHits::find(std::uint64_t* ends, Buffer<CastHit>& hits) noexcept {
    if (!space_) return {Code::out_of_memory};
    Status status = find_blocks(ends);
    if (status.ok()) status = join_blocks(ends, hits);
    keep_ample(hits, hits.size());
    if (status.code != Code::out_of_memory) keep_blocks_ample();
    release_blocks();
    return status;
}

}  // namespace throng::detail

namespace throng {

using namespace detail;

Status Frame::find_hits(const Casts& casts, CastHits& hits, const Filters& filters,
                        const Frame* elements) const noexcept {
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
    HitTargets targets{*state_, FilterBatch(*state_, filters).filters};
    const Filters of_elements = filters.of_elements();
    if (elements != nullptr && elements->state_ != nullptr) {
        targets.elements = elements->state_;
        targets.element_filters = FilterBatch(*elements->state_, of_elements).filters;
    }
    status = AllHits(targets, executor_, casts).find(hits.offsets_.data() + 1, hits.answers_);
    if (!status.ok()) hits.clear();
    return status;
}

Status Frame::all_hits(const Casts& casts, CastHits& hits, const Filters& filters) const noexcept {
    return find_hits(casts, hits, filters, nullptr);
}

Status Frame::visit_hits(const Cast& cast, const Filter& filter, const Frame* elements,
                         AnyVisitor<CastHit> visitor) const {
    if (const Code code = check(cast); code != Code::ok) return {code, 0};
    if (state_ == nullptr) return status();
    const Lease<CastSpace> space(state_->store->cast_spaces);
    if (!space) return {Code::out_of_memory};
    HitTargets targets{*state_, kernel_filters(*state_, filter)};
    Filter of_elements = filter;
    of_elements.self = no_agent;
    if (elements != nullptr && elements->state_ != nullptr) {
        targets.elements = elements->state_;
        targets.element_filters = kernel_filters(*elements->state_, of_elements);
    }
    space->hits.clear();
    if (!append_hits(targets, cast, 0, space->hits)) return {Code::out_of_memory};
    keep_ample(space->hits, space->hits.size());
    if (space->hits.size() != 0) (void)visitor(space->hits.data(), space->hits.size());
    return {};
}

Filled Frame::find_hits(const Cast& cast, std::span<CastHit> out, const Filter& filter,
                        const Frame* elements) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    Filled filled;
    const auto copy = [&](std::span<const CastHit> hits) {
        filled.total = hits.size();
        filled.written = std::min(hits.size(), out.size());
        if (filled.written != 0) std::memcpy(out.data(), hits.data(), filled.written * sizeof(CastHit));
    };
    filled.status = visit_hits(cast, filter, elements, any_visitor<CastHit>(copy));
    return filled;
}

Filled Frame::all_hits(const Cast& cast, std::span<CastHit> out, const Filter& filter) const noexcept {
    return find_hits(cast, out, filter, nullptr);
}

}  // namespace throng
