// Casts: what does a ray, a moving box or a moving circle touch first, and when?
//
//     const throng::Cast sight = throng::Cast::segment(eye, target);
//     if (frame.blocked(sight, {.self = me}).no()) { ... }                       // nothing up to the target
//     if (frame.first_hit(sight, {.self = me}).hit.id == other) { ... }          // an agent is seen there
//     const throng::FirstHit step = frame.first_hit(throng::Cast::box(box, dx, dy), {.self = me});
//     if (step.hit.found()) walk(step.hit.fraction);                             // only that part of the way
//     status = frame.first_hits(casts, hits);                                    // a batch, in any order
//     const auto first = frame.with_static().first_hit(sight);                   // agents and walls
//     status = frame.with_static().for_each_hit(sight, visitor);              // all that it passes, in order
//     status = frame.for_each_hit(sight, [](const throng::CastHit& hit, const throng::Box& its) { ... });
//     const throng::Cast over_a_wall = throng::Cast::segment(eye, target).sloped(1.7f, 0.9f);  // at heights
//     const throng::Cast up_a_stair = throng::Cast::box(box, dx, dy).at_heights({0, 1.8f}, 0.2f);
//
// Many casts can stay in the host's arrays: Casts, at the end, reads them there.
//
// A cast is a box that moves along a straight line from time 0 to time 1. With a `radius`, everything within
// that distance of the box is part of it. A point is a ray, and a point with a radius is a circle. A hit is
// an agent and the time of the first contact, as a fraction of the movement. Hits come by time, then by id.
//
// A cast has heights, by default all of them. `heights` are those at time 0; until time 1 they rise by `dz`.
// The cast touches an agent at the first time when the boxes touch and both share a height. The heights of
// the filter do not rise: an agent must pass the filter as well.
//
// A cast is refused as `not_finite` if a number is not finite (heights may be infinite, but not NaN), and as
// `inverted` if a minimum of its start or heights is above the maximum, or its radius is negative. The status
// of a batch names the first.
//
// Definitions, in float, every operation rounded by itself. Without a radius, for each axis:
//
//     movement > 0     entry = (agent.min - start.max) * (1 / movement)
//                      exit  = (agent.max - start.min) * (1 / movement)
//     movement < 0     entry = (agent.max - start.min) * (1 / movement)
//                      exit  = (agent.min - start.max) * (1 / movement)
//     no movement      a hit needs agent.min <= start.max and start.min <= agent.max, at any time
//     t = max(0, entry x, entry y), and it is a hit if t <= 1 and t <= exit x and t <= exit y
//
// A movement below 1.2e-38 on an axis counts as none. So every cast finds what overlaps its start, at time 0,
// exactly as an overlap query does. A ray along the edge of a box touches it, since boxes are closed.
//
// With a radius: the time is 0 if the start touches the agent as a circle query defines it: the squares of
// the distances on both axes, in float, add up to at most radius * radius, if that is below the largest
// float. Otherwise it is the least of six times, computed in double and rounded to float: entering the
// agent's box widened by the radius on one axis, or on the other, and entering the four circles around its
// corners. At a corner p, as seen from the start:
//
//     b = p.x * dx + p.y * dy,  c = p.x * p.x + p.y * p.y - r * r,  cross = dx * p.y - dy * p.x
//     t = 0 if c <= 0,
//     otherwise (b - sqrt(r * r * (dx * dx + dy * dy) - cross * cross)) / (dx * dx + dy * dy),
//     no hit if b <= 0 or the root has no value
//
// Heights are one more axis, with an entry and an exit computed like those of x and y, with or without a
// radius. Their edges may be infinite; a difference of two equal infinities bounds nothing. Without a radius
// a hit needs t = max(0, entry x, entry y, entry z), and t <= 1 and t <= exit x, y and z. With a radius, the
// time above is the entry of the plane. Its exit is the latest time at which one of the six shapes that are
// entered by time 1 is left: the end of the movement, the other side of a widened box, or (b + root) / (dx *
// dx + dy * dy) at a corner. The exit is rounded to float, and is at least the entry; a circle that rises on
// the spot never leaves. Then t = max(entry, entry z), and a hit needs t <= 1, t <= exit and t <= exit z.
//
// Times are rounded, so unlike overlaps they can differ between rounding modes; all instruction sets give the
// same bits. If the rounding mode is not to nearest, distances that overflow are the largest float instead of
// infinite, and a cast that moves by more than 1.7e38 may miss agents that far away. If subnormal numbers are
// flushed to zero, distances or times below 1.2e-38 may change which hits are found, and their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "throng/boxes.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng {

struct Cast {
    Box start;
    float dx = 0, dy = 0;  // the movement, from time 0 to time 1
    float radius = 0;
    Band heights;  // at time 0
    float dz = 0;  // by how much these rise until time 1

    // Not an aggregate: otherwise `blocked({x, y, dx, dy})` would be a box that stands still.
    constexpr Cast() noexcept = default;
    constexpr Cast(const Box& from, float move_x, float move_y, float rounding = 0) noexcept
        : start(from), dx(move_x), dy(move_y), radius(rounding) {}
    // (dx, dy) is the whole way, not a direction: the ray ends at (x + dx, y + dy).
    static constexpr Cast ray(float x, float y, float dx, float dy) noexcept {
        return {{x, y, x, y}, dx, dy, 0};
    }
    // A ray along a direction of length 1. A hit is hit.fraction * length away.
    static constexpr Cast towards(Point from, Point direction, float length) noexcept {
        return ray(from.x, from.y, direction.x * length, direction.y * length);
    }
    static constexpr Cast segment(Point from, Point to) noexcept {
        return ray(from.x, from.y, to.x - from.x, to.y - from.y);
    }
    static constexpr Cast box(const Box& box, float dx, float dy) noexcept { return {box, dx, dy, 0}; }
    static constexpr Cast circle(float x, float y, float radius, float dx, float dy) noexcept {
        return {{x, y, x, y}, dx, dy, radius};
    }

    // The same at these heights, which rise by `rise` until time 1.
    constexpr Cast at_heights(const Band& at_start, float rise = 0) const noexcept {
        Cast cast = *this;
        cast.heights = at_start;
        cast.dz = rise;
        return cast;
    }
    // The same on a slope: at one height at each time, `from_z` at time 0 and `to_z` at time 1.
    constexpr Cast sloped(float from_z, float to_z) const noexcept {
        return at_heights({from_z, from_z}, to_z - from_z);
    }

    // Where the box is at time t; at 0 it is the start, exactly.
    constexpr Box at(float t) const noexcept {
        const float x = dx * t, y = dy * t;
        return {start.min_x + x, start.min_y + y, start.max_x + x, start.max_y + y};
    }
    constexpr Band heights_at(float t) const noexcept {
        return {heights.min_z + dz * t, heights.max_z + dz * t};
    }
    friend constexpr bool operator==(const Cast&, const Cast&) = default;
};

// An agent, and the fraction of the movement at which it is touched: 0 to 1, or infinite if none.
struct CastHit {
    AgentId id = no_agent;
    float fraction = std::numeric_limits<float>::infinity();
    // 1 if the id is that of an element of the static layer; only answers of `with_static` have that. It is
    // no bool, which would leave bytes of the answer undefined.
    std::uint32_t is_static = 0;

    constexpr bool found() const noexcept { return id != no_agent; }
    friend constexpr bool operator==(const CastHit&, const CastHit&) = default;
};

template <class Visitor>
concept CastVisitor = VisitorOf<Visitor, CastHit>;
// The same with the box that is touched: `[](const CastHit& hit, const Box& box) { ... }`.
template <class Visitor>
concept CastBoxVisitor = VisitorWithBoxes<Visitor, CastHit>;

struct [[nodiscard]] FirstHit {
    Status status;
    CastHit hit;
};

// All hits of each cast of a batch, the earliest first: list c is that of cast c.
class CastHits : public AnswerLists<CastHit> {
public:
    explicit CastHits(MemoryResource* memory = nullptr) noexcept : AnswerLists(memory) {}

    THRONG_API std::span<const CastHit> hits() const noexcept;
};

// --- Views of casts ----------------------------------------------------------------------------------------

// Casts is a view of the host's casts where they lie, as Boxes is one of boxes:
//
//     status = frame.first_hits(list, hits);                        // a std::vector<Cast>, or any such range
//     casts = Casts::segments(eyes, targets);                           // from points to points
//     casts = Casts::rays(eyes, Points::arrays(dx, dy));                // points and movements
//     const Points velocities = Points::members(agents, &Agent::vx, &Agent::vy);
//     casts = Casts::boxes(bodies, velocities, seconds);                // boxes that move for a time
//     casts = Casts::circles(Points::arrays(x, y), 0.5f, velocities, seconds);
//     const Radii radii = Radii::members(agents, &Agent::radius);
//     casts = Casts::circles(Points::arrays(x, y), radii, velocities, seconds);
//     status = frame.all_hits(casts, hits_of_each, Filters::each_without_itself());  // cast i is of agent i
//     casts = Casts::segments(eyes, targets).sloped(Floats::members(agents, &Agent::eye_z), 0.9f);
//     casts = Casts::boxes(bodies, velocities, seconds).at_heights(0, 1.8f);         // or Floats of each
//
// Starts are Boxes or Points, and movements are Points. So each may be arrays, members, pointers with
// strides, or doubles with an Origin; movements have Origin{}. A movement is in floats. With a duration it is
// velocity * duration. For a segment it is target - start, each counted from the origin and rounded. If a
// movement is not finite, the cast is refused. The call that receives a view names its faults: arrays of
// different lengths, a null pointer, a stride shorter than an element.

// A view of one float for all casts, or one for each: radii, or heights.
class Floats {
public:
    Floats(float all = 0) noexcept : all_(all) {}  // NOLINT(google-explicit-constructor): one for all
    template <detail::ViewableRangeOf<float> Range>
    Floats(Range&& each) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Floats(detail::Strided<float>(each)) {}

    static Floats arrays(const float* each, std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return Floats(detail::Strided<float>(each, count, stride));
    }
    template <detail::ViewableRange Range, detail::CoordinateOf<Range> Number>
    static Floats members(Range&& elements, Number number) noexcept {
        return Floats(detail::each_of(elements, number));
    }

    float operator[](std::size_t i) const noexcept { return one_for_all_ ? all_ : each_[i]; }
    Floats part(std::size_t first, std::size_t count) const noexcept {
        return one_for_all_ ? *this : Floats(each_.part(first, count));
    }
    // The fault of the view itself, given `count` casts.
    Code fault(std::size_t count) const noexcept { return one_for_all_ ? Code::ok : each_.fault(count); }

private:
    explicit Floats(const detail::Strided<float>& each) noexcept : each_(each), one_for_all_(false) {}

    detail::Strided<float> each_;
    float all_ = 0;
    bool one_for_all_ = true;
};
using Radii = Floats;

class Casts {
public:
    Casts() = default;
    template <detail::ViewableRangeFor<Cast, Casts> Range>
    Casts(Range&& casts) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : count_(std::size(casts)),
          rows_(reinterpret_cast<const Row*>(std::data(casts)), std::size(casts), sizeof(Cast)) {}

    static Casts segments(const Points& from, const Points& to, const Radii& radii = {}) noexcept {
        return {Form::segments, from.boxes(), to, 1, radii};
    }
    static Casts rays(const Points& from, const Points& movements, float duration = 1) noexcept {
        return {Form::movements, from.boxes(), movements, duration, {}};
    }
    static Casts circles(const Points& centres, const Radii& radii, const Points& movements,
                         float duration = 1) noexcept {
        return {Form::movements, centres.boxes(), movements, duration, radii};
    }
    // With radii, boxes with round corners.
    static Casts boxes(const Boxes& starts, const Points& movements, float duration = 1,
                       const Radii& radii = {}) noexcept {
        return {Form::movements, starts, movements, duration, radii};
    }
    // Seven floats each, in the order of a Cast: the corners, the movement and the radius.
    static Casts rows(const float* first, std::size_t count,
                      std::size_t stride = 7 * sizeof(float)) noexcept {
        Casts casts;
        casts.count_ = count;
        casts.rows_ = {reinterpret_cast<const Row*>(first), count, stride};
        casts.form_ = Form::rows;
        return casts;
    }

    // The same casts at heights: from min_z to max_z at the start, rising by `rises`. If the movements are
    // velocities, so are `rises`, and the duration multiplies them.
    Casts at_heights(const Floats& min_z, const Floats& max_z, const Floats& rises = 0) const noexcept {
        Casts casts = *this;
        casts.has_heights_ = true;
        casts.min_z_ = min_z;
        casts.max_z_ = max_z;
        casts.rises_ = rises;
        return casts;
    }
    // On slopes: each at one height at a time.
    Casts sloped(const Floats& from_z, const Floats& to_z) const noexcept {
        Casts casts = at_heights(from_z, from_z, to_z);
        casts.is_sloped_ = true;
        return casts;
    }

    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    Cast operator[](std::size_t i) const noexcept {
        Cast cast = without_heights(i);
        if (!has_heights_) return cast;
        const float from = min_z_[i], rise = rises_[i];
        return cast.at_heights({from, max_z_[i]}, is_sloped_ ? rise - from : rise * duration_);
    }
    Casts part(std::size_t first, std::size_t count) const noexcept {
        Casts some = *this;
        some.count_ = count;
        some.rows_ = rows_.part(first, count);
        some.starts_ = starts_.part(first, count);
        some.others_ = others_.part(first, count);
        some.radii_ = radii_.part(first, count);
        some.min_z_ = min_z_.part(first, count);
        some.max_z_ = max_z_.part(first, count);
        some.rises_ = rises_.part(first, count);
        return some;
    }
    // The first cast, if each lies in memory as a Cast or as its first seven floats, and how many bytes
    // further the next one is. Null if each is made of several arrays.
    const float* data() const noexcept {
        return has_heights_ ? nullptr : reinterpret_cast<const float*>(rows_.first());
    }
    std::size_t stride() const noexcept { return rows_.stride(); }
    // Whether some casts may have less than every height.
    bool may_have_heights() const noexcept { return has_heights_ || form_ == Form::casts; }
    // The fault of the view itself, not of its values, and which of its parts has it.
    Status fault() const noexcept {
        if (const Status bad = fault_without_heights(); !bad.ok() || !has_heights_) return bad;
        for (const Floats* floats : {&min_z_, &max_z_, &rises_})
            if (const Code bad = floats->fault(count_); bad != Code::ok) return {bad, Argument::heights};
        return {};
    }

private:
    enum class Form : unsigned char { casts, rows, segments, movements };
    struct Row {
        float numbers[7];
    };

    Casts(Form form, const Boxes& starts, const Points& others, float duration, const Radii& radii) noexcept
        : count_(starts.size()),
          starts_(starts),
          others_(others),
          radii_(radii),
          duration_(duration),
          form_(form) {}

    Cast without_heights(std::size_t i) const noexcept {
        if (form_ == Form::casts) return *reinterpret_cast<const Cast*>(rows_.at(i));
        if (form_ == Form::rows) {
            const auto [n] = rows_[i];
            return {{n[0], n[1], n[2], n[3]}, n[4], n[5], n[6]};
        }
        const Box start = starts_[i];
        const Point other = others_[i];
        if (form_ == Form::segments) return {start, other.x - start.min_x, other.y - start.min_y, radii_[i]};
        return {start, other.x * duration_, other.y * duration_, radii_[i]};
    }
    Status fault_without_heights() const noexcept {
        if (form_ == Form::casts || form_ == Form::rows) return {rows_.fault(), Argument::boxes};
        if (const Code bad = starts_.fault(); bad != Code::ok) return {bad, Argument::boxes};
        if (others_.size() != count_) return {Code::size_mismatch, Argument::boxes};
        if (const Code bad = others_.fault(); bad != Code::ok) return {bad, Argument::boxes};
        return {radii_.fault(count_), Argument::radii};
    }

    std::size_t count_ = 0;
    detail::Strided<Row> rows_;  // of Form::casts and Form::rows; others have what follows
    Boxes starts_;
    Points others_;
    Radii radii_;
    Floats min_z_, max_z_, rises_;  // rises_ has the heights at the end where is_sloped_
    float duration_ = 1;
    Form form_ = Form::casts;
    bool has_heights_ = false, is_sloped_ = false;
};

}  // namespace throng
