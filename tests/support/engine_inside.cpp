#include "support/engine_inside.hpp"

namespace throng::test {

// An explicit instantiation may name a private member: the one lawful way in that leaves the class as it is.
template <detail::FrameState* Frame::*member>
struct WayIn {
    friend detail::FrameState* inside(const Frame& frame) { return frame.*member; }
};
detail::FrameState* inside(const Frame& frame);
template struct WayIn<&Frame::state_>;

detail::FrameState& state_behind(const Frame& frame) { return *inside(frame); }

}  // namespace throng::test
