// The options of one run of the crowd.
#pragma once

#include <cstddef>
#include <string>

#include "throng/isa.hpp"

namespace throng::crowd {

struct Options {
    std::size_t agents = 600;
    unsigned frames = 800;
    unsigned threads = 1;
    std::string scenario = "crossing";
    Isa isa = Isa::automatic;
    bool compare = false;                   // with a kd-tree
    std::string directory = "throng-demo";  // for the picture
    std::string format = "png";
};

// Steps in which memory grows to its size. They are left out of medians and percentiles.
inline constexpr unsigned warm_up = 3;

}  // namespace throng::crowd
