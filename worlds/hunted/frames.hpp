// The boxes of a world, frame by frame, and its heights and periods. The same world gives the same boxes on
// every machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "worlds/hunted/changes.hpp"
#include "worlds/hunted/periods.hpp"
#include "worlds/hunted/world.hpp"

namespace throng::worlds {

class Frames {
public:
    explicit Frames(const World& world);

    // The frame's number, from zero, and its boxes: element `i` is agent `i`.
    std::size_t number() const noexcept { return number_; }
    const std::vector<Box>& boxes() const noexcept { return boxes_; }
    // Element `i` is that of agent `i`, which keeps it; none, if every agent is at every height.
    std::span<const Band> heights() const noexcept {
        return std::span(heights_).first(std::min(heights_.size(), boxes_.size()));
    }
    const Period& period() const noexcept { return period_; }
    void next();

private:
    void show();

    Call then_;
    Random random_;
    std::vector<Agent> world_, crowd_, agents_;
    std::vector<Box> boxes_;
    std::vector<Band> heights_;
    Period period_;
    std::size_t number_ = 0;
};

// The middle of each box.
std::vector<Point> centres_of(const std::vector<Box>& boxes);

}  // namespace throng::worlds
