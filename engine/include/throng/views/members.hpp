// Which members of the host's own structures a view reads, and where the structures lie: see boxes.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "throng/detail/viewed_ranges.hpp"

namespace throng {

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
