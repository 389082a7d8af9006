// Whether calls of a thread shall end: what Executor::cancelled is to the engines of C.
#pragma once

#include "throng/executor.hpp"

namespace throng::c_api {

// On a thread whose calls are asked about, asks the host now and then; on others, and those of executors,
// false.
bool is_cancelled(void*) noexcept;

// The executor, with that question.
inline Executor cancellable(Executor executor) noexcept {
    executor.cancelled = is_cancelled;
    return executor;
}

}  // namespace throng::c_api
