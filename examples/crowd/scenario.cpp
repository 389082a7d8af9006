#include "examples/crowd/scenario.hpp"

#include <algorithm>
#include <stdexcept>

namespace throng::crowd {

Vec Gate::nearest(Vec position) const {
    const Vec way = to - from;
    const float square = dot(way, way);
    if (square <= 0) return from;
    return from + way * std::clamp(dot(position - from, way) / square, 0.0f, 1.0f);
}

float scattered(std::uint32_t number, std::uint32_t purpose) {
    std::uint32_t bits = number * 0x9E3779B9u + purpose * 0x85EBCA6Bu;
    bits = (bits ^ bits >> 16) * 0x7FEB352Du;
    bits = (bits ^ bits >> 15) * 0x846CA68Bu;
    return static_cast<float>((bits ^ bits >> 16) >> 8) / static_cast<float>(1u << 24);
}

void add_agent(Scenario& scenario, Vec place, std::uint16_t route) {
    const auto number = static_cast<std::uint32_t>(scenario.agents.size());
    const auto beside = [&](std::uint32_t purpose) { return (scattered(number, purpose) - 0.5f) * 0.8f; };
    scenario.agents.push_back({.x = place.x + beside(1),
                               .y = place.y + beside(2),
                               .speed = 1.2f + 0.3f * scattered(number, 3),
                               .number = number,
                               .route = route});
}

Scenario make_scenario(const std::string& name, std::size_t agents) {
    if (name == "crossing") return make_crossing(agents);
    if (name == "doorway") return make_doorway(agents);
    if (name == "evacuation") return make_evacuation(agents);
    throw std::invalid_argument("there is no scenario '" + name + "'");
}

}  // namespace throng::crowd
