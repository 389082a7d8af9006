// The colours that all our pictures share.
#pragma once

#include "bench/plot/canvas.hpp"

namespace throng::picture::theme {

inline constexpr Color background = rgb(0x0f1320), panel = rgb(0x171d2e), grid = rgb(0x2a3349),
                       border = rgb(0x3a4663);
inline constexpr Color text = rgb(0xe8ecf5), soft_text = rgb(0x9aa6c0);
// Told apart by brightness as well as by hue.
inline constexpr Color series[] = {rgb(0xffb454), rgb(0x59c2ff), rgb(0x95e6a2), rgb(0xf07ad0),
                                   rgb(0xb8a1ff), rgb(0xff7a6b), rgb(0x5de4c7), rgb(0xd9d98c)};
inline constexpr std::size_t series_count = sizeof series / sizeof series[0];

}  // namespace throng::picture::theme
