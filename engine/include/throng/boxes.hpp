// Boxes and Points: views of the host's boxes and points where they lie. Nothing is copied and nothing is
// owned; the arrays need to live only as long as the call that reads them.
//
//     status = frame.count(list, counts);     // `list` is a std::vector<Box>, or any contiguous range of Box
//     boxes = Boxes::min_max(agents, &Agent::x0, &Agent::y0, &Agent::x1, &Agent::y1);   // members
//     boxes = Boxes::centre_half(agents, &Agent::x, &Agent::y, &Agent::half_x, &Agent::half_y);
//     boxes = Boxes::points(agents, &Agent::x, &Agent::y, radius);     // points that all reach equally far
//     boxes = Boxes::centre_half(agents, &Agent::x, &Agent::y, &Agent::radius, &Agent::radius);    // squares
//     boxes = Boxes::points(agents, member_path(&Agent::place, &Vec2::x),    // members of a member
//                           member_path(&Agent::place, &Vec2::y), radius);
//     boxes = Boxes::centre_half(x, y, half_x, half_y);               // four arrays, one for each coordinate
//     boxes = Boxes::centre_half(px, py, phx, phy, count, stride);     // the same from pointers
//     boxes = Boxes::strided(form, {px, py, phx, phy}, {12, 12, 8, 8}, count);  // a stride for each
//     boxes = Boxes::points(paged(pages, count, 1024), &Agent::x, &Agent::y, radius);  // pages of 1,024
//     boxes = Boxes::points(by_pointer(pointers), &Agent::x, &Agent::y, radius);    // a range of pointers
//     boxes = Boxes::centre_half(bodies, &Body::x, &Body::y, &Body::half_x, &Body::half_y, origin);
//     status = frame.neighbours(places, {.radius = 2}, lists);    // a std::vector<Point>, or any such range
//     points = Points::members(agents, &Agent::x, &Agent::y);          // Points::arrays(x, y), and so on
//
// With an Origin as the last argument, each coordinate may be a double or a float, and is read once. The
// origin is subtracted, halves and the radius are added, all in double, and each edge is rounded once to the
// nearest float. An edge too large for a float is refused as `not_finite`.
//
// Strides are in bytes, from one element to the next. Arrays with the natural stride are fastest: they are
// read straight into vector registers. Others are gathered block by block, once an update. An empty range is
// legal. An invalid view (arrays of different lengths, a null pointer, a stride shorter than a float) is
// refused by the call that receives it. A view of a temporary container would dangle, so it does not compile.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "throng/compiler.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"
#include "throng/views/members.hpp"

namespace throng {

class Boxes {
public:
    enum class Form : unsigned char { min_max, centre_half, points };

    Boxes() = default;
    template <detail::ViewableRangeOf<Box> Range>
    Boxes(Range&& boxes) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Boxes(of({std::data(boxes), std::size(boxes)})) {}
    // A view of a temporary container would dangle: give the container a name.
    template <detail::ContiguousRangeOf<Box> Range>
        requires detail::TemporaryContainer<Range> Boxes(Range&& boxes)
    = delete;

    // --- Four arrays, one for each coordinate ---

    static Boxes min_max(detail::ViewedSpan<float> min_x, detail::ViewedSpan<float> min_y,
                         detail::ViewedSpan<float> max_x, detail::ViewedSpan<float> max_y) noexcept {
        return Boxes(Form::min_max, 0, {min_x, min_y, max_x, max_y});
    }
    static Boxes centre_half(detail::ViewedSpan<float> x, detail::ViewedSpan<float> y,
                             detail::ViewedSpan<float> half_x, detail::ViewedSpan<float> half_y) noexcept {
        return Boxes(Form::centre_half, 0, {x, y, half_x, half_y});
    }
    static Boxes points(detail::ViewedSpan<float> x, detail::ViewedSpan<float> y, float radius) noexcept {
        return Boxes(Form::points, radius, {x, y});
    }

    // --- Members of the host's own structs, which may be paged() or by_pointer() ---

    template <detail::ViewableElements Elements, detail::CoordinateOf<Elements> MinX,
              detail::CoordinateOf<Elements> MinY, detail::CoordinateOf<Elements> MaxX,
              detail::CoordinateOf<Elements> MaxY>
    static Boxes min_max(Elements&& elements, MinX min_x, MinY min_y, MaxX max_x, MaxY max_y) noexcept {
        return members(Form::min_max, elements, 0, min_x, min_y, max_x, max_y);
    }
    template <detail::ViewableElements Elements, detail::CoordinateOf<Elements> X,
              detail::CoordinateOf<Elements> Y, detail::CoordinateOf<Elements> HalfX,
              detail::CoordinateOf<Elements> HalfY>
    static Boxes centre_half(Elements&& elements, X x, Y y, HalfX half_x, HalfY half_y) noexcept {
        return members(Form::centre_half, elements, 0, x, y, half_x, half_y);
    }
    template <detail::ViewableElements Elements, detail::CoordinateOf<Elements> X,
              detail::CoordinateOf<Elements> Y>
    static Boxes points(Elements&& elements, X x, Y y, float radius) noexcept {
        return members(Form::points, elements, radius, x, y);
    }

    // --- All of these with an origin: each coordinate is a double or a float ---

    static Boxes min_max(detail::Reals min_x, detail::Reals min_y, detail::Reals max_x, detail::Reals max_y,
                         const Origin& origin) noexcept {
        return Boxes(Form::min_max, 0, {min_x, min_y, max_x, max_y}).counted_from(origin);
    }
    static Boxes centre_half(detail::Reals x, detail::Reals y, detail::Reals half_x, detail::Reals half_y,
                             const Origin& origin) noexcept {
        return Boxes(Form::centre_half, 0, {x, y, half_x, half_y}).counted_from(origin);
    }
    static Boxes points(detail::Reals x, detail::Reals y, float radius, const Origin& origin) noexcept {
        return Boxes(Form::points, radius, {x, y}).counted_from(origin);
    }
    template <detail::ViewableElements Elements, detail::RealOf<Elements> MinX, detail::RealOf<Elements> MinY,
              detail::RealOf<Elements> MaxX, detail::RealOf<Elements> MaxY>
    static Boxes min_max(Elements&& elements, MinX min_x, MinY min_y, MaxX max_x, MaxY max_y,
                         const Origin& origin) noexcept {
        return members(Form::min_max, elements, 0, min_x, min_y, max_x, max_y).counted_from(origin);
    }
    template <detail::ViewableElements Elements, detail::RealOf<Elements> X, detail::RealOf<Elements> Y,
              detail::RealOf<Elements> HalfX, detail::RealOf<Elements> HalfY>
    static Boxes centre_half(Elements&& elements, X x, Y y, HalfX half_x, HalfY half_y,
                             const Origin& origin) noexcept {
        return members(Form::centre_half, elements, 0, x, y, half_x, half_y).counted_from(origin);
    }
    template <detail::ViewableElements Elements, detail::RealOf<Elements> X, detail::RealOf<Elements> Y>
    static Boxes points(Elements&& elements, X x, Y y, float radius, const Origin& origin) noexcept {
        return members(Form::points, elements, radius, x, y).counted_from(origin);
    }
    // A stride for each array. Points need only the first two.
    static Boxes strided(Form form, const std::array<detail::RealPointer, 4>& arrays,
                         const std::array<std::size_t, 4>& strides, std::size_t count, const Origin& origin,
                         float radius = 0) noexcept {
        return of_pointers(form, arrays, strides, count, radius).counted_from(origin);
    }

    // --- Pointers ---

    static Boxes min_max(const float* min_x, const float* min_y, const float* max_x, const float* max_y,
                         std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return strided(Form::min_max, {min_x, min_y, max_x, max_y}, {stride, stride, stride, stride}, count);
    }
    static Boxes centre_half(const float* x, const float* y, const float* half_x, const float* half_y,
                             std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return strided(Form::centre_half, {x, y, half_x, half_y}, {stride, stride, stride, stride}, count);
    }
    static Boxes points(const float* x, const float* y, float radius, std::size_t count,
                        std::size_t stride = sizeof(float)) noexcept {
        return strided(Form::points, {x, y}, {stride, stride}, count, radius);
    }
    // A stride for each array. Points need only the first two.
    static Boxes strided(Form form, const std::array<const float*, 4>& arrays,
                         const std::array<std::size_t, 4>& strides, std::size_t count,
                         float radius = 0) noexcept {
        return of_pointers(form, arrays, strides, count, radius);
    }
    static Boxes of(detail::ViewedSpan<Box> boxes) noexcept {
        return members(Form::min_max, boxes, 0, &Box::min_x, &Box::min_y, &Box::max_x, &Box::max_y);
    }

    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }

    // The box of one element, with the same arithmetic as the kernels.
    THRONG_ALWAYS_INLINE Box operator[](std::size_t i) const noexcept {
        const std::size_t step = pages_ == nullptr ? i * strides_[0] : step_in_pages(i);
        if (one_stride_) return box_at(step, step, step, step);
        if (converts_) return converted(i);
        return box_at(step, i * strides_[1], i * strides_[2], i * strides_[3]);
    }

    // The elements [first, first + count) as a view of their own.
    Boxes part(std::size_t first, std::size_t count) const noexcept {
        Boxes view = *this;
        if (pages_ != nullptr)
            view.first_ += first;
        else
            for (std::size_t k = 0; k < 4; ++k)
                if (pointers_[k] != nullptr) view.pointers_[k] = address(k, first * strides_[k]);
        view.count_ = count;
        return view;
    }

    Form form() const noexcept { return form_; }
    // min_x or x, min_y or y, max_x or half_x, max_y or half_y, or null. Only without an origin.
    const float* coordinate(std::size_t which) const noexcept {
        return static_cast<const float*>(pointers_[which]);
    }
    float radius() const noexcept { return radius_; }
    std::size_t stride(std::size_t which) const noexcept { return strides_[which]; }
    // Whether it has an origin; if so, which one, and which coordinates are doubles.
    bool converts() const noexcept { return converts_; }
    const Origin& origin() const noexcept { return origin_; }
    bool are_doubles(std::size_t which) const noexcept { return (doubles_ >> which & 1) != 0; }
    // A coordinate as the host has it.
    double given(std::size_t which, std::size_t i) const noexcept {
        const char* const from = place(which, i);
        return are_doubles(which) ? detail::read_as<double>(from) : double{detail::read_as<float>(from)};
    }
    // Where this coordinate of an element lies, and how many elements from there on lie one stride apart.
    const char* place(std::size_t which, std::size_t i) const noexcept {
        return address(which, pages_ == nullptr ? i * strides_[which] : step_in_pages(i));
    }
    std::size_t run(std::size_t i) const noexcept {
        return pages_ == nullptr ? count_ - i : page_size_ - (first_ + i) % page_size_;
    }
    bool are_in_pages() const noexcept { return pages_ != nullptr; }
    // Whether all arrays are floats as the library reads them, and have this stride up to the last element.
    bool has_stride(std::size_t stride) const noexcept {
        if (pages_ != nullptr || converts_) return false;
        for (std::size_t k = 0; k < coordinates(); ++k)
            if (strides_[k] != stride) return false;
        return true;
    }
    // The first fault of the view itself: its arrays and strides, not its values.
    Code fault() const noexcept {
        if (mismatched_) return Code::size_mismatch;
        for (std::size_t k = 0; k < coordinates() && count_ != 0; ++k) {
            if (pointers_[k] == nullptr) return Code::null_view;
            if (count_ > 1 && strides_[k] < (are_doubles(k) ? sizeof(double) : sizeof(float)))
                return Code::bad_stride;
        }
        if (pages_ == nullptr || count_ == 0) return Code::ok;
        if (page_size_ == 0) return Code::bad_stride;
        for (std::size_t p = first_ / page_size_; p <= (first_ + count_ - 1) / page_size_; ++p)
            if (page(p) == 0) return Code::null_view;
        return Code::ok;
    }

private:
    // The last two columns are the maximum or the half extent; points have none.
    Boxes(Form form, float radius, const std::array<detail::Reals, 4>& columns) noexcept
        : count_(columns[0].size()), radius_(radius), form_(form) {
        for (std::size_t k = 0; k < 4; ++k) {
            pointers_[k] = columns[k].data();
            strides_[k] = columns[k].stride();
            doubles_ = static_cast<unsigned char>(doubles_ | (columns[k].is_double() ? 1u << k : 0u));
            mismatched_ |= k < coordinates() && columns[k].size() != count_;
        }
        one_stride_ = has_stride(strides_[0]);
    }
    template <class Pointer>
    static Boxes of_pointers(Form form, const std::array<Pointer, 4>& arrays,
                             const std::array<std::size_t, 4>& strides, std::size_t count,
                             float radius) noexcept {
        const auto column = [&](std::size_t k) { return detail::Reals(arrays[k], count, strides[k]); };
        return {form, radius, {column(0), column(1), column(2), column(3)}};
    }
    Boxes counted_from(const Origin& origin) const noexcept {
        Boxes boxes = *this;
        boxes.origin_ = origin;
        boxes.converts_ = true;
        boxes.one_stride_ = false;  // as far as floats are read in fewer steps
        return boxes;
    }
    template <class Elements, class... Members>
    static Boxes members(Form form, const Elements& elements, float radius, Members... wanted) noexcept {
        const std::size_t count = std::size(elements), stride = sizeof(detail::ElementOf<Elements>);
        Boxes boxes(form, radius, {detail::Reals(detail::first_of(elements, wanted), count, stride)...});
        if constexpr (detail::are_pages<Elements>) {
            if (boxes.pointers_[0] != nullptr) boxes.pages_ = elements.first;
            boxes.page_size_ = elements.page_size;
        }
        return boxes;
    }

    // Pointers point into the first page; the distances of the others may wrap around.
    std::uintptr_t page(std::size_t p) const noexcept {
        return detail::read_as<std::uintptr_t>(static_cast<const char*>(pages_) + p * sizeof(void*));
    }
    std::size_t step_in_pages(std::size_t i) const noexcept {
        const std::size_t at = first_ + i;
        if (page_size_ == 1) return page(at) - page(0);
        return page(at / page_size_) - page(0) + at % page_size_ * strides_[0];
    }
    const char* address(std::size_t which, std::size_t bytes) const noexcept {
        return reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(pointers_[which]) + bytes);
    }

    std::size_t coordinates() const noexcept { return form_ == Form::points ? 2 : 4; }
    // The box whose coordinates lie at these byte offsets from the start of each array.
    THRONG_ALWAYS_INLINE Box box_at(std::size_t a, std::size_t b, std::size_t c,
                                    std::size_t d) const noexcept {
        switch (form_) {
        case Form::min_max: return {read(0, a), read(1, b), read(2, c), read(3, d)};
        case Form::centre_half: return Box::around(read(0, a), read(1, b), read(2, c), read(3, d));
        case Form::points: break;
        }
        return Box::around(read(0, a), read(1, b), radius_, radius_);
    }
    float read(std::size_t which, std::size_t bytes) const noexcept {
        return detail::read_as<float>(address(which, bytes));
    }
    // With an origin.
    THRONG_API Box converted(std::size_t i) const noexcept;

    std::array<const void*, 4> pointers_{};
    std::array<std::size_t, 4> strides_{sizeof(float), sizeof(float), sizeof(float), sizeof(float)};
    std::size_t count_ = 0;
    const void* pages_ = nullptr;  // a table of pointers; null if there are arrays
    std::size_t page_size_ = 0;
    std::size_t first_ = 0;  // in pages: the number of the first element of this part
    Origin origin_;
    float radius_ = 0;
    Form form_ = Form::min_max;
    bool one_stride_ = true;
    bool mismatched_ = false;
    bool converts_ = false;
    unsigned char doubles_ = 0;  // a bit for each array of doubles
};

// The host's points, as Boxes are its boxes: each factory has a counterpart of boxes of that name.
class Points {
public:
    Points() = default;
    template <detail::ViewableRangeOf<Point> Range>
    Points(Range&& points) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Points(of({std::data(points), std::size(points)})) {}

    static Points arrays(detail::ViewedSpan<float> x, detail::ViewedSpan<float> y) noexcept {
        return Points(Boxes::points(x, y, 0));
    }
    static Points arrays(const float* x, const float* y, std::size_t count,
                         std::size_t stride = sizeof(float)) noexcept {
        return Points(Boxes::points(x, y, 0, count, stride));
    }
    template <detail::ViewableElements Elements, detail::CoordinateOf<Elements> X,
              detail::CoordinateOf<Elements> Y>
    static Points members(Elements&& elements, X x, Y y) noexcept {
        return Points(Boxes::points(elements, x, y, 0));
    }
    // With an origin, which is subtracted in double; each coordinate is a double or a float. Directions and
    // velocities have Origin{}, which is zero.
    static Points arrays(detail::Reals x, detail::Reals y, const Origin& origin) noexcept {
        return Points(Boxes::points(x, y, 0, origin));
    }
    template <detail::ViewableElements Elements, detail::RealOf<Elements> X, detail::RealOf<Elements> Y>
    static Points members(Elements&& elements, X x, Y y, const Origin& origin) noexcept {
        return Points(Boxes::points(elements, x, y, 0, origin));
    }
    static Points strided(detail::RealPointer x, detail::RealPointer y, std::size_t stride_x,
                          std::size_t stride_y, std::size_t count, const Origin& origin) noexcept {
        return Points(Boxes::strided(Boxes::Form::points, {x, y}, {stride_x, stride_y}, count, origin));
    }
    static Points of(detail::ViewedSpan<Point> points) noexcept {
        return members(points, &Point::x, &Point::y);
    }

    std::size_t size() const noexcept { return boxes_.size(); }
    bool empty() const noexcept { return boxes_.empty(); }
    Point operator[](std::size_t i) const noexcept {
        const Box box = boxes_[i];
        return {box.min_x, box.min_y};
    }
    Points part(std::size_t first, std::size_t count) const noexcept {
        return Points(boxes_.part(first, count));
    }
    Code fault() const noexcept { return boxes_.fault(); }
    // The same points as boxes without an extent.
    const Boxes& boxes() const noexcept { return boxes_; }

private:
    explicit Points(const Boxes& boxes) noexcept : boxes_(boxes) {}

    Boxes boxes_ = Boxes::points(nullptr, nullptr, 0, 0);
};

// Where lists of neighbours are wanted: at the agents of a frame, or at points.
class Frame;
template <class Places>
concept FrameOrPoints = std::derived_from<Places, Frame> || std::convertible_to<const Places&, Points>;

// An origin for a world, and how exact floats are there.
struct OriginChoice {
    Origin origin;
    double spacing = 0;  // the distance between floats near the boxes, leaving out the farthest 64th of boxes
    double extent = 0;   // 15 in 16 of the boxes with a width or height above 0 are larger than this; or 0
    // The larger of two medians: distances from the middle of the boxes, and half their sizes.
    double spread = 0;
};
// Looks at up to 256 boxes, spread evenly over all; the origin of the view does not matter. The current
// origin is kept in two cases: floats near the boxes are finer than a thousandth of `extent`, or the origin
// is within eight times `spread` of the middle of the boxes, or of `least_spread` if that is larger, such as
// the spread of the walls. Otherwise it is (0, 0), if that is as good, or a round point amid the boxes. So a
// world that moves gets a new origin once in a while.
//
//     origin = choose_origin(Boxes::points(bodies, &Body::x, &Body::y, radius, origin), origin).origin;
THRONG_API OriginChoice choose_origin(const Boxes& boxes, const Origin& current = {},
                                      double least_spread = 0) noexcept;

}  // namespace throng
