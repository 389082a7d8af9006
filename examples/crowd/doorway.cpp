// A crowd on one side of a wall, and three goals on the other. The only way is a gap in the wall.
#include <algorithm>
#include <cmath>

#include "examples/crowd/scenario.hpp"

namespace throng::crowd {

namespace {

constexpr std::uint16_t places = 3;
constexpr float half_thickness = 1.5f;

}  // namespace

Scenario make_doorway(std::size_t agents) {
    Scenario scenario;
    // A crowd about as high as it is wide, a few steps before the wall.
    const auto rows = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(agents))));
    const float side = static_cast<float>(rows) * spacing, front = -half_thickness - 4 * spacing;
    for (std::size_t i = 0; i < agents; ++i) {
        const Vec place{front - static_cast<float>(i / rows) * spacing,
                        (static_cast<float>(i % rows) + 0.5f) * spacing - side / 2};
        const auto number = static_cast<std::uint32_t>(i);
        const auto goal = static_cast<std::uint16_t>(scattered(number, 4) * places);
        add_agent(scenario, place, std::min<std::uint16_t>(goal, places - 1));
    }

    const float gap = std::max(8.0f, side / 8), height = std::max(side, 12 * spacing);
    scenario.walls = {{-half_thickness, gap / 2, half_thickness, height},
                      {-half_thickness, -height, half_thickness, -gap / 2}};
    const float room = gap / 2 - 1.5f, end = side / 2 + 6 * spacing;
    const Gate through{{half_thickness, -room}, {half_thickness, room}, {1, 0}};
    for (std::uint16_t place = 0; place < places; ++place) {
        const float middle = (static_cast<float>(place) - 1) * side * 0.4f, half = side * 0.08f;
        scenario.routes.push_back({{through, {{end, middle - half}, {end, middle + half}, {1, 0}}}, place});
    }
    scenario.goals = {"to the lower place", "to the middle", "to the upper place"};
    const float left = front - side - spacing,
                half_view = std::max((end + spacing - left) / 2, side / 2 + spacing);
    const float middle = (left + end + spacing) / 2;
    scenario.view = {middle - half_view, -half_view, middle + half_view, half_view};
    return scenario;
}

}  // namespace throng::crowd
