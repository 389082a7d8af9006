// The vocabulary of 64-bit Arm: four lanes, a mask gathered by bit weights, and a left-pack by a table of
// byte numbers. For the meaning of each operation see simd/isa/README.md.
#pragma once

#include <arm_neon.h>

#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "simd/isa/lane_table.hpp"
#include "simd/isa/take.hpp"

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
constexpr std::uint8_t byte_weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

struct Neon64 {
    using Four = xsimd::batch<float, xsimd::neon64>;
    using Window = Four;
    using Wide = Four;
    using Mask = Four::batch_bool_type;

    static std::uint32_t bits(const Four::batch_bool_type& mask) {
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
    // Not the instructions for it: where a lane is not a number, so is what they give.
    static Four larger(const Four& a, const Four& b) {
        return vbslq_f32(vcgtq_f32(a.data, b.data), a.data, b.data);
    }
    static Four smaller(const Four& a, const Four& b) {
        return vbslq_f32(vcltq_f32(a.data, b.data), a.data, b.data);
    }
    // xsimd's own goes by an estimate of the inverse, which is not exact.
    static Four quotient(const Four& a, const Four& b) { return vdivq_f32(a.data, b.data); }
    static std::uint32_t above(const std::uint32_t* ids, std::uint32_t id) {
        return bits(Mask(vcgtq_u32(vld1q_u32(ids), vdupq_n_u32(id))));
    }
    static Mask at_least(const Four& a, const Four& b) { return b <= a; }
    static Four zip_low(const Four& a, const Four& b) { return xsimd::zip_lo(a, b); }
    static Four zip_high(const Four& a, const Four& b) { return xsimd::zip_hi(a, b); }
    static Window quarters(const float* at, std::size_t) { return Window::load_unaligned(at); }
    static Four quarter(const Window& v, std::size_t) { return v; }
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
    static std::uint32_t first_bit(std::uint32_t v) {
        return static_cast<std::uint32_t>(__builtin_ctz(v | std::uint32_t{1} << 31));
    }
    static std::uint32_t first_bit(std::uint64_t v) {
        return static_cast<std::uint32_t>(__builtin_ctzll(v | std::uint64_t{1} << 63));
    }
    static void places(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        const uint16x8_t lanes = vmovl_u8(vld1_u8(lane_table.lanes[mask]));
        const uint32x4_t base = vdupq_n_u32(first);
        vst1q_u32(out, vaddw_u16(base, vget_low_u16(lanes)));
        vst1q_u32(out + 4, vaddw_u16(base, vget_high_u16(lanes)));
    }

    using Take = NoTake<Window>;
    static void ranks(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
        add_ranks(out, first, mask);
    }
    static std::uint32_t marked(const std::uint32_t* words, const std::uint32_t* ids) {
        return find_marked(words, ids);
    }

    class Starts {
    public:
        static constexpr std::size_t lanes = 4;

        void take(std::uint32_t* counts) {
            const uint32x4_t here = vld1q_u32(counts), zero = vdupq_n_u32(0);
            uint32x4_t sum = vaddq_u32(here, vextq_u32(zero, here, 3));
            sum = vaddq_u32(sum, vextq_u32(zero, sum, 2));
            sum = vaddq_u32(sum, before_);
            vst1q_u32(counts, vsubq_u32(sum, here));
            before_ = vdupq_laneq_u32(sum, 3);
            squares_ = vmlal_u32(squares_, vget_low_u32(here), vget_low_u32(here));
            squares_ = vmlal_u32(squares_, vget_high_u32(here), vget_high_u32(here));
        }
        std::uint32_t sum() const { return vgetq_lane_u32(before_, 0); }
        std::uint64_t squares() const { return vaddvq_u64(squares_); }

    private:
        uint32x4_t before_ = vdupq_n_u32(0);
        uint64x2_t squares_ = vdupq_n_u64(0);
    };
};

}  // namespace
}  // namespace throng::simd
