// The options of one run of the bouncing agents.
#pragma once

#include <string>
#include <vector>

namespace throng::bounce {

struct Options {
    std::size_t agents = 100'000;
    unsigned frames = 120;
    std::string scenario = "crowd";
    // Each agent is moved by itself, then a clean-up, as where only some move. By default all are assigned.
    bool by_moves = false;
    // At first each agent is inserted by itself, in random order in space. By default all are assigned.
    bool by_inserts = false;
    std::vector<std::string> structures;    // all, if it is empty
    std::string directory = "throng-demo";  // for the pictures
    std::string format = "png";
};

// Frames in which lists grow to their size. They come before the frames that are asked for, are shown, and
// are left out of medians and percentiles.
inline constexpr unsigned warm_up = 5;

// Milliseconds a frame, medians.
struct Costs {
    std::string name;
    double update = 0, clean_up = 0, pairs = 0, motion = 0;
    double frame = 0;    // of all of these together
    double slowest = 0;  // 99 of a hundred frames take no longer
    double pairs_found = 0;
    std::size_t bytes = 0;
    std::vector<double> frames;  // each, with the frames to warm up
};

}  // namespace throng::bounce
