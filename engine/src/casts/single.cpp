// Single casts: straight to the kernel, on the calling thread.

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

}  // namespace throng
