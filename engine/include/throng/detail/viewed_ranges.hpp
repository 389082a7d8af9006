// What a view may be made of: ranges of the host's that outlive it, and members of their elements.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace throng::detail {

// Uses std::data and std::size, which is what a view needs. The concepts of <ranges> would double the time
// that this header takes to compile.
template <class Range>
concept ContiguousRange = requires(const Range& range) {
    {*std::data(range)};
    { std::size(range) } -> std::convertible_to<std::size_t>;
};
// A view of it would dangle: it has no name, and its elements go with it. Those of a temporary span stay.
template <class Range>
concept TemporaryContainer =
    !std::is_lvalue_reference_v<Range> && !std::ranges::enable_borrowed_range<std::remove_cvref_t<Range>>;
template <class Range>
concept ViewableRange = ContiguousRange<Range> && !TemporaryContainer<Range>;

template <ContiguousRange Range>
using ElementOf = std::remove_cvref_t<decltype(*std::data(std::declval<const Range&>()))>;

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
// How many as well, of a range that has a name.
class RealSpan {
public:
    RealSpan() = default;
    template <class Range>
        requires ViewableRangeOf<Range, float> || ViewableRangeOf<Range, double> RealSpan(Range&& range)
    noexcept  // NOLINT(google-explicit-constructor): as ViewedSpan
        : first_(std::data(range)), count_(std::size(range)) {}

    RealPointer data() const noexcept { return first_; }
    std::size_t size() const noexcept { return count_; }

private:
    RealPointer first_;
    std::size_t count_ = 0;
};

// Elements in pages of `page_size`; the last page may have fewer; see paged() and by_pointer().
template <class Element>
struct Pages {
    const Element* const* first;
    std::size_t count, page_size;
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
// A pointer to a member of the elements of a range, or a path to one; what holds it may be a base of theirs.
template <class T, class Range, class Member>
concept MemberOf = ContiguousRange<Range> && requires(const ElementOf<Range>& element, T member) {
    { address_in(element, member) } -> std::same_as<const Member*>;  // a view converts nothing
};
template <class T, class Range>
concept CoordinateOf = MemberOf<T, Range, float>;
// The same of elements of this type, wherever they lie.
template <class T, class Element>
concept CoordinateIn = requires(const Element& element, T member) {
    { address_in(element, member) } -> std::same_as<const float*>;
};

// A view with an origin is made of float or double members, of a range's elements or those in pages.
template <class Range>
struct ElementsOf {
    using Element = ElementOf<Range>;
};
template <class Of>
struct ElementsOf<Pages<Of>> {
    using Element = Of;
};
template <class T, class Elements>
concept RealOf = requires(const typename ElementsOf<std::remove_cvref_t<Elements>>::Element& element,
                          T member) {
    { address_in(element, member) } -> std::convertible_to<RealPointer>;
};
template <class T>
inline constexpr bool are_pages = false;
template <class Of>
inline constexpr bool are_pages<Pages<Of>> = true;
template <class Elements>
concept ViewableElements = ViewableRange<Elements> || are_pages<std::remove_cvref_t<Elements>>;

// The address of this member of the first element, or null if there is no first.
template <ContiguousRange Range, class Member>
auto first_of(const Range& elements, Member member) noexcept
    -> decltype(address_in(*std::data(elements), member)) {
    const auto* first = std::data(elements);
    return first == nullptr ? nullptr : address_in(*first, member);
}

}  // namespace throng::detail
