// Casts: a view of the host's casts where they lie, as Boxes is one of boxes. Nothing is copied or owned; the
// arrays need to live only as long as the call that reads them.
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
#pragma once

#include <cstddef>
#include <cstring>

#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/points.hpp"
#include "throng/status.hpp"

namespace throng {

// A view of one float for all casts, or one for each: radii, or heights.
class Floats {
public:
    Floats(float all = 0) noexcept : all_(all) {}  // NOLINT(google-explicit-constructor): one for all
    template <detail::ViewableRangeOf<float> Range>
    Floats(Range&& each) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Floats(std::data(each), std::size(each), sizeof(float)) {}

    static Floats arrays(const float* each, std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return {each, count, stride};
    }
    template <detail::ViewableRange Range, detail::CoordinateOf<Range> Number>
    static Floats members(Range&& elements, Number number) noexcept {
        return {detail::first_of(elements, number), std::size(elements), sizeof(detail::ElementOf<Range>)};
    }

    float operator[](std::size_t i) const noexcept {
        if (one_for_all_) return all_;
        float one;
        std::memcpy(&one, reinterpret_cast<const char*>(first_) + i * stride_, sizeof one);
        return one;
    }
    Floats part(std::size_t first, std::size_t count) const noexcept {
        if (one_for_all_) return *this;
        return {reinterpret_cast<const float*>(reinterpret_cast<const char*>(first_) + first * stride_),
                count, stride_};
    }
    // The fault of the view itself, given `count` casts.
    Code fault(std::size_t count) const noexcept {
        if (one_for_all_) return Code::ok;
        if (count_ != count) return Code::size_mismatch;
        if (count != 0 && first_ == nullptr) return Code::null_view;
        return count > 1 && stride_ < sizeof(float) ? Code::bad_stride : Code::ok;
    }

private:
    Floats(const float* first, std::size_t count, std::size_t stride) noexcept
        : first_(first), count_(count), stride_(stride), one_for_all_(false) {}

    const float* first_ = nullptr;
    std::size_t count_ = 0;
    std::size_t stride_ = sizeof(float);
    float all_ = 0;
    bool one_for_all_ = true;
};
using Radii = Floats;

class Casts {
public:
    Casts() = default;
    template <detail::ViewableRangeFor<Cast, Casts> Range>
    Casts(Range&& casts) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : first_(std::data(casts) == nullptr ? nullptr : &std::data(casts)->start.min_x),
          count_(std::size(casts)),
          stride_(sizeof(Cast)) {}

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
        casts.first_ = first;
        casts.count_ = count;
        casts.stride_ = stride;
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
        if (form_ == Form::casts || form_ == Form::rows) {
            some.first_ = at(first);
        } else {
            some.starts_ = starts_.part(first, count);
            some.others_ = others_.part(first, count);
            some.radii_ = radii_.part(first, count);
        }
        if (!has_heights_) return some;
        some.min_z_ = min_z_.part(first, count);
        some.max_z_ = max_z_.part(first, count);
        some.rises_ = rises_.part(first, count);
        return some;
    }
    // The first cast, if each lies in memory as a Cast or as its first seven floats, and how many bytes
    // further the next one is. Null if each is made of several arrays.
    const float* data() const noexcept { return has_heights_ ? nullptr : first_; }
    std::size_t stride() const noexcept { return stride_; }
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

    Casts(Form form, const Boxes& starts, const Points& others, float duration, const Radii& radii) noexcept
        : count_(starts.size()),
          starts_(starts),
          others_(others),
          radii_(radii),
          duration_(duration),
          form_(form) {}

    const float* at(std::size_t i) const noexcept {
        return reinterpret_cast<const float*>(reinterpret_cast<const char*>(first_) + i * stride_);
    }
    Cast without_heights(std::size_t i) const noexcept {
        if (form_ == Form::casts) return *reinterpret_cast<const Cast*>(at(i));
        if (form_ == Form::rows) {
            float n[7];
            std::memcpy(n, at(i), sizeof n);
            return {{n[0], n[1], n[2], n[3]}, n[4], n[5], n[6]};
        }
        const Box start = starts_[i];
        const Point other = others_[i];
        if (form_ == Form::segments) return {start, other.x - start.min_x, other.y - start.min_y, radii_[i]};
        return {start, other.x * duration_, other.y * duration_, radii_[i]};
    }
    Status fault_without_heights() const noexcept {
        if (form_ == Form::casts || form_ == Form::rows) {
            if (first_ == nullptr && count_ != 0) return {Code::null_view, Argument::boxes};
            const bool overlap = count_ > 1 && stride_ < 7 * sizeof(float);
            return {overlap ? Code::bad_stride : Code::ok, Argument::boxes};
        }
        if (const Code bad = starts_.fault(); bad != Code::ok) return {bad, Argument::boxes};
        if (others_.size() != count_) return {Code::size_mismatch, Argument::boxes};
        if (const Code bad = others_.fault(); bad != Code::ok) return {bad, Argument::boxes};
        return {radii_.fault(count_), Argument::radii};
    }

    const float* first_ = nullptr;
    std::size_t count_ = 0;
    std::size_t stride_ = sizeof(Cast);
    Boxes starts_;
    Points others_;
    Radii radii_;
    Floats min_z_, max_z_, rises_;  // rises_ has the heights at the end where is_sloped_
    float duration_ = 1;
    Form form_ = Form::casts;
    bool has_heights_ = false, is_sloped_ = false;
};

}  // namespace throng
