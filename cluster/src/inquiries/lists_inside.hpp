// The arrays of a list, for the calls that fill it.
#pragma once

#include "throng/cluster/results.hpp"

namespace throng::cluster {

namespace detail {

struct ListsInside {
    explicit ListsInside(Lists& lists) noexcept
        : offsets(lists.offsets_), ids(lists.ids_), numbers(lists.numbers_) {}

    throng::detail::Buffer<std::uint64_t>& offsets;
    throng::detail::Buffer<GlobalId>& ids;
    throng::detail::Buffer<float>& numbers;
};

}  // namespace detail

}  // namespace throng::cluster
