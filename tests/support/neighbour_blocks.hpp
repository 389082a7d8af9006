// Lists of neighbours that came in blocks, put together again.
#pragma once

#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {

struct JoinedLists {
    Status status;
    ListsAsTheyAre all;
    // How many lists each block had.
    std::vector<std::size_t> blocks;
    // Whether the blocks came in turn, none was empty, and only blocks of a single list were above the bound.
    bool well_cut = true;

    void add(std::size_t first, const NeighbourLists& some, std::size_t max_bytes) {
        const std::size_t bytes = some.offsets().size_bytes() + some.ids().size_bytes() +
                                  some.squared_distances().size_bytes() + some.agents().size_bytes();
        well_cut = well_cut && first + 1 == all.offsets.size() && !some.empty() &&
                   (bytes <= max_bytes || some.size() == 1);
        for (std::size_t i = 1; i <= some.size(); ++i)
            all.offsets.push_back(all.ids.size() + some.offsets()[i]);
        all.ids.insert(all.ids.end(), some.ids().begin(), some.ids().end());
        all.agents.insert(all.agents.end(), some.agents().begin(), some.agents().end());
        all.distances.insert(all.distances.end(), some.squared_distances().begin(),
                             some.squared_distances().end());
        blocks.push_back(some.size());
    }
};

// `places` are points or another frame, or nothing.
template <class... Places>
JoinedLists join_blocks(const Frame& frame, NeighbourLists& block, std::size_t max_bytes,
                        const Filters& filters, const Neighbourhood& wanted, const Places&... places) {
    JoinedLists joined;
    joined.all.offsets.push_back(0);
    const auto add = [&](std::size_t first, const NeighbourLists& some) {
        joined.add(first, some, max_bytes);
    };
    joined.status = wanted.in([&](const auto& kind) {
        return frame.for_each_answer(places..., kind, block, add, {.max_bytes = max_bytes}, filters);
    });
    return joined;
}

}  // namespace throng::test
