// The agents that a plan is made for: the boxes of an update, or those of a frame.
#pragma once

#include <cstddef>

#include "throng/geometry.hpp"

namespace throng::detail {

class Agents {
public:
    // `box_at(i)` is called with ascending i, and again from 0 on. It must live as long as this.
    template <class BoxAt>
    Agents(std::size_t count, const BoxAt& box_at) noexcept
        : count_(count), context_(&box_at), read_([](const void* context, std::size_t i) noexcept -> Box {
              return (*static_cast<const BoxAt*>(context))(i);
          }) {}

    std::size_t count() const noexcept { return count_; }
    Box operator()(std::size_t i) const noexcept { return read_(context_, i); }

private:
    std::size_t count_;
    const void* context_;
    Box (*read_)(const void*, std::size_t) noexcept;
};

}  // namespace throng::detail
