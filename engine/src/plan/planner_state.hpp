// What the planner remembers from frame to frame. All decisions follow from it and from the agents;
// plan/bytes/ has it as bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/plan/plan.hpp"
#include "engine/src/plan/survey/survey.hpp"

namespace throng::detail {

// The last try: on which agents, at what cost, and for how many frames they are left alone.
struct Tried {
    Survey::Eighths agents{};
    double looks = 0;
    std::uint32_t pause = 1, frames_left = 0;
};

// The frames since the last check, and since a frame was judged last.
struct SinceCheck {
    std::size_t agents = 0, changes = 0;
    std::uint32_t frames = 0;
    double judged_work = 0;
    std::size_t edits = 0;
};

struct PlannerState {
    Plan plan;
    Tried tried;
    SinceCheck since;
    bool last_one_lasted = true;  // the plan before this one, for some frames
    std::uint64_t times_chosen = 0;
};

}  // namespace throng::detail
