#include "examples/crowd/half_planes.hpp"

#include <algorithm>

namespace throng::crowd {

namespace {

// The shortest change of a relative velocity that leaves the velocity obstacle: `distance` along `normal`,
// and negative if the velocity is outside.
struct WayOut {
    Vec normal;
    float distance = 0;
};

// Out of a disc of velocities: those with which the two meet at the end of `seconds`.
WayOut out_of_disc(Vec apart, Vec velocity, float radii, float seconds, bool first) {
    const Vec from_centre = velocity - apart * (1 / seconds);
    const float size = length(from_centre);
    const Vec normal = size > 0 ? from_centre * (1 / size) : Vec{first ? 1.0f : -1.0f, 0};
    return {normal, radii / seconds - size};
}

// Out of the cone of velocities with which the two ever meet, across the nearer of its two sides. The sides
// start at zero and touch the disc around `apart`.
WayOut out_of_cone(Vec apart, Vec velocity, float radii) {
    const float square = dot(apart, apart);
    const float along = std::sqrt(std::max(square - radii * radii, 0.0f));
    const bool left = cross(apart, velocity) > 0;
    const Vec across = turned_left(apart) * (left ? radii : -radii);
    const Vec side = (apart * along + across) * (1 / square);
    const Vec normal = left ? turned_left(side) : -turned_left(side);
    return {normal, -dot(normal, velocity)};
}

WayOut out_of_obstacle(Vec apart, Vec velocity, float radii, const Horizons& horizons, bool first) {
    if (dot(apart, apart) <= radii * radii) return out_of_disc(apart, velocity, radii, horizons.step, first);
    // The disc at the end of the horizon is the front of the cone. It is the nearer part of the border for
    // velocities whose way from its centre leads back between the points where the sides touch it.
    const Vec from_centre = velocity - apart * (1 / horizons.agents);
    const float back = dot(from_centre, apart);
    if (back < 0 && back * back > radii * radii * dot(from_centre, from_centre))
        return out_of_disc(apart, velocity, radii, horizons.agents, first);
    return out_of_cone(apart, velocity, radii);
}

// The velocities that use up no more than `gap` in so many seconds. Rounding may have left a gap below zero;
// the disc may stand still even then.
HalfPlane no_closer(Vec away, float gap, float seconds, bool first) {
    const float distance = length(away);
    const Vec normal = distance > 0 ? away * (1 / distance) : Vec{first ? 1.0f : -1.0f, 0};
    return {normal, std::min(-gap / seconds, 0.0f)};
}

}  // namespace

HalfPlane beside_agent(const Disc& self, const Disc& other, const Horizons& horizons, bool first) {
    const WayOut out = out_of_obstacle(other.position - self.position, self.velocity - other.velocity,
                                       self.radius + other.radius, horizons, first);
    return {out.normal, dot(out.normal, self.velocity) + out.distance / 2};
}

HalfPlane clear_of_wall(const Disc& self, const Box& wall, float seconds) {
    const Vec nearest{std::clamp(self.position.x, wall.min_x, wall.max_x),
                      std::clamp(self.position.y, wall.min_y, wall.max_y)};
    const Vec away = self.position - nearest;
    return no_closer(away, length(away) - self.radius, seconds, true);
}

HalfPlane clear_of_agent(const Disc& self, const Disc& other, float seconds, bool first) {
    const Vec away = self.position - other.position;
    return no_closer(away, (length(away) - self.radius - other.radius) / 2, seconds, first);
}

}  // namespace throng::crowd
