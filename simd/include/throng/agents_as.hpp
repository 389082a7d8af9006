// What agents are to a query that has a centre, such as a circle.
#pragma once

#include <cstdint>

namespace throng {

enum class AgentsAs : std::uint8_t {
    boxes,    // their boxes: the nearest point counts
    centres,  // the centres of their boxes, (min + max) / 2
    circles,  // the largest circles in their boxes, around the centres
};

}  // namespace throng
