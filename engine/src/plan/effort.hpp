// How much an update may spend on looking for a plan. Counted in steps, never in time, so every machine stops at the same
// place: a step is about what an agent of a plain crowd costs in an update. So an update costs a bounded multiple of a plain
// one, whatever the world; what there are no steps left for waits for the updates that follow.
#pragma once

#include <cstddef>

namespace throng::detail {

class Effort {
public:
    // For an update of so many agents; the first one may take longer.
    void start(std::size_t agents, bool first_of_all) noexcept {
        left_ = (first_of_all ? 4 : 1) * (little + an_agent * agents);
    }
    // Returns false if there are not so many steps left; then nothing is spent.
    [[nodiscard]] bool spend(std::size_t steps) noexcept {
        if (steps > left_) return false;
        left_ -= steps;
        return true;
    }
    std::size_t left() const noexcept { return left_; }
    // Of a survey of so many agents: they are sorted by place and by size, and counted at all scales.
    static constexpr std::size_t of_survey(std::size_t sample) noexcept { return 6 * sample; }

private:
    static constexpr std::size_t little = 8192, an_agent = 8;

    std::size_t left_ = 0;
};

}  // namespace throng::detail
