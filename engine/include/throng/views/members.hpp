// What a view of the host's data is made of: ranges that outlive it, members of their elements, pages and
// pointers; and how it reads them. See boxes.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "throng/status.hpp"

namespace throng {

namespace detail {

// Uses std::data and std::size, which is what a view needs. The concepts of <ranges> would double the time
// that this header takes to compile.
template <class Range>
concept ContiguousRange = requires(const Range& range) {
    requires !std::is_void_v<std::remove_pointer_t<decltype(std::data(range))>>;
    {*std::data(range)};
    { std::size(range) } -> std::convertible_to<std::size_t>;
};
// A view of it would dangle: it has no name, and its elements go with it. Those of a temporary span stay.
template <class Range>
concept TemporaryContainer =
    !std::is_lvalue_reference_v<Range> && !std::ranges::enable_borrowed_range<std::remove_cvref_t<Range>>;
template <class Range>
concept ViewableRange = ContiguousRange<Range> && !TemporaryContainer<Range>;

// What a view is made of: a range, or elements in pages of `page_size`; the last page may have fewer. See
// paged() and by_pointer().
template <class Element>
struct Pages {
    const Element* const* first;
    std::size_t count, page_size;

    std::size_t size() const noexcept { return count; }
};
template <class Elements>
struct ElementsOf {
    static constexpr bool are_pages = false;
};
template <ContiguousRange Range>
struct ElementsOf<Range> {
    using Element = std::remove_cvref_t<decltype(*std::data(std::declval<const Range&>()))>;
    static constexpr bool are_pages = false;
};
template <class Of>
struct ElementsOf<Pages<Of>> {
    using Element = Of;
    static constexpr bool are_pages = true;
};
template <class Elements>
inline constexpr bool are_pages = ElementsOf<std::remove_cvref_t<Elements>>::are_pages;
template <class Elements>
using ElementOf = typename ElementsOf<std::remove_cvref_t<Elements>>::Element;
template <class Elements>
concept ViewableElements = ViewableRange<Elements> || are_pages<Elements>;

template <class Range, class Element>
concept ContiguousRangeOf = ContiguousRange<Range> && std::same_as<ElementOf<Range>, Element>;
template <class Range, class Element>
concept ViewableRangeOf = ContiguousRangeOf<Range, Element> && !TemporaryContainer<Range>;
// The same for a View that is such a range itself, and is copied instead.
template <class Range, class Element, class View>
concept ViewableRangeFor = ViewableRangeOf<Range, Element> && !std::same_as<std::remove_cvref_t<Range>, View>;

// What a view is made of: as a std::span of elements, but never of a temporary container. It holds no
// std::span, since to make one takes the compiler long.
template <class Element>
class ViewedSpan {
public:
    ViewedSpan() = default;
    ViewedSpan(const Element* first, std::size_t count) noexcept : first_(first), count_(count) {}
    template <ViewableRangeOf<Element> Range>
    ViewedSpan(Range&& range) noexcept  // NOLINT(google-explicit-constructor): as that of std::span
        : first_(std::data(range)), count_(std::size(range)) {}
    // Coordinates are floats: doubles are counted from an Origin.
    template <ContiguousRangeOf<double> Range>
        requires std::same_as<Element, float> ViewedSpan(Range&& range)  // say from which Origin
    = delete;

    const Element* data() const noexcept { return first_; }
    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    const Element& operator[](std::size_t i) const noexcept { return first_[i]; }
    const Element* begin() const noexcept { return first_; }
    const Element* end() const noexcept { return first_ + count_; }
    operator std::span<const Element>() const noexcept { return {first_, count_}; }

private:
    const Element* first_ = nullptr;
    std::size_t count_ = 0;
};

// Where floats or doubles lie.
class RealPointer {
public:
    RealPointer() = default;
    RealPointer(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor): this and both below
    RealPointer(const float* first) noexcept : first_(first) {}                          // NOLINT
    RealPointer(const double* first) noexcept : first_(first), size_(sizeof(double)) {}  // NOLINT

    const void* data() const noexcept { return first_; }
    bool are_doubles() const noexcept { return size_ == sizeof(double); }
    // From one to the next, if they lie close together.
    std::size_t stride() const noexcept { return size_; }

private:
    const void* first_ = nullptr;
    std::size_t size_ = sizeof(float);
};
// A member of a member: see member_path().
template <class Outer, class Inner, class Member>
struct MemberPath {
    Inner Outer::*outer;
    Member Inner::*inner;
};

// Where a member lies in an element.
template <class Element, class Outer, class Member>
const Member* address_in(const Element& element, Member Outer::*member) noexcept {
    return &(element.*member);
}
template <class Element, class Outer, class Inner, class Member>
const Member* address_in(const Element& element, MemberPath<Outer, Inner, Member> path) noexcept {
    return &(element.*path.outer.*path.inner);
}
// A pointer to a member of the elements, or a path to one; what holds it may be a base of theirs. A view
// converts nothing. With an origin, a coordinate is a float or a double.
template <class T, class Elements, class Member>
concept MemberOf = requires(const ElementOf<Elements>& element, T member) {
    { address_in(element, member) } -> std::same_as<const Member*>;
};
template <class T, class Elements>
concept CoordinateOf = MemberOf<T, Elements, float>;
template <class T, class Elements>
concept RealOf = requires(const ElementOf<Elements>& element, T member) {
    { address_in(element, member) } -> std::convertible_to<RealPointer>;
};

// The address of this member of the first element, or null if there is no first.
template <ContiguousRange Range, class Member>
auto first_of(const Range& elements, Member member) noexcept
    -> decltype(address_in(*std::data(elements), member)) {
    const auto* first = std::data(elements);
    return first == nullptr ? nullptr : address_in(*first, member);
}
template <class Element, class Member>
auto first_of(const Pages<Element>& pages, Member member) noexcept
    -> decltype(address_in(**pages.first, member)) {
    const bool any = pages.count != 0 && pages.first != nullptr && *pages.first != nullptr;
    return any ? address_in(**pages.first, member) : nullptr;
}

template <class T>
T read_as(const char* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Values at equal distances: an array, or a member of each element of a range. The stride is in bytes. They
// are read byte by byte, so they may lie at any address.
template <class T>
class Strided {
public:
    Strided() = default;
    Strided(const T* first, std::size_t count, std::size_t stride = sizeof(T)) noexcept
        : first_(first), count_(count), stride_(stride) {}
    template <ViewableRangeOf<T> Range>
    Strided(Range&& values) noexcept  // NOLINT(google-explicit-constructor): a view of the same values
        : first_(std::data(values)), count_(std::size(values)) {}

    // Not called data(), with which it would be a range that lies close together.
    const T* first() const noexcept { return first_; }
    std::size_t size() const noexcept { return count_; }
    std::size_t stride() const noexcept { return stride_; }
    const char* at(std::size_t i) const noexcept {
        return reinterpret_cast<const char*>(first_) + i * stride_;
    }
    T operator[](std::size_t i) const noexcept { return read_as<T>(at(i)); }
    Strided part(std::size_t first, std::size_t count) const noexcept {
        return {first_ == nullptr ? nullptr : reinterpret_cast<const T*>(at(first)), count, stride_};
    }
    // A member of each, and as many that are nowhere.
    template <class Outer, class Member>
    Strided<Member> each(Member Outer::*member) const noexcept {
        return {first_ == nullptr ? nullptr : &(first_->*member), count_, stride_};
    }
    Strided absent() const noexcept { return {nullptr, count_, stride_}; }

    // The fault of the view itself, not of its values; also if there should be `count` of them.
    Code fault() const noexcept {
        if (count_ == 0) return Code::ok;
        if (first_ == nullptr) return Code::null_view;
        return count_ > 1 && stride_ < sizeof(T) ? Code::bad_stride : Code::ok;
    }
    Code fault(std::size_t count) const noexcept { return count_ == count ? fault() : Code::size_mismatch; }

private:
    const T* first_ = nullptr;
    std::size_t count_ = 0;
    std::size_t stride_ = sizeof(T);
};

template <class Range, class Wanted>
auto each_of(const Range& elements, Wanted member) noexcept {
    const auto* const first = first_of(elements, member);
    return Strided<std::remove_cvref_t<decltype(*first)>>(first, std::size(elements),
                                                          sizeof(ElementOf<Range>));
}

// Floats or doubles of the host's at equal distances, to be read or to be written. The stride is in bytes.
template <bool is_written>
class AnyColumn {
    template <class Number>
    using Of = std::conditional_t<is_written, Number, const Number>;

public:
    AnyColumn() = default;
    AnyColumn(Of<float>* first, std::size_t count, std::size_t stride = sizeof(float)) noexcept
        : first_(first), count_(count), stride_(stride) {}
    AnyColumn(Of<double>* first, std::size_t count, std::size_t stride = sizeof(double)) noexcept
        : first_(first), count_(count), stride_(stride), is_double_(true) {}
    AnyColumn(const RealPointer& first, std::size_t count, std::size_t stride) noexcept requires(!is_written)
        : first_(first.data()), count_(count), stride_(stride), is_double_(first.are_doubles()) {}
    // A std::vector<float>, or any other contiguous range of floats or doubles.
    template <class Range>
        requires ViewableRangeOf<Range, float> || ViewableRangeOf<Range, double> AnyColumn(Range&& numbers)
    noexcept  // NOLINT(google-explicit-constructor): a view of the same numbers
        : AnyColumn(std::data(numbers), std::size(numbers)) {}
    // A member of the host's own structs, or a member_path().
    template <ViewableRange Range, class Member>
    static AnyColumn member(Range&& elements, Member member) noexcept {
        const auto* first = first_of(elements, member);
        using Number = std::remove_cvref_t<decltype(*first)>;
        static_assert(!is_written ||
                      !std::is_const_v<std::remove_reference_t<decltype(*std::data(elements))>>);
        return {const_cast<Of<Number>*>(first), std::size(elements), sizeof(ElementOf<Range>)};
    }

    std::size_t size() const noexcept { return count_; }
    bool is_double() const noexcept { return is_double_; }
    std::size_t stride() const noexcept { return stride_; }
    std::conditional_t<is_written, void, const void>* data() const noexcept { return first_; }

private:
    std::conditional_t<is_written, void, const void>* first_ = nullptr;
    std::size_t count_ = 0, stride_ = sizeof(float);
    bool is_double_ = false;
};
using Reals = AnyColumn<false>;

}  // namespace detail

// A member of a member, wherever a view is made of the members of a host's own structs:
//
//     boxes = Boxes::points(agents, member_path(&Agent::place, &Vec2::x),
//                           member_path(&Agent::place, &Vec2::y), reach);
template <class Outer, class Inner, class Holder, class Member>
    requires std::derived_from<Inner, Holder>
constexpr detail::MemberPath<Outer, Inner, Member> member_path(Inner Outer::*outer,
                                                               Member Holder::*inner) noexcept {
    return {outer, inner};
}

// Elements in pages of the host's, such as an EnTT storage: `pages[p]` points to the elements from number p *
// page_size on, one after the other. The table has to live as long as the view.
template <class Element>
detail::Pages<std::remove_const_t<Element>> paged(Element* const* pages, std::size_t count,
                                                  std::size_t page_size) noexcept {
    return {pages, count, page_size};
}
// Elements anywhere, by a list of pointers to them. This is the slowest: each is a jump in memory.
template <detail::ViewableRange Range>
    requires std::is_pointer_v<detail::ElementOf<Range>>
auto by_pointer(Range&& list) noexcept { return paged(std::data(list), std::size(list), 1); }

}  // namespace throng
