// Scratch memory of a grid for its pairs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "throng/memory.hpp"
#include "throng/structures/detail/names.hpp"

namespace throng::structures::detail {

// Two packed rows, and what sweeps of overfull cells need. LooseGrid::assign sorts in the first, and notes
// the rows of all elements in the second.
struct PackedPairSpace {
    Buffer<std::byte> rows, sweep;
    std::size_t room_for_pairs = 0;  // in `rows`

    explicit PackedPairSpace(MemoryResource* memory) noexcept : rows(memory), sweep(memory) {}
    std::size_t bytes() const noexcept { return rows.bytes() + sweep.bytes(); }
};

// The kernel's scratch for the pairs of a row. Memory for sweeps of overfull cells, which few rows have,
// grows on demand, with headroom. Without it all are compared with all.
struct SweepScratch : simd::PairScratch {
    Buffer<std::byte>* memory;

    SweepScratch(const simd::Kernels& kernels, std::uint32_t* edges, Buffer<std::byte>* sweep) noexcept
        : simd::PairScratch{kernels.in_row, edges, sweep != nullptr ? make_room : nullptr, nullptr},
          memory(sweep) {}

private:
    static void* make_room(simd::PairScratch& scratch, std::size_t bytes) {
        Buffer<std::byte>& memory = *static_cast<SweepScratch&>(scratch).memory;
        memory.clear();
        return bytes <= memory.capacity() || memory.resize_exactly(bytes + bytes / 4) ? memory.data()
                                                                                      : nullptr;
    }
};

}  // namespace throng::structures::detail
