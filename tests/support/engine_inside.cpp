#include "support/engine_inside.hpp"

#include "engine/src/frame/row_layout.hpp"

namespace throng::test {

// An explicit instantiation may name a private member: the one legal way in that leaves the class as it is.
template <detail::FrameState* Frame::*member>
struct WayIn {
    friend detail::FrameState* inside(const Frame& frame) { return frame.*member; }
};
detail::FrameState* inside(const Frame& frame);
template struct WayIn<&Frame::state_>;

detail::FrameState& state_behind(const Frame& frame) { return *inside(frame); }

std::uint64_t strays_of(const Frame& frame) {
    const detail::FrameState& state = state_behind(frame);
    std::uint64_t strays = 0;
    for (std::uint32_t r = 0; r < state.map.open().rows && state.map.has_islands(); ++r)
        strays += detail::common_agents_in(state.rows[r]);
    return strays;
}

}  // namespace throng::test
