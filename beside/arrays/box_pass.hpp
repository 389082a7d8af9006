// One pass over a host's boxes, in blocks. Each block finds the answers to all queries among its boxes, in
// ascending order of ids, and keeps them. Then each block copies its own behind those of the blocks before
// it, query by query.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "beside/arrays/query_index.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "engine/src/memory/pool.hpp"
#include "parallel/blocks.hpp"
#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// What one block has found.
struct PassSpace : WorkSpace<PassSpace> {
    using WorkSpace::WorkSpace;
    Buffer<std::uint32_t> slots{host};    // boxes that may overlap a query in a cell
    Buffer<std::uint32_t> matches{host};  // the numbers of such queries
    Buffer<AgentId> matched{host};        // and the boxes that overlap them, at the same slots
    // Of queries that are compared with every box: ids, and how many belong to each query, tile after tile.
    Buffer<AgentId> ids{host};
    Buffer<std::uint32_t> lengths{host};
    // By query: how many answers, and later where the next one goes.
    Buffer<std::uint32_t> counts{host};
    Buffer<std::uint64_t> begins{host};
};

class BoxPass {
public:
    BoxPass(const simd::Kernels& kernels, const Executor& executor, const Boxes& boxes,
            const QueryIndex& index, HostMemory& memory) noexcept;
    ~BoxPass();
    BoxPass(const BoxPass&) = delete;

    // Look at all boxes. Name the lowest illegal one.
    Status count() noexcept { return run(true); }
    // How many boxes a query overlaps.
    std::uint64_t count_of(std::size_t query) const noexcept;
    // Writes the offsets of all lists, and then the lists.
    Status lists(Buffer<std::uint64_t>& offsets, Buffer<AgentId>& ids) noexcept;

private:
    Status run(bool counting) noexcept;
    // Returns the first illegal box, or how many there are.
    std::size_t run_block(std::size_t block, bool counting) noexcept;
    bool look_at(const simd::Columns& tile, std::size_t first, std::size_t count, bool counting,
                 PassSpace& space, std::size_t& legal) noexcept;
    bool find_alone(const simd::Columns& tile, std::size_t first, std::size_t count,
                    PassSpace& space) const noexcept;
    bool find_near(const simd::Columns& tile, std::size_t first, std::uint32_t listed,
                   PassSpace& space) const noexcept;
    void place(PassSpace& space, AgentId* ids) const noexcept;

    const simd::Kernels& kernels_;
    const Executor& executor_;
    const Boxes& boxes_;
    const QueryIndex& index_;
    const std::size_t blocks_;
    Pool<PassSpace> pool_;
    Buffer<PassSpace*> spaces_;
    std::atomic<bool> out_of_memory_{false};
};

}  // namespace throng::detail
