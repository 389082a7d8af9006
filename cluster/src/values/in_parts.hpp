// Numbered parts of a task, by the threads of the host's executor.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "parallel/blocks.hpp"
#include "throng/executor.hpp"

namespace throng::cluster::detail {

// Calls `call(part)` once for each. Each thread takes the next part; this one does what is left over, so an
// executor that does less than it should costs time alone.
template <class Call>
void in_parts(const Executor& executor, std::size_t parts, const Call& call) noexcept {
    struct Work {
        const Call& call;
        const std::size_t parts;
        std::atomic<std::size_t> next{0};
    } work{call, parts};
    const Executor::Body take = [](void* argument, std::size_t) {
        Work& mine = *static_cast<Work*>(argument);
        for (std::size_t part; (part = mine.next.fetch_add(1)) < mine.parts;) mine.call(part);
    };
    const std::size_t threads = std::min(parts, parallel::workers_of(executor));
    if (threads > 1) executor.parallel_for(executor.context, threads, take, &work);
    take(&work, 0);
}

}  // namespace throng::cluster::detail
