// The plain types that every call uses: boxes and points in the plane, agent ids, and pairs of ids.
// Coordinates are floats. A host that has doubles names an Origin near its agents.
#pragma once

#include <cstdint>
#include <limits>

#include "throng/agents_as.hpp"

namespace throng {

// An agent's index: element `i` of the arrays of a bulk update is agent `i`, and `insert` returns the lowest
// free index.
using AgentId = std::uint32_t;
// An id that no agent ever has.
inline constexpr AgentId no_agent = 0xFFFFFFFFu;

// An agent, and not only its id. Once an agent was removed, another may get its id, but never its handle; see
// Engine::handle.
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
    // Where distances are measured from and to; see queries/neighbours.hpp. It does not overflow.
    constexpr Point centre() const noexcept { return {min_x / 2 + max_x / 2, min_y / 2 + max_y / 2}; }
    // The smallest box around both. United with `no_box` a box stays as it is, so a union of many starts
    // there.
    constexpr Box united(const Box& other) const noexcept {
        return {other.min_x < min_x ? other.min_x : min_x, other.min_y < min_y ? other.min_y : min_y,
                other.max_x > max_x ? other.max_x : max_x, other.max_y > max_y ? other.max_y : max_y};
    }
    // With every side so much further out. A negative number takes them in, which may leave an inverted box.
    constexpr Box grown(float by) const noexcept { return {min_x - by, min_y - by, max_x + by, max_y + by}; }
    constexpr Box moved(float dx, float dy) const noexcept {
        return {min_x + dx, min_y + dy, max_x + dx, max_y + dy};
    }
    friend constexpr bool operator==(const Box&, const Box&) = default;
};

// Where coordinates in doubles are counted from. It is subtracted in double, and what is left is rounded once
// to the nearest float. Rounding keeps the order of numbers, so boxes that touch in doubles touch here too.
// Floats hold a quarter of a thousandth within 4,000 of the origin: give a point amid the agents, and the
// same one for all that are in an engine, its static layer and its queries.
//
//     const Origin origin{500'000, 5'400'000};
//     status = engine.update(Boxes::points(bodies, &Body::x, &Body::y, radius, origin));    // see boxes.hpp
//     NearestNeighbour nearest = engine.frame().nearest(origin.point(x, y));
struct Origin {
    double x = 0, y = 0;

    // What is given in doubles, as it is for the engine. Infinite where a float is too small for it.
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

// The box of an unknown id. It overlaps nothing, and is refused as an agent, as an element and as a query.
inline constexpr Box no_box{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};

// Two agents whose boxes overlap. Which of them is `a` is unspecified, but the same on every machine.
struct Pair {
    AgentId a = 0, b = 0;
    friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

}  // namespace throng
