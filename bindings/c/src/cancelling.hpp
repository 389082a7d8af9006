// Whether calls of a thread shall end: Executor::cancelled for the engines of C.
#pragma once

#include "throng/executor.hpp"

namespace throng::c_api {

// Asks the host's callback now and then, on a thread that has set one by throng_cancel_with. On any other
// thread, and on those of executors, it is false.
bool is_cancelled(void*) noexcept;

// The same executor, with calls that this callback can cancel.
inline Executor cancellable(Executor executor) noexcept {
    executor.cancelled = is_cancelled;
    return executor;
}

}  // namespace throng::c_api
