// Rows have their agents in any order of ids, and a box that is written anywhere in memory waits for four lines of it. So where
// ids are many, agents first go to portions of 4,096 ids, as records, and from there to their places while these are in a cache:
//
//     rows        7000  12  5113 ...  |  4096  300 ...
//     portions    12  300 ...         |  7000  5113  4096 ...        each with room for all of its ids
//     boxes       12  300 ...         |  4096  5113  7000 ...        as four arrays
#include "engine/src/write/ids/frame_by_id.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <span>

#include "engine/src/store/store.hpp"
#include "engine/src/write/ids/each_agent.hpp"
#include "simd/row_kernels.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

constexpr unsigned usual_shift = 12;
constexpr std::size_t fewest_portions = 16, most_portions = 1024;

using Cursors = std::array<simd::Record*, most_portions>;

struct Portions {
    unsigned shift = usual_shift;  // each has 2^shift ids
    std::size_t bound, number;
    simd::Record* records = nullptr;
    std::array<std::atomic<std::uint32_t>, most_portions> sizes{};

    explicit Portions(std::size_t ids) noexcept : bound(ids) {
        while (bound >> shift >= most_portions) ++shift;
        number = (bound >> shift) + 1;
    }
    std::size_t bytes() const noexcept { return (number << shift) * sizeof(simd::Record); }
    simd::Record* begin(std::size_t p) const noexcept { return records + (p << shift); }

    // Appends the agents [begin, end) of a row.
    void append(const FrameState& frame, const simd::Row& row, std::size_t begin, std::size_t end,
                Cursors& cursors) const noexcept {
        constexpr std::size_t at_once = 512;
        std::uint16_t portion_of[at_once];
        const RowArrays a(row);
        while (begin < end) {
            const std::size_t count = std::min(at_once, end - begin);
            for (std::size_t k = 0; k < count; ++k)
                portion_of[k] = static_cast<std::uint16_t>(a.id[begin + k] >> shift);
            const std::size_t taken = frame.kernels->rows->scatter(
                {a.min_x + begin, a.min_y + begin, a.max_x + begin, a.max_y + begin, false}, count,
                a.id + begin, 0, portion_of, cursors.data(), number);
            begin += taken == count ? count : taken + 1;  // a hole is no legal box
        }
    }

    // Several parts of the rows count theirs first, so that each has places of its own.
    void take(const FrameState& frame, const parallel::Range& rows) noexcept {
        const bool is_all = rows.size() == frame.rows.size();
        std::array<std::uint32_t, most_portions> counts{};
        Cursors cursors;
        if (!is_all)
            for_each_agent_of(frame, rows,
                              [&](AgentId id, const simd::Row&, std::uint32_t) { ++counts[id >> shift]; });
        for (std::size_t p = 0; p < number; ++p)
            cursors[p] = begin(p) + sizes[p].fetch_add(counts[p], std::memory_order_relaxed);
        for (std::size_t r = rows.begin; r < rows.end; ++r) {
            const simd::Row& row = frame.rows[r];
            if (agents_in(row) == 0) continue;
            append(frame, row, 0, row.count, cursors);
            append(frame, row, oversized_begin(row), oversized_end(row), cursors);
        }
        for (std::size_t p = 0; p < number && is_all; ++p)
            sizes[p].store(static_cast<std::uint32_t>(cursors[p] - begin(p)), std::memory_order_relaxed);
    }

    void write(std::size_t p, BoxArrays& boxes) const noexcept {
        constexpr Box no_box{std::numeric_limits<float>::quiet_NaN(), 0, 0, 0};
        const std::size_t first = p << shift, ids = std::min(bound - first, std::size_t{1} << shift);
        const std::span<const simd::Record> here{begin(p), sizes[p].load(std::memory_order_relaxed)};
        const auto box_of = [](const simd::Record& r) { return Box{r.min_x, r.min_y, r.max_x, r.max_y}; };
        if (shift > usual_shift) {
            for (const simd::Record& record : here) boxes.set(record.id, box_of(record));
            return;
        }
        std::array<Box, 1 << usual_shift> by_id;
        if (here.size() < ids) std::fill_n(by_id.begin(), ids, no_box);
        for (const simd::Record& record : here) {
            THRONG_PREFETCH(&record + 32);
            by_id[record.id - first] = box_of(record);
        }
        boxes.copy({by_id.data(), ids}, first);
    }
};

}  // namespace

bool write_boxes_by_id(const Executor& executor, const FrameState& frame, BoxArrays& boxes) noexcept {
    Portions portions(boxes.size());
    const bool pays = portions.number >= fewest_portions && boxes.size() / 2 <= frame.agents;
    // As much as a frame takes, so the next one gets the same block.
    Block* block = !pays ? nullptr
                         : frame.store->take(std::max(
                               portions.bytes(), max_bytes_of_rows(frame.map, frame.agents, frame.labelled)));
    if (block == nullptr)
        return for_each_agent(executor, frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
            boxes.set(id, RowArrays(row).box(i));
        });
    portions.records = reinterpret_cast<simd::Record*>(block->memory);
    bool ran =
        for_parts_of_rows(executor, frame, [&](const parallel::Range& rows) { portions.take(frame, rows); });
    ran = ran &&
          parallel::for_blocks(executor, portions.number, [&](std::size_t p) { portions.write(p, boxes); });
    frame.store->put_back(block);
    return ran;
}

}  // namespace throng::detail
