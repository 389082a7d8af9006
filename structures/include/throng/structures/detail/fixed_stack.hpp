// FixedStack: the stack of a walk through a tree. The tree's depth bounds how many nodes may wait. Nothing is
// checked.
#pragma once

#include <cstddef>
#include <type_traits>

namespace throng::structures::detail {

// What waits in a tree of four children a node: three of them on each level, and the fourth on the last.
constexpr std::size_t waiting_in_tree(std::size_t levels) noexcept { return 3 * levels + 4; }

template <class Value, std::size_t capacity>
class FixedStack {
    // So values are not set before they are pushed: that would cost more than most walks.
    static_assert(std::is_trivially_default_constructible_v<Value>);

public:
    FixedStack() = default;
    explicit FixedStack(const Value& first) noexcept { push(first); }

    bool empty() const noexcept { return size_ == 0; }
    void push(const Value& value) noexcept { values_[size_++] = value; }
    Value pop() noexcept { return values_[--size_]; }

private:
    std::size_t size_ = 0;
    Value values_[capacity];
};

}  // namespace throng::structures::detail
