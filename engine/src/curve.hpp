// Where a centre is on the curve that visits quadrant after quadrant. The square that is divided is that of a
// grid; whatever is outside is at its edge.
#pragma once

#include <cstdint>

#include "engine/src/grid.hpp"
#include "throng/structures/detail/morton.hpp"

namespace throng::detail {

inline constexpr unsigned curve_bits = 16;  // of a coordinate, which is how deep a tree can be

class Curve {
public:
    explicit Curve(const simd::Grid& g) noexcept
        : grid_(g),
          scale_x_(g.inverse_width / static_cast<float>(g.columns) * float{1 << curve_bits}),
          scale_y_(g.inverse_height / static_cast<float>(g.rows) * float{1 << curve_bits}) {}

    std::uint64_t operator()(const Box& r) const noexcept {
        constexpr float last = (1 << curve_bits) - 1;
        const float x = r.min_x * 0.5f + r.max_x * 0.5f, y = r.min_y * 0.5f + r.max_y * 0.5f;
        return interleaved(place(x, grid_.origin_x, scale_x_, last),
                           place(y, grid_.origin_y, scale_y_, last));
    }

private:
    const simd::Grid& grid_;
    float scale_x_, scale_y_;
};

}  // namespace throng::detail
