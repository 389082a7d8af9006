// What an ObjectQuadtree asks of the types that it is made with, and of the visitors that it calls: so that a
// wrong one is refused in words that can be read.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "throng/structures/object/object_box.hpp"

namespace throng {

// A value that can lie in a quadtree: it may be of any size, and need not be copyable.
template <class T>
concept ObjectValue = std::is_object_v<T> && !std::is_const_v<T> && std::is_nothrow_move_constructible_v<T> &&
                      std::is_nothrow_destructible_v<T>;

// Says where a value is. It is called through const, and may be of a type that can only be moved.
template <class GetBox, class T, class Float>
concept BoxGetter = std::move_constructible<GetBox> && std::invocable<const GetBox&, const T&> &&
    std::convertible_to<std::invoke_result_t<const GetBox&, const T&>, ObjectBox<Float>>;

// Says whether two values are the same. Called like the above.
template <class Equal, class T>
concept ValueEquality = std::move_constructible<Equal> && std::predicate<const Equal&, const T&, const T&>;

namespace detail {
template <class Result>
concept NothingOrBool = std::is_void_v<Result> || std::same_as<Result, bool>;
}

// Takes values by const reference, and returns nothing, or whether to go on.
template <class Visitor, class... Values>
concept ValueVisitor = std::invocable<Visitor&, const Values&...> &&
    detail::NothingOrBool<std::invoke_result_t<Visitor&, const Values&...>>;

namespace detail {
// Whether the visitor wants more.
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

}  // namespace throng
