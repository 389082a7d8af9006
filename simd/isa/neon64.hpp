// The vocabulary of 64-bit Arm: four lanes, a mask gathered by bit weights, and a left-pack by a table of
// byte numbers. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <arm_neon.h>

#include <cstdint>

#include "simd/isa/four_lanes.hpp"

namespace throng::simd {
namespace {

// The bytes that a mask of four bits keeps, in order: one row of sixteen bytes for every mask.
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
constexpr std::uint8_t byte_weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

struct Neon64 : FourLanes<xsimd::neon64> {
    static std::uint32_t bits(const Mask& mask) {
        return vaddvq_u32(vandq_u32(mask.data, vld1q_u32(bit_weights)));
    }
    static std::uint32_t bits(const Mask& a, const Mask& b, const Mask& c, const Mask& d) {
        const auto pack = [](const Mask& low, const Mask& high) {
            return vuzp1q_u16(vreinterpretq_u16_u32(low.data), vreinterpretq_u16_u32(high.data));
        };
        const uint8x16_t bytes =
            vandq_u8(vuzp1q_u8(vreinterpretq_u8_u16(pack(a, b)), vreinterpretq_u8_u16(pack(c, d))),
                     vld1q_u8(byte_weights));
        return vaddv_u8(vget_low_u8(bytes)) | std::uint32_t{vaddv_u8(vget_high_u8(bytes))} << 8;
    }
    // Not the instructions for it: if a lane is not a number, they return that.
    static Four larger(const Four& a, const Four& b) {
        return vbslq_f32(vcgtq_f32(a.data, b.data), a.data, b.data);
    }
    static Four smaller(const Four& a, const Four& b) {
        return vbslq_f32(vcltq_f32(a.data, b.data), a.data, b.data);
    }
    // xsimd's own use an estimate of the inverse, which is not exact.
    static Four quotient(const Four& a, const Four& b) { return vdivq_f32(a.data, b.data); }
    static Four root(const Four& v) { return vsqrtq_f32(v.data); }
    static std::uint32_t above(const std::uint32_t* ids, std::uint32_t id) {
        return bits(Mask(vcgtq_u32(vld1q_u32(ids), vdupq_n_u32(id))));
    }
    static void store_u16(std::uint16_t* out, const Window& values) {
        vst1_u16(out, vmovn_u32(vcvtq_u32_f32(values.data)));
    }
    static void left_pack(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        const uint8x16_t values = vreinterpretq_u8_u32(vld1q_u32(ids));
        vst1q_u32(out, vreinterpretq_u32_u8(vqtbl1q_u8(values, vld1q_u8(byte_table.bytes[mask]))));
    }
    static void pack_few(std::uint32_t* out, const std::uint32_t* ids, std::uint32_t mask) {
        left_pack(out, ids, mask);
    }
    static std::uint32_t count_bits(std::uint64_t v) { return vaddv_u8(vcnt_u8(vcreate_u8(v))); }
    static void slots(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        const uint16x8_t lanes = vmovl_u8(vld1_u8(lane_table.lanes[mask]));
        const uint32x4_t base = vdupq_n_u32(first);
        vst1q_u32(out, vaddw_u16(base, vget_low_u16(lanes)));
        vst1q_u32(out + 4, vaddw_u16(base, vget_high_u16(lanes)));
    }
};

}  // namespace
}  // namespace throng::simd
