// Single casts: straight to the kernel, on the calling thread.

#include <algorithm>
#include <cstring>

#include "engine/src/casts/batch.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

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

Status Frame::visit_hits(const Cast& cast, const Filter& filter, AnyVisitor<CastHit> visitor) const {
    if (const Code code = check(cast); code != Code::ok) return {code, 0};
    if (state_ == nullptr) return status();
    const Lease<CastSpace> space(state_->store->cast_spaces);
    if (!space) return {Code::out_of_memory};
    space->hits.clear();
    if (!append_hits(*state_, kernel_filters(*state_, filter), cast, 0, space->hits))
        return {Code::out_of_memory};
    keep_ample(space->hits, space->hits.size());
    if (space->hits.size() != 0) (void)visitor(space->hits.data(), space->hits.size());
    return {};
}

Filled Frame::all_hits(const Cast& cast, std::span<CastHit> out, const Filter& filter) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view}};
    Filled filled;
    const auto copy = [&](std::span<const CastHit> hits) {
        filled.total = hits.size();
        filled.written = std::min(hits.size(), out.size());
        if (filled.written != 0) std::memcpy(out.data(), hits.data(), filled.written * sizeof(CastHit));
    };
    filled.status = for_each_hit(cast, copy, filter);
    return filled;
}

}  // namespace throng
