// For steps in blocks: cuts the rows of a grid into groups with about equally many agents, or lists by their
// work; and the outcome of such a step.
#pragma once

#include <atomic>
#include <cstddef>

#include "parallel/blocks.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

struct RowGroup {
    std::size_t begin, end;
    std::size_t size() const noexcept { return end - begin; }
};

// How many groups to make: more than workers, so that a worker that finishes early takes another. Groups of
// one or two rows each would be uneven.
inline std::size_t row_groups_for(const Executor& executor, std::size_t rows, std::size_t agents) noexcept {
    constexpr std::size_t worth_a_step = 8192, smallest = 512;
    if (agents < worth_a_step || parallel::workers_of(executor) == 1) return 1;
    const std::size_t blocks = parallel::blocks_for(executor, agents, smallest);
    return 2 * blocks < rows ? blocks : rows;
}

// The index-th of `groups` groups. `before(r)` is how many agents are in the rows before r, for r from 0 to
// `rows`.
template <class Before>
RowGroup row_group(std::size_t rows, std::size_t groups, std::size_t index, Before&& before) noexcept {
    if (groups == rows) return {index, index + 1};
    const std::size_t total = before(rows);
    const auto edge = [&](std::size_t i) -> std::size_t {
        if (i == 0) return 0;
        if (i == groups) return rows;
        // The first row that begins at or after this share of the agents.
        const std::size_t wanted = total / groups * i + total % groups * i / groups;
        std::size_t low = 0, high = rows;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (before(middle) < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    return {edge(index), edge(index + 1)};
}

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
