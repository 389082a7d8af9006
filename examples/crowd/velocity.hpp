// The velocity nearest to the one that an agent prefers, among those that half planes permit.
#pragma once

#include <cstddef>
#include <span>

#include "examples/crowd/half_planes.hpp"
#include "examples/crowd/vec.hpp"

namespace throng::crowd {

// The most half planes that one agent has.
inline constexpr std::size_t max_planes = 32;

// The first half planes, `firm` of them, always hold, and must permit zero. If the others leave no velocity,
// the result is the one whose worst violation of them is the least. No result is faster than `fastest`, up to
// rounding. The order of the half planes changes only the time: with the tightest first, fewer others change
// the result.
Vec best_velocity(Vec preferred, float fastest, std::span<const HalfPlane> planes, std::size_t firm);

}  // namespace throng::crowd
