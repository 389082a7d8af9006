// What a step in blocks came to. Where an executor did not run each block once, nothing else that blocks say
// counts.
#pragma once

#include <atomic>

#include "throng/status.hpp"

namespace throng::detail {

inline Status outcome(bool ran) noexcept { return {ran ? Code::ok : Code::bad_executor}; }

inline Status outcome(bool ran, const std::atomic<bool>& out_of_memory) noexcept {
    if (!ran) return {Code::bad_executor};
    return {out_of_memory.load(std::memory_order_relaxed) ? Code::out_of_memory : Code::ok};
}

}  // namespace throng::detail
