// The arrays of lists, for the calls that fill them.
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

struct PairsInside {
    explicit PairsInside(PairList& list) noexcept
        : places(list.places_), ids(list.ids_), apart(list.apart_) {}

    throng::detail::Buffer<Pair>& places;
    const GlobalId*& ids;
    throng::detail::Buffer<ClusterPair>& apart;
};

}  // namespace detail

}  // namespace throng::cluster
