// Puts the lists of a frame into ascending order of ids.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/blocks.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "parallel/blocks.hpp"
#include "throng/compiler.hpp"
#include "throng/executor.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Sorts lists of ids below `bound`, each once. If a list has a good part of all ids, it is read off their
// bits.
class ListSorter {
public:
    ListSorter(std::size_t bound, HostMemory& memory) noexcept : bound_(bound), bits_(&memory) {}

    // Returns false if there is no memory.
    bool sort(std::span<AgentId> list) noexcept {
        constexpr std::size_t ids_an_answer = 64;
        if (list.size() < bound_ / ids_an_answer + 64) {
            std::sort(list.begin(), list.end());
            return true;
        }
        bits_.clear();
        if (!bits_.resize(bound_ / 64 + 1, std::uint64_t{0})) return false;
        for (const AgentId id : list) bits_[id / 64] |= std::uint64_t{1} << id % 64;
        AgentId* to = list.data();
        for (std::size_t w = 0; w < bits_.size(); ++w)
            for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1)
                *to++ = static_cast<AgentId>(64 * w + lowest_bit(word));
        return true;
    }

private:
    const std::size_t bound_;
    Buffer<std::uint64_t> bits_;
};

inline Status sort_lists(const Executor& executor, std::size_t bound, std::span<const std::uint64_t> offsets,
                         Buffer<AgentId>& ids, HostMemory& memory) noexcept {
    constexpr std::size_t lists_in_a_block = 64;
    std::atomic<bool> out_of_memory{false};
    const parallel::Ran ran = parallel::for_ranges(
        executor, offsets.size() - 1, lists_in_a_block, [&](const parallel::Range& part) {
            ListSorter sorter(bound, memory);
            for (std::size_t i = part.begin; i < part.end; ++i) {
                const auto begin = static_cast<std::size_t>(offsets[i]);
                if (!sorter.sort({ids.data() + begin, static_cast<std::size_t>(offsets[i + 1]) - begin}))
                    out_of_memory.store(true, std::memory_order_relaxed);
            }
        });
    return outcome(ran, out_of_memory);
}

}  // namespace throng::detail
