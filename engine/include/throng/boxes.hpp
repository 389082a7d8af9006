// Boxes: a view of the host's boxes where they lie. Nothing is copied and nothing is owned; the arrays need
// to live only as long as the call that reads them.
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
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "throng/compiler.hpp"
#include "throng/detail/viewed_ranges.hpp"
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
        return arrays(Form::min_max, 0, min_x, min_y, max_x, max_y);
    }
    static Boxes centre_half(detail::ViewedSpan<float> x, detail::ViewedSpan<float> y,
                             detail::ViewedSpan<float> half_x, detail::ViewedSpan<float> half_y) noexcept {
        return arrays(Form::centre_half, 0, x, y, half_x, half_y);
    }
    static Boxes points(detail::ViewedSpan<float> x, detail::ViewedSpan<float> y, float radius) noexcept {
        return arrays(Form::points, radius, x, y);
    }

    // --- Members of the host's own structs ---

    template <detail::ViewableRange Range, detail::CoordinateOf<Range> MinX, detail::CoordinateOf<Range> MinY,
              detail::CoordinateOf<Range> MaxX, detail::CoordinateOf<Range> MaxY>
    static Boxes min_max(Range&& elements, MinX min_x, MinY min_y, MaxX max_x, MaxY max_y) noexcept {
        return members(Form::min_max, elements, 0, min_x, min_y, max_x, max_y);
    }
    template <detail::ViewableRange Range, detail::CoordinateOf<Range> X, detail::CoordinateOf<Range> Y,
              detail::CoordinateOf<Range> HalfX, detail::CoordinateOf<Range> HalfY>
    static Boxes centre_half(Range&& elements, X x, Y y, HalfX half_x, HalfY half_y) noexcept {
        return members(Form::centre_half, elements, 0, x, y, half_x, half_y);
    }
    template <detail::ViewableRange Range, detail::CoordinateOf<Range> X, detail::CoordinateOf<Range> Y>
    static Boxes points(Range&& elements, X x, Y y, float radius) noexcept {
        return members(Form::points, elements, radius, x, y);
    }

    // --- The same, of elements that are paged() or by_pointer() ---

    template <class Element, detail::CoordinateIn<Element> MinX, detail::CoordinateIn<Element> MinY,
              detail::CoordinateIn<Element> MaxX, detail::CoordinateIn<Element> MaxY>
    static Boxes min_max(detail::Pages<Element> elements, MinX min_x, MinY min_y, MaxX max_x,
                         MaxY max_y) noexcept {
        return members(Form::min_max, elements, 0, min_x, min_y, max_x, max_y);
    }
    template <class Element, detail::CoordinateIn<Element> X, detail::CoordinateIn<Element> Y,
              detail::CoordinateIn<Element> HalfX, detail::CoordinateIn<Element> HalfY>
    static Boxes centre_half(detail::Pages<Element> elements, X x, Y y, HalfX half_x, HalfY half_y) noexcept {
        return members(Form::centre_half, elements, 0, x, y, half_x, half_y);
    }
    template <class Element, detail::CoordinateIn<Element> X, detail::CoordinateIn<Element> Y>
    static Boxes points(detail::Pages<Element> elements, X x, Y y, float radius) noexcept {
        return members(Form::points, elements, radius, x, y);
    }

    // --- All of these with an origin: each coordinate is a double or a float ---

    static Boxes min_max(detail::RealSpan min_x, detail::RealSpan min_y, detail::RealSpan max_x,
                         detail::RealSpan max_y, const Origin& origin) noexcept {
        return real_arrays(Form::min_max, {min_x, min_y, max_x, max_y}, origin);
    }
    static Boxes centre_half(detail::RealSpan x, detail::RealSpan y, detail::RealSpan half_x,
                             detail::RealSpan half_y, const Origin& origin) noexcept {
        return real_arrays(Form::centre_half, {x, y, half_x, half_y}, origin);
    }
    static Boxes points(detail::RealSpan x, detail::RealSpan y, float radius, const Origin& origin) noexcept {
        return real_arrays(Form::points, {x, y}, origin, radius);
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
        Boxes boxes(form, arrays, radius, count, 0);
        boxes.strides_ = strides;
        return boxes.counted_from(origin);
    }

    // --- Pointers ---

    static Boxes min_max(const float* min_x, const float* min_y, const float* max_x, const float* max_y,
                         std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return {Form::min_max, {min_x, min_y, max_x, max_y}, 0, count, stride};
    }
    static Boxes centre_half(const float* x, const float* y, const float* half_x, const float* half_y,
                             std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return {Form::centre_half, {x, y, half_x, half_y}, 0, count, stride};
    }
    static Boxes points(const float* x, const float* y, float radius, std::size_t count,
                        std::size_t stride = sizeof(float)) noexcept {
        return {Form::points, {x, y, nullptr, nullptr}, radius, count, stride};
    }
    // A stride for each array. Points need only the first two.
    static Boxes strided(Form form, const std::array<const float*, 4>& arrays,
                         const std::array<std::size_t, 4>& strides, std::size_t count,
                         float radius = 0) noexcept {
        Boxes boxes(form, {arrays[0], arrays[1], arrays[2], arrays[3]}, radius, count, sizeof(float));
        boxes.strides_ = strides;
        boxes.one_stride_ = boxes.has_stride(strides[0]);
        return boxes;
    }
    static Boxes of(detail::ViewedSpan<Box> boxes) noexcept {
        const Box* first = boxes.data();
        if (first == nullptr) return {Form::min_max, {}, 0, boxes.size(), sizeof(Box)};
        return {Form::min_max,
                {&first->min_x, &first->min_y, &first->max_x, &first->max_y},
                0,
                boxes.size(),
                sizeof(Box)};
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
        if (are_doubles(which)) return read_as<double>(from);
        return double{read_as<float>(from)};
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
    Boxes(Form form, const std::array<detail::RealPointer, 4>& pointers, float radius, std::size_t count,
          std::size_t stride) noexcept
        : strides_{stride, stride, stride, stride}, count_(count), radius_(radius), form_(form) {
        for (std::size_t k = 0; k < 4; ++k) {
            pointers_[k] = pointers[k].data();
            doubles_ = static_cast<unsigned char>(doubles_ | (pointers[k].are_doubles() ? 1u << k : 0u));
        }
    }

    // The last two are the maximum or the half extent; points have none.
    static Boxes arrays(Form form, float radius, const detail::ViewedSpan<float>& x,
                        const detail::ViewedSpan<float>& y, const detail::ViewedSpan<float>& last_x = {},
                        const detail::ViewedSpan<float>& last_y = {}) noexcept {
        Boxes boxes(form, {x.data(), y.data(), last_x.data(), last_y.data()}, radius, x.size(),
                    sizeof(float));
        boxes.mismatched_ =
            y.size() != x.size() ||
            (form != Form::points && (last_x.size() != x.size() || last_y.size() != x.size()));
        return boxes;
    }
    static Boxes real_arrays(Form form, const std::array<detail::RealSpan, 4>& arrays, const Origin& origin,
                             float radius = 0) noexcept {
        Boxes boxes(form, {arrays[0].data(), arrays[1].data(), arrays[2].data(), arrays[3].data()}, radius,
                    arrays[0].size(), 0);
        for (std::size_t k = 0; k < 4; ++k) boxes.strides_[k] = arrays[k].data().stride();
        for (std::size_t k = 1; k < boxes.coordinates(); ++k)
            if (arrays[k].size() != boxes.count_) boxes.mismatched_ = true;
        return boxes.counted_from(origin);
    }
    Boxes counted_from(const Origin& origin) const noexcept {
        Boxes boxes = *this;
        boxes.origin_ = origin;
        boxes.converts_ = true;
        boxes.one_stride_ = false;  // as far as floats are read in fewer steps
        return boxes;
    }
    template <class Range, class... Members>
    static Boxes members(Form form, const Range& elements, float radius, Members... wanted) noexcept {
        return {form,
                {detail::first_of(elements, wanted)...},
                radius,
                std::size(elements),
                sizeof(detail::ElementOf<Range>)};
    }

    template <class Element, class... Members>
    static Boxes members(Form form, const detail::Pages<Element>& elements, float radius,
                         Members... wanted) noexcept {
        const bool any = elements.count != 0 && elements.first != nullptr && *elements.first != nullptr;
        Boxes boxes(form, {any ? detail::address_in(**elements.first, wanted) : nullptr...}, radius,
                    elements.count, sizeof(Element));
        if (any) boxes.pages_ = elements.first;
        boxes.page_size_ = elements.page_size;
        return boxes;
    }

    // Pointers point into the first page; the distances of the others may wrap around.
    std::uintptr_t page(std::size_t p) const noexcept {
        const void* at;
        std::memcpy(&at, static_cast<const char*>(pages_) + p * sizeof at, sizeof at);
        return reinterpret_cast<std::uintptr_t>(at);
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
        return read_as<float>(address(which, bytes));
    }
    template <class Real>
    static Real read_as(const char* from) noexcept {
        Real value;
        std::memcpy(&value, from, sizeof value);
        return value;
    }
    // With an origin.
    THRONG_NOINLINE Box converted(std::size_t i) const noexcept {
        const double x = given(0, i), y = given(1, i);
        switch (form_) {
        case Form::min_max: return origin_.box(x, y, given(2, i), given(3, i));
        case Form::centre_half: return origin_.around(x, y, given(2, i), given(3, i));
        case Form::points: break;
        }
        return origin_.around(x, y, double{radius_}, double{radius_});
    }

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

}  // namespace throng
