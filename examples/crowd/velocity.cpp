#include "examples/crowd/velocity.hpp"

#include <algorithm>
#include <array>

namespace throng::crowd {

namespace {

// How much rounding may violate a half plane, and the slope below which lines count as parallel.
constexpr float tolerance = 1e-6f, parallel = 1e-5f;

// What the linear program optimises: a velocity near a wanted one, or far in a direction.
struct Near {
    Vec wanted;
    Vec in_disc(float fastest) const { return shortened(wanted, fastest); }
    float on_line(Vec origin, Vec along, float low, float high) const {
        return std::clamp(dot(along, wanted - origin), low, high);
    }
};
struct Along {
    Vec direction;
    Vec in_disc(float fastest) const { return direction * fastest; }
    float on_line(Vec, Vec along, float low, float high) const {
        return dot(along, direction) > 0 ? high : low;
    }
};

// A part of a line, from `low` to `high` along it.
struct Stretch {
    float low, high;

    bool empty() const { return low > high; }
    // Cuts off what a half plane does not permit.
    void cut(const HalfPlane& plane, Vec origin, Vec along) {
        const float slope = dot(plane.normal, along);
        const float missing = plane.offset - dot(plane.normal, origin);
        if (std::abs(slope) <= parallel) {
            if (missing > tolerance) high = low - 1;
        } else if (slope > 0) {
            low = std::max(low, missing / slope);
        } else {
            high = std::min(high, missing / slope);
        }
    }
};

// The best velocity on the border of a half plane that earlier ones permit. False if there is none.
template <class Aim>
bool best_on_border(const Aim& aim, float fastest, const HalfPlane& plane, std::span<const HalfPlane> earlier,
                    Vec& best) {
    const float room = fastest * fastest - plane.offset * plane.offset;
    if (room < 0) return false;
    const Vec origin = plane.normal * plane.offset, along = turned_left(plane.normal);
    Stretch stretch{-std::sqrt(room), std::sqrt(room)};
    for (const HalfPlane& other : earlier) {
        stretch.cut(other, origin, along);
        if (stretch.empty()) return false;
    }
    best = origin + along * aim.on_line(origin, along, stretch.low, stretch.high);
    return true;
}

// Adds one half plane after the other. If the best so far violates the next one, the new best lies on its
// border. Returns how many could be added, and leaves in `best` the best that they permit.
template <class Aim>
std::size_t add_in_turn(const Aim& aim, float fastest, std::span<const HalfPlane> planes, Vec& best) {
    best = aim.in_disc(fastest);
    for (std::size_t i = 0; i < planes.size(); ++i) {
        if (planes[i].permits(best, tolerance)) continue;
        if (!best_on_border(aim, fastest, planes[i], planes.first(i), best)) return i;
    }
    return planes.size();
}

// The velocity program of an agent while `planes[worst]` is the most violated half plane. It has the firm
// half planes and, for each earlier one, the velocities that violate it no more than the worst one.
class WhileWorst {
public:
    WhileWorst(std::span<const HalfPlane> planes, std::size_t firm, std::size_t worst) {
        for (std::size_t i = 0; i < worst; ++i) {
            if (i < firm)
                all_[count_++] = planes[i];
            else
                add_between(planes[i], planes[worst]);
        }
    }
    std::span<const HalfPlane> planes() const { return {all_.data(), count_}; }

private:
    void add_between(const HalfPlane& other, const HalfPlane& worst) {
        const Vec difference = other.normal - worst.normal;
        const float size = length(difference);
        // Parallel borders: one of the two is violated more by every velocity.
        if (size <= parallel) return;
        all_[count_++] = {difference * (1 / size), (other.offset - worst.offset) / size};
    }

    std::array<HalfPlane, max_planes> all_;
    std::size_t count_ = 0;
};

// The velocity with the least violation. It is a point of a linear program in three dimensions: a velocity,
// and how far each border has to give way. It is solved in turn, as the other one. Where the next half plane
// is violated by more, its own border decides, and two dimensions are left.
Vec min_violation(Vec best, float fastest, std::span<const HalfPlane> planes, std::size_t firm,
                  std::size_t begin) {
    float violation = 0;
    for (std::size_t i = begin; i < planes.size(); ++i) {
        const HalfPlane& plane = planes[i];
        if (plane.permits(best, violation + tolerance)) continue;
        const WhileWorst program(planes, firm, i);
        Vec candidate;
        // There is always one, since the best so far lies inside; only rounding can hide it.
        if (add_in_turn(Along{plane.normal}, fastest, program.planes(), candidate) == program.planes().size())
            best = candidate;
        violation = std::max(plane.offset - dot(plane.normal, best), violation);
    }
    return best;
}

}  // namespace

Vec best_velocity(Vec preferred, float fastest, std::span<const HalfPlane> planes, std::size_t firm) {
    planes = planes.first(std::min(planes.size(), max_planes));
    Vec best;
    const std::size_t added = add_in_turn(Near{preferred}, fastest, planes, best);
    if (added == planes.size()) return best;
    // Firm half planes that leave hardly more than zero may seem to leave nothing, because of rounding.
    if (added < firm) best = {};
    return min_violation(best, fastest, planes, firm, std::max(added, firm));
}

}  // namespace throng::crowd
