// Where an element of a UniformGrid is, and whether it fits.
#pragma once

namespace throng::detail {

// The middle of a side, and whether the element fits: also false for a NaN, an infinity and an inverted box.
// A side of length zero is its own middle.
inline bool centre_of(float min, float max, float reach, float& centre) noexcept {
    centre = min + (max - min) * 0.5f;
    return (min <= max) & (centre - reach <= min) & (max <= centre + reach);
}

}  // namespace throng::detail
