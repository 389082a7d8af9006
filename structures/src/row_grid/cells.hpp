// Shared by the sources of RowGrid: blocks of rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/box_math.hpp"
#include "parallel/blocks.hpp"
#include "structures/src/row_grid/state.hpp"
#include "structures/src/rows/carver.hpp"

namespace throng::structures::detail {

// For work that must be completed, since it changes the grid: blocks that the executor leaves out are run
// here. `done` has a byte for each block, all zero.
template <class Body>
void run_all(const Executor& executor, std::size_t count, std::uint8_t* done, Body&& body) noexcept {
    const parallel::Ran ran = parallel::for_blocks(executor, count, [&](std::size_t block) {
        body(block);
        done[block] = 1;
    });
    for (std::size_t block = 0; block < count && !ran; ++block)
        if (done[block] == 0) body(block);
}

// Cuts rows into blocks with about equally many elements: block b has the rows edges[b] to edges[b + 1] - 1.
template <class SizeOf>
void cut_rows(std::size_t rows, std::size_t total, std::size_t blocks, std::uint32_t* edges,
              SizeOf&& size_of) noexcept {
    std::size_t sum = 0, row = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        edges[b] = static_cast<std::uint32_t>(row);
        const std::size_t wanted = total / blocks * (b + 1);
        while (row < rows && (sum < wanted || b + 1 == blocks)) sum += size_of(row++);
    }
    edges[blocks] = static_cast<std::uint32_t>(rows);
}

}  // namespace throng::structures::detail
