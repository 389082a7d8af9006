// The requirements of an ObjectQuadtree on its types and visitors, as concepts, so the compiler's errors are
// readable.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>

#include "throng/structures/detail/names.hpp"
#include "throng/structures/object/object_box.hpp"
#include "throng/views/visitors.hpp"

namespace throng::structures {

// A value that a quadtree can hold: it may be of any size, and need not be copyable.
template <class T>
concept ObjectValue = std::is_object_v<T> && !std::is_const_v<T> && std::is_nothrow_move_constructible_v<T> &&
                      std::is_nothrow_destructible_v<T>;

// Returns the box of a value. It is called through const, and may be a move-only type.
template <class GetBox, class T, class Float>
concept BoxGetter = std::move_constructible<GetBox> && std::invocable<const GetBox&, const T&> &&
    std::convertible_to<std::invoke_result_t<const GetBox&, const T&>, ObjectBox<Float>>;

// Returns whether two values are equal. Called like the above.
template <class Equal, class T>
concept ValueEquality = std::move_constructible<Equal> && std::predicate<const Equal&, const T&, const T&>;

// A visitor: takes values by const reference, and returns nothing, or whether to go on.
template <class Visitor, class... Values>
concept ValueVisitor = std::invocable<Visitor&, const Values&...> &&
    detail::NothingOrBool<std::invoke_result_t<Visitor&, const Values&...>>;

namespace detail {
// Calls the visitor. Returns whether to go on.
template <class Visitor, class... Values>
bool show(Visitor& visitor, const Values&... values) {
    if constexpr (std::is_void_v<std::invoke_result_t<Visitor&, const Values&...>>) {
        std::invoke(visitor, values...);
        return true;
    } else {
        return std::invoke(visitor, values...);
    }
}
}  // namespace detail

}  // namespace throng::structures
