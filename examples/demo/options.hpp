// The options of one run of the demo.
#pragma once

#include <string>

#include "throng/isa.hpp"

namespace throng::demo {

struct Options {
    std::size_t agents = 1'000'000;
    unsigned frames = 120;
    unsigned threads = 1;
    std::string scenario = "crowd";
    Isa isa = Isa::automatic;
    std::string directory = "throng-demo";  // for the pictures
    std::string format = "png";
};

// Half the side of the box in which an agent looks for neighbours.
inline constexpr float sight = 2;
// One agent in so many looks round in every frame.
inline constexpr std::size_t sample_stride = 100;
// Frames in which memory still grows to its size. They are shown, and left out of medians and percentiles.
inline constexpr unsigned warm_up = 3;

}  // namespace throng::demo
