// The agents that a plan is made for: boxes of an update or of a frame, and any heights.
#pragma once

#include <cstddef>

#include "throng/geometry.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

class Agents {
public:
    // `box_at(i)` and `band_at(i)` are called with ascending i, and again from 0 on. They must live as long
    // as this.
    template <class BoxAt>
    Agents(std::size_t count, const BoxAt& box_at) noexcept
        : count_(count), context_(&box_at), read_([](const void* context, std::size_t i) noexcept -> Box {
              return (*static_cast<const BoxAt*>(context))(i);
          }) {}
    template <class BoxAt, class BandAt>
    Agents(std::size_t count, const BoxAt& box_at, const BandAt& band_at, bool have_heights) noexcept
        : Agents(count, box_at) {
        if (!have_heights) return;
        bands_ = &band_at;
        read_band_ = [](const void* context, std::size_t i) noexcept -> Band {
            return (*static_cast<const BandAt*>(context))(i);
        };
    }

    std::size_t count() const noexcept { return count_; }
    Box operator()(std::size_t i) const noexcept { return read_(context_, i); }
    bool have_heights() const noexcept { return bands_ != nullptr; }
    Band band(std::size_t i) const noexcept { return read_band_(bands_, i); }

private:
    std::size_t count_;
    const void* context_;
    Box (*read_)(const void*, std::size_t) noexcept;
    const void* bands_ = nullptr;
    Band (*read_band_)(const void*, std::size_t) noexcept = nullptr;
};

}  // namespace throng::detail
