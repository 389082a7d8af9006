// The vocabulary of 64-bit Arm: four lanes, a mask gathered by bit weights, and a left-pack by a table of
// byte numbers. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <arm_neon.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

namespace throng::simd {
namespace {

// Which bytes a mask of four bits keeps, in order: one row of sixteen bytes for every mask.
struct ByteTable {
    alignas(64) std::uint8_t bytes[16][16];
    constexpr ByteTable() : bytes{} {
        for (unsigned mask = 0; mask < 16; ++mask) {
            unsigned kept = 0;
            for (unsigned lane = 0; lane < 4; ++lane)
                if (mask >> lane & 1)
                    for (unsigned byte = 0; byte < 4; ++byte)
                        bytes[mask][kept++] = static_cast<std::uint8_t>(4 * lane + byte);
        }
    }
};
constexpr ByteTable byte_table;
constexpr std::uint32_t bit_weights[4] = {1, 2, 4, 8};

struct Neon64 {
    using Four = xsimd::batch<float, xsimd::neon64>;
    using Window = Four;
    using Wide = Four;

    static std::uint32_t bits(const Four::batch_bool_type& mask) {
        return vaddvq_u32(vandq_u32(mask.data, vld1q_u32(bit_weights)));
    }
    static void store_u16(std::uint16_t* out, const Window& values) {
        vst1_u16(out, vmovn_u32(vcvtq_u32_f32(values.data)));
    }
    static void left_pack(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        const uint8x16_t values = vreinterpretq_u8_u32(vld1q_u32(ids));
        vst1q_u32(out, vreinterpretq_u32_u8(vqtbl1q_u8(values, vld1q_u8(byte_table.bytes[mask]))));
    }
    static std::uint32_t count_bits(std::uint64_t v) { return vaddv_u8(vcnt_u8(vcreate_u8(v))); }
};

}  // namespace
}  // namespace throng::simd
