// The colours that all our pictures share.
#pragma once

#include <cstddef>

#include "bench/common/plot/canvas.hpp"

namespace throng::picture::theme {

inline constexpr Color background = rgb(0x0f1320), panel = rgb(0x171d2e), shade = rgb(0x262e45),
                       grid = rgb(0x2a3349), border = rgb(0x3a4663);
inline constexpr Color text = rgb(0xe8ecf5), soft_text = rgb(0x9aa6c0);
// Told apart with any kind of colour vision: the palette of Okabe and Ito (Color Universal Design, 2008),
// whose green, blue and black are lighter here, for a dark ground.
inline constexpr Color series[] = {rgb(0xe69f00), rgb(0x56b4e9), rgb(0x1fb88a), rgb(0xcc79a7),
                                   rgb(0xf0e442), rgb(0xd55e00), rgb(0x4f86d9), rgb(0xd0d4dc)};
inline constexpr std::size_t series_count = sizeof series / sizeof series[0];

}  // namespace throng::picture::theme
