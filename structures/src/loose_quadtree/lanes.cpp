// Never inlined, so the compiler vectorises these loops. In their callers they would be unrolled first and
// compare box by box. For the same reason a lane's bit comes from a table instead of from a shift.
#include "structures/src/loose_quadtree/lanes.hpp"

#include <cstring>

#include "structures/src/loose_quadtree/nodes.hpp"
#include "throng/compiler.hpp"

namespace throng::structures::detail {

namespace {

constexpr std::uint32_t lane_bits[16] = {1,     2,     4,     8,     0x10,   0x20,   0x40,   0x80,
                                         0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000};

template <std::uint32_t lanes>
std::uint32_t meeting_of(const float* min_x, const float* min_y, const float* max_x, const float* max_y,
                         const Box& box) {
    const float left = box.min_x, low = box.min_y, right = box.max_x, high = box.max_y;
    std::uint32_t bits = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const bool meets =
            (min_x[lane] <= right) & (left <= max_x[lane]) & (min_y[lane] <= high) & (low <= max_y[lane]);
        bits |= meets ? lane_bits[lane] : 0u;
    }
    return bits;
}

#if THRONG_HAS_VECTORS
using Floats THRONG_VECTOR(16) = float;
using Bits THRONG_VECTOR(16) = std::int32_t;

Floats four_of(const float* from) {
    Floats four;
    std::memcpy(&four, from, sizeof(four));
    return four;
}
#endif

}  // namespace

THRONG_NOINLINE std::uint32_t meeting(const LooseQuad& quad, const Box& box) noexcept {
    return meeting_of<4>(quad.min_x, quad.min_y, quad.max_x, quad.max_y, box);
}

THRONG_NOINLINE std::uint32_t BoxLanes::overlapping_of_8(const Box& box, std::uint32_t first) const noexcept {
    return meeting_of<8>(min_x + first, min_y + first, max_x + first, max_y + first, box);
}

THRONG_NOINLINE std::uint32_t BoxLanes::overlapping_of_16(const Box& box) const noexcept {
    return meeting_of<16>(min_x, min_y, max_x, max_y, box);
}

// Four rows of eight bits at a time, so bits are gathered twice and not eight times.
std::uint64_t BoxLanes::pairs_of_8(std::uint32_t first) const noexcept {
    constexpr std::uint64_t later = 0x0080'C0E0'F0F8'FCFE;  // than the box of the row
#if THRONG_HAS_VECTORS
    const auto four_rows = [&](std::uint32_t row, std::uint32_t lane) {
        Bits found{};
        for (; lane < 8; lane += 4) {
            const Floats left = four_of(min_x + first + lane), low = four_of(min_y + first + lane),
                         right = four_of(max_x + first + lane), high = four_of(max_y + first + lane);
            const Bits bits = Bits{1, 2, 4, 8} << static_cast<std::int32_t>(lane);
            for (std::uint32_t i = 0; i < 4; ++i) {
                const Box box = (*this)[first + row + i];
                found |= (left <= box.max_x) & (low <= box.max_y) & (box.min_x <= right) &
                         (box.min_y <= high) & (bits << static_cast<std::int32_t>(8 * i));
            }
        }
        return static_cast<std::uint32_t>(found[0] | found[1] | found[2] | found[3]);
    };
    return (four_rows(0, 0) | std::uint64_t{four_rows(4, 4)} << 32) & later;
#else
    std::uint64_t found = 0;
    for (std::uint32_t row = 0; row < 8; ++row)
        found |= std::uint64_t{overlapping_of_8((*this)[first + row], first)} << 8 * row;
    return found & later;
#endif
}

}  // namespace throng::structures::detail
