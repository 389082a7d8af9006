// The kernel's scratch for the pairs of a row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "throng/containers/buffer.hpp"

namespace throng::detail {

// Memory for sweeps of overfull cells, which few rows have, grows on demand, with headroom. Without it all are compared with
// all.
struct SweepScratch : simd::PairScratch {
    Buffer<std::byte>* memory;

    SweepScratch(std::uint32_t* edges, Buffer<std::byte>* sweep) noexcept
        : simd::PairScratch{edges, sweep != nullptr ? make_room : nullptr, nullptr}, memory(sweep) {}

private:
    static void* make_room(simd::PairScratch& scratch, std::size_t bytes) {
        Buffer<std::byte>& memory = *static_cast<SweepScratch&>(scratch).memory;
        memory.clear();
        return bytes <= memory.capacity() || memory.resize_exactly(bytes + bytes / 4) ? memory.data()
                                                                                      : nullptr;
    }
};

}  // namespace throng::detail
