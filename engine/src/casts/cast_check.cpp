#include "engine/src/casts/cast_check.hpp"

#include <atomic>

#include "parallel/blocks.hpp"

namespace throng::detail {

Status check_all(const Executor& executor, const Casts& casts) noexcept {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> first_bad{none};
    const bool ran = parallel::for_ranges(executor, casts.size(), 8192, [&](parallel::Range part) {
        std::size_t i = part.begin;
        if (const Cast* const lying = casts.data(); lying != nullptr)
            while (i < part.end && is_legal(lying[i])) ++i;
        else
            while (i < part.end && is_legal(casts[i])) ++i;
        if (i < part.end) parallel::lower(first_bad, i);
    });
    if (!ran) return {Code::bad_executor};
    const std::size_t bad = first_bad.load(std::memory_order_relaxed);
    return bad == none ? Status{} : Status{check(casts[bad]), bad, Argument::boxes};
}

}  // namespace throng::detail
