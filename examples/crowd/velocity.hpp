// Of the velocities that half planes permit, the one nearest to what an agent prefers.
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
// rounding. The order of the half planes does not matter, but for the time: with the tightest first, fewer of
// the others change the result.
Vec best_velocity(Vec preferred, float fastest, std::span<const HalfPlane> planes, std::size_t firm);

}  // namespace throng::crowd
