// One of many orders of some ids, by a number.
#pragma once

#include "support/test.hpp"

namespace throng::fuzz {

inline void shuffle(std::vector<AgentId>& ids, std::uint8_t seed) {
    test::Random random(seed);
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.below(i)]);
}

}  // namespace throng::fuzz
