// What one run of the bouncing agents is about.
#pragma once

#include <string>
#include <vector>

namespace throng::bounce {

struct Options {
    std::size_t agents = 100'000;
    unsigned frames = 120;
    std::string scenario = "crowd";
    // Each agent moved by itself and a clean-up at the end, as where only some move; else all are assigned.
    bool by_moves = false;
    // Each agent inserted by itself at first, in an order that is random in space; else all of them assigned.
    bool by_inserts = false;
    std::vector<std::string> structures;    // all, if it is empty
    std::string directory = "throng-demo";  // for the pictures
    std::string format = "png";
};

// Frames in which lists grow to their size. They come before those that are asked for, are shown, and are
// left out of medians and percentiles.
inline constexpr unsigned warm_up = 5;

// Milliseconds a frame, medians.
struct Costs {
    std::string name;
    double update = 0, clean_up = 0, pairs = 0, motion = 0;
    double frame = 0;    // of all of these together
    double slowest = 0;  // the frame that 99 in a hundred do not exceed
    double pairs_found = 0;
    std::size_t bytes = 0;
    std::vector<double> frames;  // each, those to warm up among them
};

}  // namespace throng::bounce
