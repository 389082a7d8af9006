// One query into a std::vector, for prototypes. It has its own header because <vector> would add a third to
// the time that the library's headers take to compile.
//
//     const std::vector<throng::AgentId> near = throng::overlapping(frame, box);
//
// It allocates in each call, and throws what std::vector throws; `Frame::overlaps` and `for_each_overlap` do
// neither. An illegal box overlaps nothing.
#pragma once

#include <span>
#include <vector>

#include "throng/frame.hpp"

namespace throng {

template <BoxOrShape Query = detail::FourNumbers>
std::vector<AgentId> overlapping(const Frame& frame, const Query& query, const Filter& filter = no_filter) {
    std::vector<AgentId> found;
    static_cast<void>(frame.for_each_overlap(
        query, [&found](std::span<const AgentId> ids) { found.insert(found.end(), ids.begin(), ids.end()); },
        filter));
    return found;
}

}  // namespace throng
