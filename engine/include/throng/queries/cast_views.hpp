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
//
// Starts are Boxes or Points and movements are Points, so each may be arrays, members or pointers with
// strides, and doubles with an Origin; movements have Origin{}. A movement is one of floats: with a duration
// it is velocity * duration, and a segment's is target - start, each from the origin and rounded. If it is
// not finite, the cast is refused. Faults of a view (arrays of different lengths, a null pointer, a stride
// shorter than an element) are named by the call that receives it.
#pragma once

#include <cstddef>
#include <cstring>

#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/points.hpp"
#include "throng/status.hpp"

namespace throng {

// A view of the radii of casts: one for all, or one for each.
class Radii {
public:
    Radii(float all = 0) noexcept : all_(all) {}  // NOLINT(google-explicit-constructor): one for all
    template <detail::ViewableRangeOf<float> Range>
    Radii(Range&& each) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Radii(std::data(each), std::size(each), sizeof(float)) {}

    static Radii arrays(const float* radii, std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return {radii, count, stride};
    }
    template <detail::ViewableRange Range, detail::CoordinateOf<Range> Radius>
    static Radii members(Range&& elements, Radius radius) noexcept {
        return {detail::first_of(elements, radius), std::size(elements), sizeof(detail::ElementOf<Range>)};
    }

    float operator[](std::size_t i) const noexcept {
        if (one_for_all_) return all_;
        float radius;
        std::memcpy(&radius, reinterpret_cast<const char*>(first_) + i * stride_, sizeof radius);
        return radius;
    }
    // Those of the casts [first, first + count) as a view of their own.
    Radii part(std::size_t first, std::size_t count) const noexcept {
        if (one_for_all_) return *this;
        return {reinterpret_cast<const float*>(reinterpret_cast<const char*>(first_) + first * stride_),
                count, stride_};
    }
    // The fault of the view itself, if there are `count` casts.
    Code fault(std::size_t count) const noexcept {
        if (one_for_all_) return Code::ok;
        if (count_ != count) return Code::size_mismatch;
        if (count != 0 && first_ == nullptr) return Code::null_view;
        return count > 1 && stride_ < sizeof(float) ? Code::bad_stride : Code::ok;
    }

private:
    Radii(const float* first, std::size_t count, std::size_t stride) noexcept
        : first_(first), count_(count), stride_(stride), one_for_all_(false) {}

    const float* first_ = nullptr;
    std::size_t count_ = 0;
    std::size_t stride_ = sizeof(float);
    float all_ = 0;
    bool one_for_all_ = true;
};

class Casts {
public:
    Casts() = default;
    template <detail::ViewableRangeFor<Cast, Casts> Range>
    Casts(Range&& casts) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : casts_(std::data(casts)), count_(std::size(casts)), form_(Form::casts) {}

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

    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    Cast operator[](std::size_t i) const noexcept {
        if (form_ == Form::casts) return casts_[i];
        const Box start = starts_[i];
        const Point other = others_[i];
        if (form_ == Form::segments) return {start, other.x - start.min_x, other.y - start.min_y, radii_[i]};
        return {start, other.x * duration_, other.y * duration_, radii_[i]};
    }
    // The casts [first, first + count) as a view of their own.
    Casts part(std::size_t first, std::size_t count) const noexcept {
        if (form_ != Form::casts)
            return {form_, starts_.part(first, count), others_.part(first, count), duration_,
                    radii_.part(first, count)};
        Casts view;
        view.casts_ = casts_ + first;
        view.count_ = count;
        return view;
    }
    // If they lie somewhere as a Cast each, the first of them.
    const Cast* data() const noexcept { return casts_; }
    // The fault of the view itself, not of its values, and in which of its parts it is.
    Status fault() const noexcept {
        if (form_ == Form::casts)
            return {casts_ == nullptr && count_ != 0 ? Code::null_view : Code::ok, Argument::boxes};
        if (const Code bad = starts_.fault(); bad != Code::ok) return {bad, Argument::boxes};
        if (others_.size() != count_) return {Code::size_mismatch, Argument::boxes};
        if (const Code bad = others_.fault(); bad != Code::ok) return {bad, Argument::boxes};
        return {radii_.fault(count_), Argument::radii};
    }

private:
    enum class Form : unsigned char { casts, segments, movements };

    Casts(Form form, const Boxes& starts, const Points& others, float duration, const Radii& radii) noexcept
        : count_(starts.size()),
          starts_(starts),
          others_(others),
          radii_(radii),
          duration_(duration),
          form_(form) {}

    const Cast* casts_ = nullptr;
    std::size_t count_ = 0;
    Boxes starts_;
    Points others_;
    Radii radii_;
    float duration_ = 1;
    Form form_ = Form::casts;
};

}  // namespace throng
