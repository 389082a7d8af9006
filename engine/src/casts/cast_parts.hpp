// What casts are put to: the agents of a frame, and then the elements of its static layer. In a world that
// wraps around a cast is folded, and followed into every image of the world that it comes to: the same ones
// for both.
#pragma once

#include <algorithm>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/torus/images.hpp"
#include "throng/queries/casts.hpp"

namespace throng::detail {

// What a cast may touch.
inline Extent extent_of(const Cast& cast, const Torus& torus) noexcept {
    const double dx{cast.dx}, dy{cast.dy}, r{cast.radius};
    return {cast.start.min_x + std::min(dx, 0.0) - r,
            cast.start.min_y + std::min(dy, 0.0) - r,
            cast.start.max_x + std::max(dx, 0.0) + r,
            cast.start.max_y + std::max(dy, 0.0) + r,
            torus.reach_x(),
            torus.reach_y(),
            false};
}

class CastParts {
public:
    // Without a layer `elements` is null.
    CastParts(const FrameState& agents, const FrameState* elements) noexcept
        : agents_(agents), elements_(elements), torus_(agents.torus) {
        if (elements != nullptr) torus_.add(elements->torus);
    }
    const FrameState& agents() const noexcept { return agents_; }
    bool wraps() const noexcept { return torus_.wraps(); }

    // Calls use(frame, is_static) until it returns false.
    template <class Use>
    bool each(const Use& use) const {
        return use(agents_, false) && (elements_ == nullptr || use(*elements_, true));
    }
    // What is wrong with a legal cast: it may go around the world too often.
    Code fault_of(const Cast& cast) const noexcept {
        const Extent extent = extent_of(cast, torus_);
        const bool is_too_long = goes_around_too_often(extent.width(), torus_.period.x) ||
                                 goes_around_too_often(extent.height(), torus_.period.y);
        return is_too_long ? Code::too_large : Code::ok;
    }
    Cast folded(const Cast& cast) const noexcept {
        Cast there = cast;
        there.start = detail::folded(cast.start, torus_.period);
        return there;
    }
    // Calls use(image) for the images of a folded cast, until it returns false.
    template <class Use>
    bool each_image(const Cast& cast, const Use& use) const {
        return Moves(torus_, extent_of(cast, torus_)).each([&](int k, int l) {
            Cast there = cast;
            there.start = moved(cast.start, k, l, torus_.period);
            return use(there);
        });
    }

private:
    const FrameState& agents_;
    const FrameState* const elements_;
    Torus torus_;
};

}  // namespace throng::detail
