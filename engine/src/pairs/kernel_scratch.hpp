// The memory of the kernels for pairs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>

#include "engine/src/store/store.hpp"
#include "simd/types.hpp"

namespace throng::detail {

// The kernels' scratch from a work space, which grows on demand. All spaces of the store grow to the size of
// the largest, so allocations do not depend on which block meets the full cells.
struct KernelScratch : simd::PairScratch {
    PairSpace& space;
    std::atomic<std::size_t>& most;
    bool out_of_memory = false;

    KernelScratch(PairSpace& s, Store& store) noexcept
        : simd::PairScratch{s.edge.data(), make_room, nullptr}, space(s), most(store.spaces.sweep_bytes) {}

    static void* make_room(simd::PairScratch& scratch, std::size_t bytes) {
        auto& self = static_cast<KernelScratch&>(scratch);
        constexpr std::size_t line = 64;
        std::size_t known = self.most.load(std::memory_order_relaxed);
        while (known < bytes + line &&
               !self.most.compare_exchange_weak(known, bytes + line, std::memory_order_relaxed)) {
        }
        if (!reserve_amply(self.space.sweep, std::max(known, bytes + line))) {
            self.out_of_memory = true;
            return nullptr;
        }
        void* at = self.space.sweep.data();
        std::size_t room = self.space.sweep.capacity();
        return std::align(line, bytes, at, room);
    }
};

}  // namespace throng::detail
