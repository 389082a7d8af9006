// The plain types that every call uses: boxes and points in the plane, agent ids, and pairs of ids.
// Coordinates are floats. A host with doubles gives an Origin near its agents.
#pragma once

#include <cstdint>
#include <limits>

#include "throng/agents_as.hpp"

namespace throng {

// An agent's index: element `i` of an update is agent `i`. `insert` returns the lowest free index.
using AgentId = std::uint32_t;
// An id that no agent ever has.
inline constexpr AgentId no_agent = 0xFFFFFFFFu;

// One agent, for good. A later agent may get the same id, but never the handle; see Engine::handle.
struct AgentHandle {
    AgentId id = no_agent;
    std::uint32_t generation = 0;
    friend constexpr bool operator==(const AgentHandle&, const AgentHandle&) = default;
};

struct Point {
    float x = 0, y = 0;
    friend constexpr bool operator==(const Point&, const Point&) = default;
};

// A closed axis-aligned box: two boxes that touch in a single point overlap.
struct Box {
    float min_x = 0, min_y = 0, max_x = 0, max_y = 0;

    static constexpr Box around(float x, float y, float half_x, float half_y) noexcept {
        return {x - half_x, y - half_y, x + half_x, y + half_y};
    }
    // The square around a circle.
    static constexpr Box around(const Point& centre, float radius) noexcept {
        return around(centre.x, centre.y, radius, radius);
    }
    constexpr bool overlaps(const Box& other) const noexcept {
        return min_x <= other.max_x && other.min_x <= max_x && min_y <= other.max_y && other.min_y <= max_y;
    }
    // Distances are measured between centres; see queries/neighbours.hpp. It does not overflow.
    constexpr Point centre() const noexcept { return {min_x / 2 + max_x / 2, min_y / 2 + max_y / 2}; }
    // The smallest box around both. A union of many boxes starts with `no_box`, which changes nothing.
    constexpr Box united(const Box& other) const noexcept {
        return {other.min_x < min_x ? other.min_x : min_x, other.min_y < min_y ? other.min_y : min_y,
                other.max_x > max_x ? other.max_x : max_x, other.max_y > max_y ? other.max_y : max_y};
    }
    // Moves every side outwards by `by`. If negative, inwards; the box may become inverted.
    constexpr Box grown(float by) const noexcept { return {min_x - by, min_y - by, max_x + by, max_y + by}; }
    constexpr Box moved(float dx, float dy) const noexcept {
        return {min_x + dx, min_y + dy, max_x + dx, max_y + dy};
    }
    friend constexpr bool operator==(const Box&, const Box&) = default;
};

// The point that coordinates in doubles are counted from. It is subtracted in double, and the rest is rounded
// once to the nearest float. Boxes that touch in doubles still touch. Within 4,000 of the origin, floats are
// a quarter of a thousandth apart. So give a point amid the agents, the same for all of an engine: agents,
// static layer, queries.
//
//     const Origin origin{500'000, 5'400'000};
//     status = engine.update(Boxes::points(bodies, &Body::x, &Body::y, radius, origin));    // see boxes.hpp
//     NearestNeighbour nearest = engine.frame().nearest(origin.point(x, y));
struct Origin {
    double x = 0, y = 0;

    // A point in doubles as the engine sees it. Infinite if it does not fit into floats.
    constexpr Point point(double at_x, double at_y) const noexcept {
        return {static_cast<float>(at_x - x), static_cast<float>(at_y - y)};
    }
    constexpr Box box(double min_x, double min_y, double max_x, double max_y) const noexcept {
        return {static_cast<float>(min_x - x), static_cast<float>(min_y - y), static_cast<float>(max_x - x),
                static_cast<float>(max_y - y)};
    }
    constexpr Box around(double at_x, double at_y, double half_x, double half_y) const noexcept {
        const double from_x = at_x - x, from_y = at_y - y;
        return {static_cast<float>(from_x - half_x), static_cast<float>(from_y - half_y),
                static_cast<float>(from_x + half_x), static_cast<float>(from_y + half_y)};
    }
    friend constexpr bool operator==(const Origin&, const Origin&) = default;
};

// The box of an unknown id. It overlaps nothing. Calls that take boxes refuse it.
inline constexpr Box no_box{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};

// Two agents whose boxes overlap. Either one may be `a`, but the same one on every machine.
struct Pair {
    AgentId a = 0, b = 0;
    friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

}  // namespace throng
