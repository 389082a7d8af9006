// The vocabulary (simd/isa/README.md) of the lowest instruction set, which counts.
#pragma once

#include <cstdint>

#include "simd/isa/lowest.hpp"

namespace throng::counting {
// Of this thread.
extern constinit thread_local std::uint64_t counted;
}  // namespace throng::counting

namespace throng::simd {
namespace {

struct Counting : Lowest {
    static std::uint32_t bits(const Mask& mask) {
        ++counting::counted;
        return Lowest::bits(mask);
    }
    static std::uint32_t bits(const Mask& a, const Mask& b, const Mask& c, const Mask& d) {
        counting::counted += 4;
        return Lowest::bits(a, b, c, d);
    }
    // Once for each agent or pair that was found.
    template <class Bits>
    static std::uint32_t first_bit(Bits v) {
        ++counting::counted;
        return Lowest::first_bit(v);
    }
    static std::uint32_t above(const std::uint32_t* ids, std::uint32_t id) {
        ++counting::counted;
        return Lowest::above(ids, id);
    }
    static void left_pack(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        ++counting::counted;
        Lowest::left_pack(out, ids, mask);
    }
    static void pack_few(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        ++counting::counted;
        Lowest::pack_few(out, ids, mask);
    }
};

}  // namespace
}  // namespace throng::simd
