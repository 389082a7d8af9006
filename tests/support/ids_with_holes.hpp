// What the tests of ids have in common: ids with holes, orders of them, and two places.
#pragma once

#include "support/test.hpp"

namespace throng::test {

inline constexpr Box here{0, 0, 1, 1}, there{5, 5, 6, 6};

// A few boxes at one place.
inline std::span<const Box> all_here(std::size_t count) {
    static const std::vector<Box> boxes(8, here);
    return std::span(boxes).first(count);
}
inline std::span<const Box> all_there(std::size_t count) {
    static const std::vector<Box> boxes(8, there);
    return std::span(boxes).first(count);
}

// `count` ids in ascending order; before each are up to `most` that are left out.
inline std::vector<AgentId> ids_with_holes(std::size_t count, std::size_t most, Random& random) {
    std::vector<AgentId> ids;
    for (AgentId next = 0; ids.size() < count; ++next) {
        next += static_cast<AgentId>(random.below(most + 1));
        ids.push_back(next);
    }
    return ids;
}

// The elements in the given order.
template <class T>
std::vector<T> in_this_order(const std::vector<T>& elements, const std::vector<std::size_t>& order) {
    std::vector<T> result;
    for (const std::size_t i : order) result.push_back(elements[i]);
    return result;
}
inline std::vector<std::size_t> shuffled_order(std::size_t count, Random& random) {
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    shuffle(order, random);
    return order;
}

}  // namespace throng::test
