// The outcome of a step in blocks. If an executor did not run each block once, nothing else that blocks say
// counts.
#pragma once

#include <atomic>

#include "parallel/blocks.hpp"
#include "throng/status.hpp"

namespace throng::detail {

inline Status outcome(const parallel::Ran& ran) noexcept {
    return {ran ? Code::ok : ran.cancelled() ? Code::cancelled : Code::bad_executor};
}

inline Status outcome(const parallel::Ran& ran, const std::atomic<bool>& out_of_memory) noexcept {
    if (!ran) return outcome(ran);
    return {out_of_memory.load(std::memory_order_relaxed) ? Code::out_of_memory : Code::ok};
}

// For a search whose blocks may have given up in the middle.
inline Status outcome(const parallel::Stop& stop, const Status& status) noexcept {
    return stop.said() ? Status{Code::cancelled} : status;
}

}  // namespace throng::detail
