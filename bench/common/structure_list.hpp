// The spatial structures by name: one line for each, and every program that goes through them all goes through this
// list.
#pragma once

#include <tuple>

#include "tests/oracle/brute_index.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::bench {

template <SpatialIndex Structure>
struct Listed {
    const char* name;
    const char* what;
};

inline constexpr std::tuple structure_list{
    Listed<oracle::BruteIndex>{"brute", "everything with everything"},
};

// Calls `visit.template operator()<Structure>(name, what)` for each.
template <class Visit>
void for_each_structure(Visit&& visit) {
    const auto one = [&visit]<SpatialIndex Structure>(const Listed<Structure>& listed) {
        visit.template operator()<Structure>(listed.name, listed.what);
    };
    std::apply([&one](const auto&... listed) { (one(listed), ...); }, structure_list);
}

}  // namespace throng::bench
