#include "bench/common/workers.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#ifdef THRONG_BENCH_TBB
#include <tbb/info.h>
#include <tbb/task_arena.h>
#endif

namespace throng::bench {

unsigned hardware_threads() noexcept { return std::max(1u, std::thread::hardware_concurrency()); }

#ifdef THRONG_BENCH_TBB

unsigned max_threads() noexcept {
    return has_tbb() ? static_cast<unsigned>(std::max(1, tbb::info::default_concurrency())) : 1;
}

void run_on(unsigned threads, const std::function<void(const Executor&)>& body) {
    if (threads <= 1) return body(serial_executor());
    if (!has_tbb())
        throw std::runtime_error("more than one thread needs a library that was built with oneTBB");
    tbb::task_arena arena(static_cast<int>(threads));
    // The executor takes its worker count from the arena in which it is made.
    arena.execute([&] { body(tbb_executor()); });
}

#else

unsigned max_threads() noexcept { return 1; }

void run_on(unsigned threads, const std::function<void(const Executor&)>& body) {
    if (threads > 1) throw std::runtime_error("more than one thread needs a build with oneTBB");
    body(serial_executor());
}

#endif

}  // namespace throng::bench
